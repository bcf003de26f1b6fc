import { describe, expect, it } from "vitest";
import { hasContent } from "../../src/parse/content";
import { toParts } from "../../src/parse/parts";
import { quoteAsData } from "../../src/parse/quote";
import { readDocument, readHtml, readPlain } from "../../src/parse/reading";
import injections from "../fixtures/parse/injections.html?raw";

const URL_OF_PAGE = "https://shop.example/lamps/tide.html";
const LIMITS = { maxTokens: 30_000, maxParts: 8 };

function read(html: string, url: string | null = URL_OF_PAGE): string {
  return toParts(readHtml(html, { url }), LIMITS).parts.join("\n");
}

const PROSE = "The ferry leaves from the old pier each morning, whatever the weather, and carries forty people. ";
const ARTICLE = `<main><h1>Ferries</h1>${`<p>${PROSE.repeat(3)}</p>`.repeat(4)}</main>`;

describe("what the page says about itself", () => {
  it("comes first: address, title, metadata, then data", () => {
    const html =
      '<html lang="en"><title>Tide lamp | Shop</title><meta name="description" content="A lamp."><meta property="og:type" content="product">' +
      '<meta property="product:price:amount" content="19.50">' +
      '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Tide lamp","offers":{"price":"19.50"}}</script>' +
      "<p>Words.</p>";
    expect(read(html)).toBe(
      [
        "What the page says about itself:",
        "url: https://shop.example/lamps/tide.html",
        "title: Tide lamp | Shop",
        "name: Tide lamp",
        "description: A lamp.",
        "language: en",
        "og:type: product",
        "product:price:amount: 19.50",
        'JSON-LD: {"@type":"Product","name":"Tide lamp","offers":{"price":"19.50"}}',
        "",
        "The page:",
        "",
        "Words.",
      ].join("\n"),
    );
  });

  it("puts what the page is about before its site", () => {
    const graph = [
      { "@type": "Organization", name: "Shop" },
      { "@type": "BreadcrumbList" },
      { "@type": "Recipe", name: "Soup" },
    ];
    const text = read(`<script type="application/ld+json">${JSON.stringify({ "@graph": graph })}</script><p>Words.`);
    expect(text.indexOf("Recipe")).toBeLessThan(text.indexOf("Organization"));
  });

  it("skips broken data, and repairs what templates leave", () => {
    const text = read(
      '<script type="application/ld+json">{"@type":"Product",}</script><script type="application/ld+json">{{x}}</script><p>Words.',
    );
    expect(text).toContain('JSON-LD: {"@type":"Product"}');
    expect(text).not.toContain("{x}");
  });

  it.each([
    ["text", '<b itemprop="name">Tide <i>lamp</i></b>', { name: "Tide lamp" }],
    ["content", '<meta itemprop="sku" content="TL-77">', { sku: "TL-77" }],
    ["an address", '<a itemprop="url" href="/a">a</a>', { url: "https://shop.example/a" }],
    [
      "a link",
      '<link itemprop="availability" href="https://schema.org/InStock">',
      { availability: "https://schema.org/InStock" },
    ],
    ["a time", '<time itemprop="date" datetime="2026-01-02">today</time>', { date: "2026-01-02" }],
    [
      "an item",
      '<p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">9</b></p>',
      { offers: { "@type": "Offer", price: "9" } },
    ],
    ["several values", '<b itemprop="color">red</b><b itemprop="color">blue</b>', { color: ["red", "blue"] }],
    ["two names", '<b itemprop="name title">Lamp</b>', { name: "Lamp", title: "Lamp" }],
    [
      "nothing hidden",
      '<b itemprop="name">Lamp <i hidden>secret</i></b><b hidden itemprop="x">y</b>',
      { name: "Lamp" },
    ],
    ["names of objects' own", '<b itemprop="__proto__">x</b>', JSON.parse('{"__proto__":"x"}')],
  ])("has microdata: %s", (_, inside, expected) => {
    const html = `<div itemscope itemtype="https://schema.org/Product">${inside}</div>`;
    const line = /^Microdata: (.*)$/m.exec(read(html))?.[1] ?? "{}";
    expect(JSON.parse(line)).toEqual({ "@type": "Product", ...expected });
  });

  it("has items inside of others that are none of their properties", () => {
    const html =
      '<div itemscope itemtype="Product"><b itemprop="name">Lamp</b><div itemscope itemtype="Review"><b itemprop="author">Ida</b></div></div>';
    expect(read(html)).toContain(
      'Microdata: {"@type":"Product","name":"Lamp"}\nMicrodata: {"@type":"Review","author":"Ida"}',
    );
  });

  it("is bounded by whole values", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ "@type": "Product", name: `Lamp ${at}` }));
    const html = `<script type="application/ld+json">${JSON.stringify(many)}</script><p>Words.`;
    const [part = ""] = toParts(readHtml(html, { url: null }), { maxTokens: 2_000, maxParts: 1 }).parts;
    const objects = part.match(/^JSON-LD: (.*)$/gm) ?? [];
    expect(objects.length).toBeGreaterThan(5);
    for (const object of objects) expect(() => JSON.parse(object.replace("JSON-LD: ", ""))).not.toThrow();
    expect(part).toContain("Words.");
  });

  it.each([
    ["deep", `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`],
    ["long", JSON.stringify({ articleBody: "x".repeat(1_000_000) })],
    ["wide", JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])))],
  ])("takes %s data in its stride", (_, json) => {
    const text = read(`<script type="application/ld+json">${json}</script><p>Words.`);
    expect(text).toContain("Words.");
    expect(text.length).toBeLessThan(60_000);
  });
});

describe("which words", () => {
  it("are the main content where that holds most of the page", () => {
    const reading = readHtml(`<nav><a href="/x">Elsewhere</a></nav>${ARTICLE}<footer>Imprint</footer>`, {
      url: URL_OF_PAGE,
    });
    expect(reading.isWhole).toBe(false);
    expect(toParts(reading, LIMITS).text).not.toContain("Imprint");
  });

  it.each([
    ["prices", `${ARTICLE}<aside class="sidebar">Ticket 12.00 EUR, with a dog 14.00 EUR</aside>`, "14.00 EUR"],
    [
      "a table",
      `${ARTICLE}<aside class="sidebar"><table><tr><th>Day</th><th>Time</th></tr><tr><td>Monday</td><td>7:30</td></tr></table></aside>`,
      "| Monday | 7:30 |",
    ],
    [
      "most of its words",
      `${ARTICLE}<section class="comments">${`<p>${PROSE.replace("ferry", "boat").repeat(4)}</p>`.repeat(9)}</section>`,
      "boat",
    ],
  ])("are the whole page's where its main content lacks %s", (_, html, expected) => {
    const reading = readHtml(html, { url: URL_OF_PAGE });
    expect(reading.isWhole).toBe(true);
    expect(toParts(reading, LIMITS).parts[0]).toContain(expected);
  });

  it("are the main content where only teasers and the news have amounts", () => {
    const html = `${ARTICLE}<aside class="sidebar"><p>The fund has $5 million left.</p><p><a href="/x">Tickets for 12 EUR</a></p></aside>`;
    expect(readHtml(html, { url: URL_OF_PAGE }).isWhole).toBe(false);
  });

  it("keep tables, lists and links, which are absolute", () => {
    const html =
      '<main><h1>Lamps</h1><ul><li><a href="a.html">Tide</a></li><li>Moon</li></ul><table><tr><th>Part</th><th>Code</th></tr><tr><td>Wick</td><td>W-1</td></tr></table></main>';
    const text = read(html);
    expect(text).toContain("- [Tide](https://shop.example/lamps/a.html)\n- Moon");
    expect(text).toContain("| Part | Code |\n| --- | --- |\n| Wick | W-1 |");
  });

  it.each([
    ["the canonical one", '<link rel="canonical" href="https://b.example/c/d">', "(https://b.example/c/x?y=1)"],
    ["their path alone", "", "(/x?y=1)"],
  ])("without an address of the page, links have %s", (_, head, expected) => {
    const item = '<p itemscope><a itemprop="url" href="/z">Z</a></p><link rel="shortcut icon" href="/i">';
    const text = read(`${head}${item}<p>Read <a href="x?y=1">this</a> and that.`, null);
    expect(text).toContain(expected);
    expect(text).not.toContain("invalid");
  });

  it("have no invisible characters, in words and attributes, in data and titles", () => {
    const hidden = "\u200b\u{e0041}\u202e\u00ad\ufe01";
    const html = `<title>T${hidden}t</title><script type="application/ld+json">{"@type":"Product","n${hidden}":"v${hidden}w"}</script>
      <div itemscope><b itemprop="p">q${hidden}r</b></div><p>a${hidden}b <a href="/x" title="c${hidden}d">e</a> <img src="i.png" alt="f${hidden}g"> <code>h${hidden}i</code>
      <pre>j${hidden}k</pre><table><tr><th>l${hidden}m<th>n</table>`;
    const { parts, text } = toParts(readHtml(html, { url: URL_OF_PAGE }), LIMITS);
    for (const said of [...parts, text]) for (const sign of hidden) expect(said).not.toContain(sign);
    for (const word of ["Tt", "vw", "qr", "ab", "cd", "fg", "hi", "jk", "lm"]) expect(parts[0]).toContain(word);
  });

  it("are as they are in JSON and plain text", () => {
    const json = '{\n  "name": "Tide lamp",\n  "*": ["_a_", 1]\n}';
    expect(toParts(readPlain(json, { url: URL_OF_PAGE }), LIMITS).parts[0]).toMatch(
      new RegExp(`The page:\n\n${RegExp.escape(json)}$`),
    );
  });

  it("come from documents of blocks as well", () => {
    const blocks = [
      {
        type: "paragraph" as const,
        content: [{ type: "text" as const, value: "a\u200bb", space: false, marks: null }],
      },
    ];
    const { parts } = toParts(readDocument(blocks, { url: URL_OF_PAGE, metadata: { title: "T" } }), LIMITS);
    expect(parts).toEqual([`What the page says about itself:\nurl: ${URL_OF_PAGE}\ntitle: T\n\nThe page:\n\nab`]);
  });

  it("are one empty part when there are none", () => {
    expect(toParts(readHtml("", { url: null }), LIMITS)).toEqual({ parts: [""], isTruncated: false, text: "\n\n\n\n" });
  });
});

it("lets no hidden instruction through, and the visible one as the words that it is", () => {
  const { parts, text } = toParts(readHtml(injections, { url: URL_OF_PAGE }), LIMITS);
  for (const said of [...parts, text]) {
    expect(Array.from(said.matchAll(/INJ-\w+/g), ([mark]) => mark).filter((mark) => mark !== "INJ-VISIBLE")).toEqual(
      [],
    );
    expect(said).toContain("INJ-VISIBLE");
    expect(said).toContain("Plainwords with tags inside.");
    expect(said).toContain("A brass lamp for the harbour wall");
  }
  expect(parts[0]).toContain("| Wick | W-1 |");
});

it.each([
  ["of nested items", `${'<div itemscope itemprop="a">'.repeat(20_000)}deep words`],
  ["of nested properties", `<div itemscope>${'<b itemprop="a">x '.repeat(20_000)}deep words`],
  ["of many items", `${'<p itemscope><b itemprop="a">x</b></p>'.repeat(20_000)}deep words`],
  ["of digits", `<p>deep words ${"1".repeat(500_000)}`],
  ["of nested tables", `${"<table><tr><td>cell ".repeat(20_000)}deep words`],
  ["of tabs", `${'<b role="tab">'.repeat(20_000)}deep words`],
  ["of joiners", `<p>deep words ${"\u200d".repeat(500_000)}`],
  [
    "of open brackets in its data",
    `<script type="application/ld+json">${JSON.stringify("<a".repeat(200_000))}</script>deep words`,
  ],
  ["of brackets", `<p>deep words ${"&lt; ".repeat(100_000)}`],
])("takes linear time over a page %s", { timeout: 10_000 }, (_, html) => {
  const { parts } = toParts(readHtml(html, { url: URL_OF_PAGE }), LIMITS);
  expect(parts.join("")).toContain("deep words");
  quoteAsData(parts.join(""), "0123456789abcdef");
  hasContent(html);
});
