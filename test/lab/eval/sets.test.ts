import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { loadRecipes, readRecipePages, scoreRecipes } from "../../../lab/eval/recipes";
import { loadWcxb, readWcxbPages, scoreWcxb } from "../../../lab/eval/wcxb";

const folder = mkdtempSync(join(tmpdir(), "eval-sets-"));
const SCORER = `
export const score = (truth, text) => {
  const share = text.includes(truth.main_content ?? truth.ingredients[0]) ? 1 : 0;
  return { type: truth.page_type, f1: share, precision: share, recall: share, ingredients: share, steps: share };
};
export const figures = (rows) => ({ all: { pages: rows.length }, pages: rows.length });
`;
const WCXB = {
  a: { url: "https://a.example/", page_type: "forum", main_content: "First post" },
  b: { url: "https://b.example/", page_type: "article", main_content: "An article" },
};
const RECIPES = {
  c: { url: "cakes.example/plain", ingredients: ["Flour"], steps: ["Mix."] },
  d: { url: "https://cakes.example/", ingredients: ["Sugar"], steps: ["Bake."] },
};

beforeAll(() => {
  vi.stubEnv("FIXTURES", folder);
  for (const [set, truth] of Object.entries({ wcxb: WCXB, recipes: RECIPES })) {
    mkdirSync(join(folder, set, "html"), { recursive: true });
    writeFileSync(join(folder, set, "score.mjs"), SCORER);
    for (const id of Object.keys(truth))
      writeFileSync(join(folder, set, "html", `${id}.html.gz`), gzipSync(`<p>Page ${id} – é</p>`));
  }
  writeFileSync(join(folder, "wcxb/ground-truth.json.gz"), gzipSync(JSON.stringify(WCXB)));
  writeFileSync(join(folder, "recipes/expected.json"), JSON.stringify(RECIPES));
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it("a set has no pages if its fixtures don't exist", async () => {
  vi.stubEnv("FIXTURES", join(folder, "none"));
  expect(await Promise.all([loadWcxb("."), loadRecipes(".")])).toEqual([null, null]);
  vi.stubEnv("FIXTURES", folder);
});

it("WCXB scores only the pages that have an output", async () => {
  const wcxb = await loadWcxb(".");
  if (wcxb === null) throw new Error("The fixtures weren't found.");
  expect(readWcxbPages(wcxb, ["b"]).map(({ id, url }) => ({ id, url }))).toEqual([{ id: "b", url: WCXB.b.url }]);
  const { perPage, figures } = scoreWcxb(wcxb, new Map([["a", "The First post."]]));
  expect(perPage).toEqual([{ id: "a", url: WCXB.a.url, kind: "forum", f1: 1, precision: 1, recall: 1 }]);
  expect(figures.all.pages).toBe(1);
  expect(() => scoreWcxb(wcxb, new Map([["other", ""]]))).toThrow("WCXB has no page 'other'.");
});

it("recipes score only the pages that have an output", async () => {
  const recipes = await loadRecipes(".");
  if (recipes === null) throw new Error("The fixtures weren't found.");
  const { perPage, figures } = scoreRecipes(recipes, new Map([["d", "Flour"]]));
  expect(perPage).toMatchObject([{ id: "d", url: RECIPES.d.url, ingredients: 0, steps: 0 }]);
  expect(figures.pages).toBe(1);
});

it("each page of a recipe has a complete URL, because the service receives no other", async () => {
  const recipes = await loadRecipes(".");
  if (recipes === null) throw new Error("The fixtures weren't found.");
  expect(readRecipePages(recipes).map(({ url }) => url)).toEqual(["https://cakes.example/plain", RECIPES.d.url]);
});
