import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataNode } from "../../../src/html/page-data/data-node";
import { readPageData } from "../../../src/html/page-data/read-page-data";
import { PAGE_TEXT, WHOLE_TEXT } from "../../../src/html/page-data/shown-data";
import { parseVisiblePage } from "../../../src/html/visible-page";

const BASE = "https://shop.example/a/";

function read(html: string): readonly DataNode[] {
  const nodes = readPageData(parseVisiblePage(html), { baseUrl: BASE, url: null });
  return nodes.filter(({ name }) => name !== PAGE_TEXT && name !== WHOLE_TEXT);
}

/** Returns the values below the nodes as `path=value`, each with the names of the nodes around it. */
function valuesIn(nodes: readonly DataNode[], path = ""): string[] {
  return nodes.flatMap((node) => {
    const own = `${path}/${node.name}`;
    if (node.kind === "value") return [`${node.source}${own}=${node.value}`];
    return valuesIn(node.kind === "object" ? node.members : node.items, node.kind === "list" ? path : own);
  });
}

const jsonLd = (value: unknown) => `<script type="application/ld+json">${JSON.stringify(value)}</script>`;

describe("declared data", () => {
  it("replaces references to objects of the same page", () => {
    const graph = [
      { "@type": "Article", "@id": "#a", headline: "Rain", author: { "@id": "#p" } },
      { "@type": "Person", "@id": "#p", name: "Ada" },
    ];
    expect(valuesIn(read(jsonLd({ "@graph": graph })))).toContain("json_ld//author/name=Ada");
  });

  it("ends at references that lead back to the same object", () => {
    const graph = [
      { "@type": "WebPage", "@id": "#a", name: "A", isPartOf: { "@id": "#b" } },
      { "@type": "WebSite", "@id": "#b", name: "B", mainEntity: { "@id": "#a" } },
    ];
    expect(valuesIn(read(jsonLd({ "@graph": graph })))).toContain("json_ld//isPartOf/name=B");
  });

  it("keeps the lines of texts, and removes their markup", () => {
    const recipe = { "@type": "Recipe", recipeInstructions: "<p>Mix &amp; stir.</p><p>Bake.</p>" };
    expect(valuesIn(read(jsonLd(recipe)))).toEqual(["json_ld//recipeInstructions=Mix & stir.\nBake."]);
  });

  it("reads microdata, but not in hidden elements", () => {
    const item =
      '<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Mug</b><a itemprop="url" href="mug">';
    expect(valuesIn(read(`${item}</a><i itemprop="color" style="display:none">red</i></div>`))).toEqual([
      "microdata//name=Mug",
      "microdata//url=https://shop.example/a/mug",
    ]);
  });

  it("reads RDFa Lite with nested objects and repeated properties", () => {
    const html = `<div vocab="https://schema.org/" typeof="Product"><b property="name">Mug</b>
      <p property="offers" typeof="Offer"><span property="price" content="9.50">9,50 €</span></p>
      <i property="color">red</i><i property="color">blue</i></div>`;
    expect(valuesIn(read(html)).filter((value) => value.startsWith("rdfa"))).toEqual([
      "rdfa//name=Mug",
      "rdfa//offers/price=9.50",
      "rdfa//color=red",
      "rdfa//color=blue",
    ]);
  });

  it("reads Open Graph, meta elements, and the labels for cards", () => {
    const html = `<title>Mug</title><meta property="product:price:amount" content="9.50"><meta name="author" content="Ada">
      <meta name="twitter:label1" content="Time"><meta name="twitter:data1" content="5 minutes">`;
    expect(valuesIn(read(html))).toEqual([
      "open_graph/open_graph/product:price:amount=9.50",
      "meta/meta/author=Ada",
      "meta/meta/Time=5 minutes",
      "meta/meta/title=Mug",
    ]);
  });
});

describe("embedded state", () => {
  it.each([
    [
      "Next.js",
      '<script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{"a":1}},"page":"/"}</script>',
    ],
    ["a script with JSON", '<script type=application/json>{"a":1}</script>'],
    ["a global variable", '<script>window.__STATE__ = {"a":1};f({})</script>'],
    ["a parsed string", '<script>window["__STATE__"]=JSON.parse("{\\"a\\":1}")</script>'],
    ["Nuxt 3", '<script type="application/json" id="__NUXT_DATA__">[["ShallowReactive",1],{"a":2},1]</script>'],
  ])("reads %s", (_, html) => {
    expect(valuesIn(read(html)).map((value) => value.replace(/\/.*\//, "/"))).toEqual(["embedded_state/a=1"]);
  });

  it("doesn't evaluate code", () => {
    expect(read("<script>window.__STATE__ = {a: alert(1)};</script>")).toEqual([]);
  });
});

describe("what the page shows", () => {
  const texts = (html: string) =>
    readPageData(parseVisiblePage(html), { baseUrl: BASE, url: null }).flatMap((node) =>
      node.kind === "value" ? [[node.name, node.value, node.part]] : [],
    );

  it("is its headings, the text of its main part, and its whole text", () => {
    const html =
      "<title>Mug</title><h1>Mug</h1><p hidden>Old</p><p>Blue <del>$9</del></p><aside><p>Cup</p></aside><h1>More</h1>";
    expect(texts(html)).toEqual([
      ["h1", "Mug", undefined],
      ["h1", "More", "section"],
      [PAGE_TEXT, "Mug\nBlue\nMore", undefined],
      [WHOLE_TEXT, "Mug\nBlue\nCup\nMore", undefined],
    ]);
  });
});

describe("limits", () => {
  it("creates at most 40,000 nodes for any page", () => {
    const list = Array.from({ length: 60_000 }, (_, at) => ({ name: String(at) }));
    const count = (nodes: readonly DataNode[]): number =>
      nodes.reduce(
        (sum, node) => sum + 1 + count("members" in node ? node.members : "items" in node ? node.items : []),
        0,
      );
    const state = `<script type="application/json">${JSON.stringify(list)}</script>`;
    expect(count(read(jsonLd(list) + state))).toBeLessThanOrEqual(40_000);
  });

  it("limits what repeated references expand to", () => {
    const graph = Array.from({ length: 300 }, (_, at) => ({
      "@id": `#${at}`,
      name: "x",
      about: Array.from({ length: 300 }, (__, to) => ({ "@id": `#${to}` })),
    }));
    expect(valuesIn(read(jsonLd({ "@graph": graph }))).length).toBeLessThanOrEqual(20_000);
  });

  it("reads any markup without an error", () => {
    const piece = fc.constantFrom(
      "<table>",
      "<tr>",
      "<th>a",
      "<td>b",
      "</table>",
      "<dl>",
      "<dt>a",
      "<dd>b",
      "</dl>",
      "<p>a: b",
      "<div>",
      "</div>",
      '<div typeof="A">',
      '<i property="b">',
      '<b itemscope itemprop="c">',
      '<script type="application/json">',
      "{",
      "}",
      '"',
      "</script>",
      "<script>",
      "window.__A__ = {",
      'JSON.parse("',
      '[[1,2],{"a":0}]',
      '<script id="__NUXT_DATA__">',
      '<script type="application/ld+json">',
      '{"@id":"#a","b":{"@id":"#a"}}',
      "&amp;#39;",
      "\\",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(Array.isArray(read(pieces.join("")))).toBe(true);
      }),
    );
  });
});
