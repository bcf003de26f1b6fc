import { describe, expect, it } from "vitest";
import { applyPattern } from "../../../../src/endpoints/parse/learned/apply";
import { mergeScopes } from "../../../../src/endpoints/parse/learned/merge-patterns";
import { observe } from "../../../../src/endpoints/parse/learned/observe";
import { readOutline } from "../../../../src/endpoints/parse/learned/outline";
import { pageShape } from "../../../../src/endpoints/parse/learned/page-shape";
import type { ScopePattern } from "../../../../src/endpoints/parse/learned/pattern";
import { isReady } from "../../../../src/endpoints/parse/learned/readiness";
import { readRules, writeRules } from "../../../../src/endpoints/parse/learned/rules";
import { readData } from "../../../../src/endpoints/parse/read-page";
import { parseVisiblePage } from "../../../../src/html/visible-page";
import type { SchemaObject } from "../../../../src/json-schema/keywords";
import { MAX_EXTRACTOR_BYTES } from "../../../../src/model/extractor";
import { productOf, TEMPLATE_SCHEMA, type Template, templatePage } from "../../../support/template-site";

const URL_OF_PAGE = "https://shop.example/products/1";

function outlineOf(html: string) {
  const page = parseVisiblePage(html);
  const outline = readOutline(page, { nodes: readData(page, { url: URL_OF_PAGE }), baseUrl: URL_OF_PAGE });
  if (outline === null) throw new Error("The page is too large.");
  return outline;
}

/** Learns from pages, as parses with a model do. The data of each page stands for the model's answer. */
class Learner {
  pages = 0;
  pattern: ScopePattern | null = null;
  readonly #schema: SchemaObject;

  constructor(schema: SchemaObject = TEMPLATE_SCHEMA) {
    this.#schema = schema;
  }

  /** Returns the data that was read without a model, or null if it wasn't certain. */
  read(html: string): SchemaObject | null {
    if (this.pattern === null || !isReady(this.pattern, this.pages)) return null;
    return applyPattern(this.pattern, outlineOf(html), this.#schema).data;
  }

  learn(html: string, data: SchemaObject): void {
    const seen = observe(data, outlineOf(html), this.#schema);
    if (seen === null) return;
    const isStrict = this.pattern !== null && isReady(this.pattern, this.pages);
    const merged = this.pattern && mergeScopes(this.pattern, seen, { isStrict });
    this.pages = merged === null ? 1 : this.pages + 1;
    // The rules are stored as JSON.
    this.pattern = readRules(writeRules(merged ?? seen) ?? "");
  }

  /** Reads pages of the template. Returns the numbers of the pages that needed the model. */
  visit(template: Template, from: number, to: number): number[] {
    const asked: number[] = [];
    for (let number = from; number <= to; number++) {
      const html = templatePage(number, template);
      const data = this.read(html);
      if (data !== null) {
        expect(data, `page ${number} of the template ${template}`).toEqual(productOf(number));
        continue;
      }
      asked.push(number);
      this.learn(html, { ...productOf(number) });
    }
    return asked;
  }
}

describe("the rules that are learned from pages of one template", () => {
  it("read the next pages after three pages, except for values that no page has shown twice", () => {
    const learner = new Learner();
    // Pages 4 and 9 are the first ones with a discount.
    expect(learner.visit("first", 1, 200)).toEqual([1, 2, 3, 4, 9]);
    expect(JSON.stringify(learner.pattern).length).toBeLessThan(MAX_EXTRACTOR_BYTES / 4);
  });

  it.each<[template: Template, change: string, mostAsked: number]>([
    ["renamed", "the classes have other names", 7],
    ["offer", "a label has another price than before", 5],
    ["seller", "a line has another company than before", 5],
    ["swapped", "two rows are exchanged", 1],
    ["rebuilt", "the page consists of other elements", 60],
  ])("read no wrong value after the template has changed to '%s': %s", (template, _, mostAsked) => {
    const learner = new Learner();
    learner.visit("first", 1, 30);
    const asked = learner.visit(template, 31, 90);
    expect(asked[0]).toBe(31);
    expect(asked.length).toBeLessThanOrEqual(mostAsked);
  });

  it("read the first template again after pages of both templates", () => {
    const learner = new Learner();
    for (let number = 1; number <= 60; number++) learner.visit(number % 2 === 0 ? "first" : "offer", number, number);
  });

  it("read an empty list, and a list with one item", () => {
    const schema = { type: "object", properties: { id: {}, tags: { type: "array", items: { type: "string" } } } };
    const learner = new Learner(schema);
    const pageOf = (id: string, tags: string[]) =>
      `<main><h1>${id}</h1>${tags.length === 0 ? "" : `<ul>${tags.map((tag) => `<li>${tag}</li>`).join("")}</ul>`}</main>`;
    const lists = [["red", "blue"], ["green"], [], ["white", "black", "red"], []];
    for (const [at, tags] of lists.entries()) learner.learn(pageOf(`Lamp ${at}`, tags), { id: `Lamp ${at}`, tags });
    for (const tags of [["gold"], [], ["pink", "gray", "brown", "white"]]) {
      expect(learner.read(pageOf("Lamp 9", tags))).toEqual({ id: "Lamp 9", tags });
    }
  });

  it("read values from the data that a page declares, with absolute URLs", () => {
    const schema = { type: "object", properties: { sku: { type: "string" }, image: { type: "string" } } };
    const learner = new Learner(schema);
    const pageOf = (sku: string) =>
      `<script type="application/ld+json">{"@type":"Product","sku":"${sku}"}</script><main><h1>A lamp</h1><img src="/i/${sku}.png"></main>`;
    const dataOf = (sku: string) => ({ sku, image: `https://shop.example/i/${sku}.png` });
    for (const sku of ["AB", "CD", "EF"]) learner.learn(pageOf(sku), dataOf(sku));
    expect(learner.read(pageOf("GH"))).toEqual(dataOf("GH"));
  });
});

describe("the rules are uncertain", () => {
  const schema = {
    type: "object",
    properties: { name: { type: "string" }, price: { type: "number" }, note: { type: ["string", "null"] } },
  };
  const pageOf = (name: string, price: string, more = "") =>
    `<main><h1>${name}</h1><p class="price">${price}</p><p class="about">It is made in small numbers.</p>${more}</main>`;

  function learned(): Learner {
    const learner = new Learner(schema);
    for (const [name, price] of [
      ["Tide lamp", 19],
      ["Harbor chair", 120.5],
      ["Reed stool", 45],
    ] as const) {
      learner.learn(pageOf(name, `${price} EUR`), { name, price, note: null });
    }
    return learner;
  }

  it.each([
    ["with a second price", pageOf("North table", "99 EUR", '<p class="price">89 EUR</p>')],
    ["with two numbers in the text of a price", pageOf("North table", "99 EUR 89 EUR")],
    ["with a price that is marked as a former one", pageOf("North table", "<s>99</s> EUR", "<b>89 EUR</b>")],
    ["with a number of thousands", pageOf("North table", "1.5k EUR")],
    ["without a price", pageOf("North table", "on request")],
    ["without an element", "<main><h1>North table</h1><p class='about'>It is made in small numbers.</p></main>"],
    ["with the name of a property that had no value before", pageOf("North table", "99 EUR", "<p>Note: the last one")],
    ["with a value of another form", pageOf("North table: 20% off!", "99 EUR")],
    ["with a value that is much longer", pageOf("North table ".repeat(20), "99 EUR")],
  ])("on a page %s", (_, html) => {
    const learner = learned();
    expect(learner.read(pageOf("North table", "99 EUR"))).toEqual({ name: "North table", price: 99, note: null });
    expect(learner.read(html)).toBeNull();
  });

  it("about a value that is the same on all pages, unless its place has the property's name", () => {
    const pageOf = (name: string, label: string) =>
      `<main><h1>${name}</h1><dl><dt>${label}</dt><dd>Yes</dd></dl></main>`;
    const properties = { name: { type: "string" }, washable: { type: "boolean" } };
    for (const [label, expected] of [
      ["Washable", { name: "Nets", washable: true }],
      ["Delivered", null],
    ] as const) {
      const learner = new Learner({ type: "object", properties });
      for (const name of ["Ropes", "Sails", "Buoys"]) learner.learn(pageOf(name, label), { name, washable: true });
      expect(learner.read(pageOf("Nets", label))).toEqual(expected);
    }
  });

  it("if two places that were equal so far now differ", () => {
    const both = (name: string, price: number, other: number) => pageOf(name, `${price} EUR`, `<h2>${other} EUR</h2>`);
    const learner = new Learner(schema);
    for (const [name, price] of [
      ["Tide lamp", 19],
      ["Harbor chair", 120],
      ["Reed stool", 45],
    ] as const) {
      learner.learn(both(name, price, price), { name, price, note: null });
    }
    expect(learner.read(both("North table", 99, 99))).toEqual({ name: "North table", price: 99, note: null });
    expect(learner.read(both("North table", 99, 89))).toBeNull();
  });
});

it("nothing is learned from a page that doesn't show a value, and from a page that is too large", () => {
  const data = { name: "Tide lamp", price: 20 };
  expect(observe(data, outlineOf("<h1>Tide lamp</h1><p>19 EUR"), { type: "object" })).toBeNull();
  const deep = parseVisiblePage(`${"<div>".repeat(100)}Tide lamp`);
  expect(readOutline(deep, { nodes: [], baseUrl: URL_OF_PAGE })).toBeNull();
  const long = parseVisiblePage("<p>a</p>".repeat(30_000));
  expect(readOutline(long, { nodes: [], baseUrl: URL_OF_PAGE })).toBeNull();
});

describe("the shape of a page", () => {
  const shapeOf = (html: string) => pageShape(parseVisiblePage(html));
  const base = "<main><section><h1>A</h1><ul><li>1</ul></section><div><p>x</div></main>";

  it.each([
    ["another order", "<main><div><p>x</div><section><ul><li>1</ul><h1>A</h1></section></main>"],
    ["other classes and texts", "<main class=m><section id=s><h1>B</h1><ul><li>2</ul></section><div><p>y</div></main>"],
    ["more items", "<main><section><h1>A</h1><ul><li>1<li>2<li>3</ul></section><div><p>x</div><div>y</div></main>"],
    ["hidden elements", `${base}<form hidden><p>z</form>`],
  ])("is the same with %s", async (_, html) => {
    expect(await shapeOf(html)).toBe(await shapeOf(base));
  });

  it("is different for a page of other elements", async () => {
    const table = "<main><section><h1>A</h1><table><tr><td>1</table></section><div><p>x</div></main>";
    expect(await shapeOf(table)).not.toBe(await shapeOf(base));
    expect(await shapeOf(templatePage(1, "rebuilt"))).not.toBe(await shapeOf(templatePage(1, "first")));
  });
});

it("the outline of a page with very long names stays small", () => {
  const name = "x".repeat(10_000);
  const html = `${`<${name}>`.repeat(50)}<p>a</p>`;
  const paths = outlineOf(html).places.map(({ path }) => path.length);
  expect(Math.max(...paths)).toBeLessThan(5_000);
});
