import { expect, it } from "vitest";
import { isSameSite } from "../../src/site/same-site";

it.each<[url: string, site: string, host: boolean, withSubdomains: boolean]>([
  ["https://example.com/a", "https://example.com/", true, true],
  ["http://example.com/a", "https://example.com/", true, true],
  ["https://www.example.com/", "https://example.com/", true, true],
  ["https://example.com./", "https://www.example.com/", true, true],
  ["https://blog.example.com/", "https://example.com/", false, true],
  ["https://example.com/", "https://blog.example.com/", false, true],
  ["https://www.blog.example.co.uk/", "https://example.co.uk/", false, true],
  ["https://other.co.uk/", "https://example.co.uk/", false, false],
  ["https://a.github.io/", "https://b.github.io/", false, false],
  ["https://www.com/", "https://com/", false, false],
  ["https://example.com:8443/", "https://example.com/", false, false],
  ["https://notexample.com/", "https://example.com/", false, false],
  ["http://127.0.0.1:81/", "http://127.0.0.1:80/", false, false],
  ["http://127.0.0.1:81/", "http://127.0.0.1:81/x", true, true],
  ["http://localhost/", "http://www.localhost/", false, false],
  ["mailto:a@example.com", "https://example.com/", false, false],
  ["nothing", "https://example.com/", false, false],
])("compares %s with %s", (url, site, host, withSubdomains) => {
  expect(isSameSite(url, site)).toBe(host);
  expect(isSameSite(url, site, { includeSubdomains: true })).toBe(withSubdomains);
});
