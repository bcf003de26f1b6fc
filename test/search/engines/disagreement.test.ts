import { expect, it } from "vitest";
import { ENGINES } from "../../../src/search/engines/engines";

const TEXT = "A crane is a machine that lifts loads, and moves them to another place.";

interface Layout {
  url: string;
  toPage(items: string): string;
  toItem(n: number, name: string): string;
}

/** Returns a block of Yandex whose title links to another site. It isn't an organic result. */
function toCard(name: string): string {
  return `<li class="${name}" data-fast-name="entity_search"><h2><a href="https://wiki.example/">Crane</a></h2></li>`;
}

/** Pages of results in the layout of each engine. `name` is the class by which the engine marks what is read. */
const LAYOUTS = {
  google: {
    url: "https://www.google.com/search?q=cranes",
    toPage: (items) => `<div id="rso">${items}</div>`,
    toItem: (n, name) =>
      `<div><a href="https://${n}.example/"><h3>Crane ${n}</h3></a><div class="${name || "VwiC3b"}">${TEXT}</div></div>`,
  },
  bing: {
    url: "https://www.bing.com/search?q=cranes",
    toPage: (items) => `<ol id="b_results">${items}</ol>`,
    toItem: (n, name) =>
      `<li class="${name || "b_algo"}"><h2><a href="https://${n}.example/">Crane ${n}</a></h2><cite>${n}.example</cite><p>${TEXT}</p></li>`,
  },
  yandex: {
    url: "https://yandex.com/search/?text=cranes",
    toPage: (items) => `<ul>${items}</ul>`,
    toItem: (n, name) =>
      `<li class="${name || "serp-item"}"><h2><a href="https://${n}.example/">Crane ${n}</a></h2><p>${TEXT}</p></li>${n > 2 ? "" : toCard(name || "serp-item")}`,
  },
} satisfies Record<string, Layout>;

/** Reads a page of `count` results, of which the last `renamed` ones have another class name. */
function disagreementOf(engine: keyof typeof LAYOUTS, count: number, renamed: number) {
  const { url, toPage, toItem }: Layout = LAYOUTS[engine];
  const items = Array.from({ length: count }, (_, i) => toItem(i + 1, i < count - renamed ? "" : "x1"));
  return ENGINES[engine].readPage(`<html><body>${toPage(items.join(""))}</body></html>`, url).disagreement;
}

it.each(["google", "bing", "yandex"] as const)(
  "reports a page of %s whose names changed for many results",
  (engine) => {
    expect(disagreementOf(engine, 10, 0)).toBeUndefined();
    expect(disagreementOf(engine, 10, 2)).toBeUndefined();
    expect(disagreementOf(engine, 10, 3)).toEqual({ both: 7, onlyNames: 0, onlyStructure: 3 });
    expect(disagreementOf(engine, 10, 5)).toEqual({ both: 5, onlyNames: 0, onlyStructure: 5 });
    expect(disagreementOf(engine, 10, 10)).toEqual({ both: 0, onlyNames: 0, onlyStructure: 10 });
    expect(disagreementOf(engine, 4, 2)).toBeUndefined();
  },
);
