import { describe, expect, it } from "vitest";
import { violatesOperator, withoutOperators } from "../../../src/search/results/operators";

function resultsOf(urls: string, title: string) {
  return urls.split(" ").map((url) => ({ title, url: `https://${url}`, snippet: "", description: "" }));
}

describe("the results", () => {
  it.each([
    ["site:port.example cranes", "www.other.example/port.example www.third.example/"],
    ["cranes site:a.example OR site:b.example", "c.example/ d.example/"],
    ["(site:a.example OR site:b.example) cranes", "c.example/ d.example/"],
    ["site:port.example/news cranes", "port.example/shop"],
    ["site:port.example cranes", "export.example/"],
    ["cranes -site:port.example", "www.port.example/a port.example/b"],
    ["cranes filetype:pdf", "port.example/cranes.html port.example/pdfs"],
    ["intitle:harbour cranes", "port.example/"],
    ["cranes inurl:news", "port.example/shop"],
  ])("of '%s' violate it: %s", (query, urls) => {
    expect(violatesOperator(query, resultsOf(urls, "Cranes"))).toBe(true);
  });

  it.each([
    ["site:port.example cranes", "www.other.example/ www.port.example/"],
    ["SITE:*.port.example cranes", "www.port.example/"],
    ["site:edu cranes", "www.college.edu/"],
    ["(site:a.example OR site:b.example) cranes", "b.example/ c.example/"],
    ["site:port.example -site:www.port.example", "news.port.example/ www.port.example/"],
    ["cranes filetype:pdf", "papers.example/pdf/2401.00001"],
    ['intitle:"Cranes" harbour', "port.example/"],
    ["cranes website:port.example", "other.example/"],
    ["cranes at the site: where", "other.example/"],
    ['"the site:port.example cranes"', "other.example/"],
    ["site:a.example|site:b.example cranes", "b.example/"],
    ["site:port.example:8080 cranes", "port.example/"],
    ["site:häfen.example/über cranes", "www.xn--hfen-loa.example/%C3%9Cber/us"],
    ["site:port.*/news/* cranes", "www.port.co.uk/news/1"],
    ["inurl:häfen cranes", "port.example/h%C3%A4fen"],
    ["intitle:crânes harbour", "port.example/"],
  ])("of '%s' don't violate it: %s", (query, urls) => {
    expect(violatesOperator(query, resultsOf(urls, "Cranes"))).toBe(false);
  });

  it("violate nothing if their URLs are unknown, or if there are none", () => {
    const [result] = resultsOf("www.google.com/goto?url=x", "Cranes");
    expect(violatesOperator("site:port.example", result ? [{ ...result, unresolved: true }] : [])).toBe(false);
    expect(violatesOperator("site:port.example", [])).toBe(false);
  });
});

it.each([
  ["site:port.example cranes", "cranes"],
  ["(site:a.example OR site:b.example) cranes -site:c.example", "cranes"],
  ["cranes (big OR small) filetype:pdf", "cranes (big OR small)"],
  ['"the site:port.example cranes" filetype:pdf', '"the site:port.example cranes"'],
])("'%s' without its operators is '%s'", (query, rest) => {
  expect(withoutOperators(query)).toBe(rest);
});
