/// <reference path="./raw.d.ts" />
import { describe, expect, it } from "vitest";
import { convertHtml } from "../../src/html/convert";
import harbour from "../fixtures/html/harbour.html?raw";
import headings from "../fixtures/html/headings.html?raw";
import old from "../fixtures/html/old.html?raw";

const PAGE = "https://harbour.example/log/today.html";

function convert(html: string, onlyMainContent = true) {
  const { markdown = "", text = "" } = convertHtml(html, { url: PAGE, markdown: true, text: true, onlyMainContent });
  return { markdown, text };
}

describe("the main content", () => {
  const { markdown, text } = convert(harbour);

  it.each([
    ["the headline first", /^# Tide tables of Leba\n\n/],
    ["a table", "| Day | High |\n| --- | --- |\n| Mon | 1.2 m |\n| Tue | 1.4 m |"],
    ["code with its language and its white space", "```sh\ntide --port leba\n  --day mon\n```"],
    ["absolute links", "[archive](https://harbour.example/archive/1899.html)"],
    ["absolute images", "![the pier](https://harbour.example/img/pier.jpg)"],
    ["nested lists", "- North\n  - Pier 1\n- South"],
    ["emphasis", "**Never** cross the bar"],
  ])("has %s in markdown", (_, expected) => {
    expect(markdown).toMatch(expected);
  });

  it.each(["imprint", "Login", "Search", "cookies", "Storms", "script", "color: red", "Not this one"])(
    "leaves out the boilerplate %s",
    (word) => {
      expect(markdown).not.toContain(word);
      expect(text).not.toContain(word);
    },
  );

  it("has plain text without markdown or URLs, with tables as rows and lists with dashes", () => {
    expect(text).toMatch(/^Tide tables of Leba\n\nThe harbour/);
    expect(text).toContain("Mon  1.2 m\nTue  1.4 m");
    expect(text).toContain("- North\n  - Pier 1\n- South");
    expect(text).toContain("See the archive and the pier. Ships");
    expect(text).not.toMatch(/\*\*|\]\(|```|https?:|^#/m);
  });

  it("starts with the headline once, even if it isn't the <h1>", () => {
    const { markdown: post } = convert(headings);
    expect(post).toMatch(/^# How the lighthouse was moved\n\nIn the autumn of 1931/);
    expect(post.match(/How the lighthouse was moved/g)).toHaveLength(1);
    expect(post).toContain("\n\n### The plan\n\n");
    expect(post).not.toContain("Coast Weekly");
  });

  it.each([
    ["an article of two lines", "<article><h1>Seen</h1><p>One line.</p></article>", "# Seen\n\nOne line."],
    [
      "an article among navigation",
      "<nav>Home</nav><article><h1>A</h1><p>B</p></article><footer>C</footer>",
      "# A\n\nB",
    ],
    ["a headline outside of the article", "<header><h1>A</h1></header><main><p>B</p></main>", "# A\n\nB"],
    ["a headline inside of a link", '<h1><a href="/a">A</a></h1><p>B</p>', "# [A](https://harbour.example/a)\n\nB"],
    ["a short list", "<main><h1>A</h1><ul><li>b</li><li>c</li></ul></main>", "# A\n\n- b\n- c"],
    ["no article", '<div id="app">loading</div><script>x()</script>', "loading"],
    ["no tags", "just text", "just text"],
    ["no <body> but a <head>", "<html><head><title>t</title></head><h1>A</h1><p>B</html>", "# A\n\nB"],
    ["words after </body>", "<html><body><h1>A</h1></body><p>B</p></html>C", "# A\n\nB\n\nC"],
    ["only navigation", '<nav><a href="/a">Home</a></nav>', "[Home](https://harbour.example/a)"],
    ["only a heading", "<h1>gone</h1>", "# gone"],
    ["only a <noscript>", "<noscript>Turn scripts on.</noscript>", "Turn scripts on."],
    ["a hidden body", '<body><p style="display:none">A</p></body>', "A"],
  ])("is kept on a page with %s", (_, html, expected) => {
    expect(convert(html).markdown).toBe(expected);
  });

  it("is extracted from old pages with capital tags, unclosed tags and layout tables", () => {
    const { markdown: ferry, text: words } = convert(old);
    expect(ferry).toMatch(/^# Ferry times\n\n/);
    expect(ferry).toContain("The ferry leaves from the old pier each morning.\n\nIt carries forty people");
    expect(ferry).toContain("| Out | 8:00 |\n| Back | 17:30 |");
    expect(words).toContain("Out   8:00\nBack  17:30");
    expect(convert(old, false).markdown).toContain("[Fares](http://ferry.example/winter/a.html)");
  });
});

describe("the whole page", () => {
  it("has the boilerplate that the main content leaves out, in page order", () => {
    const { markdown, text } = convert(harbour, false);
    expect(markdown).toContain("- [Login](https://harbour.example/y)");
    expect(markdown).toMatch(/imprint$/);
    expect(text.indexOf("Login")).toBeLessThan(text.indexOf("Tide tables"));
    expect(markdown).not.toMatch(/script|color: red/);
  });
});

describe("includeSelectors", () => {
  const prices = "<table><tr><th>Name<th>Price<tr class=r><td>Kettle<td>5<tr class=r><td>Pan<td>9</table>";
  it.each([
    ["inline elements", ".n, .p", "<span class=n>Kettle</span><span class=p>€ 5</span>", "Kettle\n\n€ 5"],
    ["links", "nav a", "<nav><a>Home</a><a>News</a></nav>", "Home\n\nNews"],
    ["list items", "li", "<ol><li>a<li>b</ol>", "- a\n- b"],
    ["table rows", "table > tbody > .r", prices, "|  |  |\n| --- | --- |\n| Kettle | 5 |\n| Pan | 9 |"],
    ["table cells", "td, th", prices, "| Name | Price |\n| --- | --- |\n| Kettle | 5 |\n| Pan | 9 |"],
    ["one table column", "td:last-child", prices, "5\n\n9"],
    [
      "a paragraph between two cells of the same table",
      ".c, p",
      "<table><tr><td class=c>a<td><p>b</p><td class=c>c</table>",
      "a\n\nb\n\nc",
    ],
    [
      "rows of two tables",
      "tr, h2",
      "<table><tr><th>a<th>b</table><h2>c</h2><table><tr><th>d<th>e</table>",
      "| a | b |\n| --- | --- |\n\n## c\n\n| d | e |\n| --- | --- |",
    ],
  ])("writes matches as separate blocks: %s", (_, selector, html, expected) => {
    const options = { url: PAGE, markdown: true, text: false, onlyMainContent: true, includeSelectors: [selector] };
    expect(convertHtml(html, options).markdown).toBe(expected);
  });

  it("throws target_too_large for selectors that are slow on long attributes", () => {
    const html = `<p class="${"b".repeat(100_000)}">`.repeat(40);
    const selector = Array.from({ length: 50 }, (_, at) => `p:has(~ .b${at})`).join(",");
    const options = { url: PAGE, markdown: true, text: false, onlyMainContent: true, includeSelectors: [selector] };
    expect(() => convertHtml(html, options)).toThrow("more than 40 million steps");
  });
});

describe("the formats", () => {
  it.each([
    [true, false, ["markdown", "kind"]],
    [false, true, ["text", "kind"]],
    [true, true, ["markdown", "text", "kind"]],
    [false, false, []],
  ])("are returned only on request: markdown %s, text %s", (markdown, text, keys) => {
    expect(Object.keys(convertHtml(harbour, { url: PAGE, markdown, text, onlyMainContent: true }))).toEqual(keys);
  });

  it.each([
    "",
    " \n",
    "<!doctype html>",
    "<html><head><title>t</title></head><body></body></html>",
    "<p></p>",
    "<!-- x -->",
  ])("are empty strings for the empty document %j", (html) => {
    expect(convert(html)).toEqual({ markdown: "", text: "" });
    expect(convert(html, false)).toEqual({ markdown: "", text: "" });
  });
});

describe("a page that consists of images", () => {
  const figures = Array.from(
    { length: 3 },
    (_, i) => `<figure><img src="/${i}.jpg"><figcaption>A fisherman mends net ${i} on the quay.</figcaption></figure>`,
  );

  it("has the captions as text, and as image titles in markdown", () => {
    const { markdown, text } = convert(`<main>${figures.join("")}</main>`);
    expect(text).toContain("A fisherman mends net 2 on the quay.");
    expect(markdown).toContain('![](https://harbour.example/2.jpg "A fisherman mends net 2 on the quay.")');
  });

  it("has the captions as paragraphs if onlyMainContent is false", () => {
    expect(convert(figures.join(""), false).markdown).toContain("\n\nA fisherman mends net 2 on the quay.");
  });
});
