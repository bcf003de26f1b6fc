import { describe, expect, it } from "vitest";
import { toParts } from "../../../src/endpoints/parse/parts";
import { readHtml } from "../../../src/endpoints/parse/read-page";
import { parseVisiblePage } from "../../../src/html/visible-page";

const URL_OF_PAGE = "https://shop.example/lamps/tide.html";
const LIMITS = { maxTokens: 30_000, maxParts: 8 };

function read(html: string, url: string | null = URL_OF_PAGE): string {
  return toParts(readHtml(parseVisiblePage(html), { url }), LIMITS).parts.join("\n");
}

describe("the facts of a page", () => {
  it("have the order URL, title, metadata, structured data", () => {
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

  it("have data about the page before data about the site", () => {
    const graph = [
      { "@type": "Organization", name: "Shop" },
      { "@type": "BreadcrumbList" },
      { "@type": "Recipe", name: "Soup" },
    ];
    const text = read(`<script type="application/ld+json">${JSON.stringify({ "@graph": graph })}</script><p>Words.`);
    expect(text.indexOf("Recipe")).toBeLessThan(text.indexOf("Organization"));
  });

  it("omit broken JSON-LD, and repair the errors of templates", () => {
    const text = read(
      '<script type="application/ld+json">{"@type":"Product",}</script><script type="application/ld+json">{{x}}</script><p>Words.',
    );
    expect(text).toContain('JSON-LD: {"@type":"Product"}');
    expect(text).not.toContain("{x}");
  });

  it.each([
    ["text", '<b itemprop="name">Tide <i>lamp</i></b>', { name: "Tide lamp" }],
    ["content", '<meta itemprop="sku" content="TL-77">', { sku: "TL-77" }],
    ["a URL", '<a itemprop="url" href="/a">a</a>', { url: "https://shop.example/a" }],
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
    ["two names for one value", '<b itemprop="name title">Lamp</b>', { name: "Lamp", title: "Lamp" }],
    [
      "nothing hidden",
      '<b itemprop="name">Lamp <i hidden>secret</i></b><b hidden itemprop="x">y</b>',
      { name: "Lamp" },
    ],
    ["names of Object.prototype", '<b itemprop="__proto__">x</b>', JSON.parse('{"__proto__":"x"}')],
  ])("contain microdata: %s", (_, inside, expected) => {
    const html = `<div itemscope itemtype="https://schema.org/Product">${inside}</div>`;
    const line = /^Microdata: (.*)$/m.exec(read(html))?.[1] ?? "{}";
    expect(JSON.parse(line)).toEqual({ "@type": "Product", ...expected });
  });

  it("contain items that are nested without being a property", () => {
    const html =
      '<div itemscope itemtype="Product"><b itemprop="name">Lamp</b><div itemscope itemtype="Review"><b itemprop="author">Ida</b></div></div>';
    expect(read(html)).toContain(
      'Microdata: {"@type":"Product","name":"Lamp"}\nMicrodata: {"@type":"Review","author":"Ida"}',
    );
  });

  const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script><p>Words.`;
  const objectsIn = (text: string) => (text.match(/^JSON-LD: .*$/gm) ?? []).map((line) => JSON.parse(line.slice(9)));

  it("have at most 200 objects, and at most 12 levels of each", () => {
    expect(objectsIn(read(jsonLd(Array.from({ length: 300 }, (_, a) => ({ a })))))).toHaveLength(200);
    const nested = (levels: number): unknown => (levels === 0 ? "x" : { a: nested(levels - 1) });
    expect(objectsIn(read(jsonLd(nested(12))))).toEqual([nested(12)]);
    expect(objectsIn(read(jsonLd({ b: 1, ...(nested(13) as object) })))).toEqual([{ b: 1 }]);
  });

  it("omit keys and values that don't describe the page, and markup and invisible characters in values", () => {
    const value = {
      "@context": "https://schema.org",
      ...{ potentialAction: { a: 1 }, interactionStatistic: [1], inLanguage: "en", isPartOf: { b: 2 } },
      ...{ name: "<b>Tide</b> la\u200bmp", empty: "", nothing: null, list: [], no: false, zero: 0 },
    };
    expect(objectsIn(read(jsonLd(value)))).toEqual([{ name: "Tide lamp", no: false, zero: 0 }]);
  });

  it("have an object with a type of the page before those that have only types of the site", () => {
    const values = [
      { "@type": "https://schema.org/WebSite", n: 1 },
      { "@type": ["WebPage", "Recipe"], n: 2 },
      { n: 3 },
    ];
    expect(objectsIn(read(jsonLd(values))).map(({ n }) => n)).toEqual([2, 3, 1]);
  });

  it("have no value twice, and only the meta tags with facts", () => {
    const text = read(
      '<title>Tide la\u200bmp</title><meta property="og:title" content="Tide lamp"><meta property="og:site_name" content="Shop"><meta name="viewport" content="width=1"><meta name="twitter:label1" content="Size"><p>Words.',
    );
    expect(text.split("\n")).toEqual(expect.arrayContaining(["title: Tide lamp", "twitter:label1: Size"]));
    expect(text).not.toMatch(/^(og:title|name|viewport)/m);
    expect(text.match(/Shop/g)).toHaveLength(1);
  });

  it("are limited, and values are never cut", () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ "@type": "Product", name: `Lamp ${at}` }));
    const html = `<script type="application/ld+json">${JSON.stringify(many)}</script><p>Words.`;
    const [part = ""] = toParts(readHtml(parseVisiblePage(html), { url: null }), {
      maxTokens: 2_000,
      maxParts: 1,
    }).parts;
    const objects = part.match(/^JSON-LD: (.*)$/gm) ?? [];
    expect(objects.length).toBeGreaterThan(5);
    for (const object of objects) expect(() => JSON.parse(object.replace("JSON-LD: ", ""))).not.toThrow();
    expect(part).toContain("Words.");
  });

  it.each([
    ["deep", `${'{"a":'.repeat(2_000)}1${"}".repeat(2_000)}`],
    ["long", JSON.stringify({ articleBody: "x".repeat(1_000_000) })],
    ["wide", JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`k${at}`, at])))],
  ])("handle %s data", (_, json) => {
    const text = read(`<script type="application/ld+json">${json}</script><p>Words.`);
    expect(text).toContain("Words.");
    expect(text.length).toBeLessThan(60_000);
  });
});
