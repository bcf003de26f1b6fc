import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "./fixtures.ts";
import { judge as judgeMetadata } from "./metadata.ts";
import { loadRecipes, type Recipe, readRecipePages } from "./recipes.ts";
import { loadWcxb, readWcxbPages } from "./wcxb.ts";

/** A value as it was labeled. A list has all values that are right. `null` means that the page has no value. */
export type Label = string | number | null | readonly (string | number)[];
type Labels = Readonly<Record<string, Readonly<Record<string, Label>>>>;

/** A set of pages with one schema. */
export interface ParseSet {
  name: string;
  schema: { required: readonly string[]; properties: Record<string, object> };
  prompt: string;
  pages: readonly Page[];
  /** Judges the value of a property. Returns null if the page has no label for it. */
  judge(id: string, property: string, value: unknown): Verdict | null;
  /** Returns the properties that the page declares, or null if its declarations aren't evaluated. */
  declared(page: Page): readonly string[] | null;
}

/** `none`: neither the page nor the answer has a value. `missing`: only the page has one. */
export type Verdict = "right" | "wrong" | "missing" | "none";

const LABELS = join(import.meta.dirname, "parse-labels");
const MINUTES = (what: string) => ({ type: "integer", description: `${what} in minutes` });
const LIST = { type: "array", items: { type: "string" } };
const RECIPE = {
  type: "object",
  properties: {
    title: { type: "string" },
    ingredients: LIST,
    steps: LIST,
    yield: { type: "string" },
    prep_time: MINUTES("Preparation time"),
    cook_time: MINUTES("Cooking time"),
    total_time: MINUTES("Total time"),
  },
  required: ["title", "ingredients", "steps"],
};
const PRODUCT = {
  type: "object",
  properties: {
    name: { type: "string" },
    price: { type: "number" },
    currency: { type: "string", description: "ISO 4217 code" },
    availability: { type: "string", enum: ["in_stock", "out_of_stock", "preorder", "backorder", "discontinued"] },
    brand: { type: "string" },
    rating: { type: "number" },
    review_count: { type: "integer" },
  },
  required: ["name", "price"],
};
const ARTICLE = {
  type: "object",
  properties: {
    title: { type: "string" },
    author: { type: "string" },
    published: { type: "string", format: "date" },
  },
  required: ["title"],
};
/**
 * Recipes whose ingredients are the same as the expected ones, but written differently: with other units for the same
 * amount, in the plural, or without a repeated unit.
 */
const SAME_INGREDIENTS = new Set([
  "essen-und-trinken.de_essenundtrinken_1",
  "essen-und-trinken.de_essenundtrinken_2",
  "howtofeedaloon.com_howtofeedaloon_1",
  "howtofeedaloon.com_howtofeedaloon_2",
  "matprat.no_matprat_1",
]);

/** Recipes whose steps are the same as the expected ones, but begin with the bold words that the page shows. */
const SAME_STEPS = new Set(["practicalselfreliance.com_practicalselfreliance", "simplyrecipes.com_simplyrecipes_1"]);

/** Loads the sets whose fixtures exist. */
export async function loadParseSets(project: string): Promise<ParseSet[]> {
  const sets = [await loadRecipeSet(project), await loadProductSet(project), await loadArticleSet(project)];
  return sets.filter((set) => set !== null);
}

async function loadRecipeSet(project: string): Promise<ParseSet | null> {
  const recipes = await loadRecipes(project);
  if (recipes === null) return null;
  const labels = readLabels("recipes");
  return {
    name: "recipes",
    schema: RECIPE,
    prompt: "Extract the recipe.",
    pages: readRecipePages(recipes),
    judge(id, property, value) {
      const truth = recipes.truth.get(id);
      if (property === "ingredients") return truth ? judgeIngredients(id, value, truth) : null;
      if (property === "steps") return truth ? judgeSteps(id, value, truth) : null;
      return judgeLabel(labels[id]?.[property], value);
    },
    declared: declaredByRecipe,
  };
}

/** Returns the properties of the recipe in the page's JSON-LD, or null if there is none. */
function declaredByRecipe({ bytes }: Page): readonly string[] | null {
  const html = new TextDecoder().decode(bytes);
  const scripts = [...html.matchAll(/<script[^>]*ld\+json[^>]*>([\s\S]*?)<\/script/gi)].map(([, text = ""]) => text);
  const script = scripts.find((text) => /"@type"\s*:\s*(?:\[\s*)?"(?:https?:\/\/schema\.org\/)?Recipe"/.test(text));
  if (script === undefined) return null;
  const hasTime = (name: string) => new RegExp(`"${name}"\\s*:\\s*"P[^"]*[1-9]`).test(script);
  return [
    ...RECIPE.required,
    ...(/"recipeYield"\s*:\s*(?:\[\s*)?(?:"[^"]|\d)/.test(script) ? ["yield"] : []),
    ...(["prep", "cook", "total"] as const).flatMap((name) => (hasTime(`${name}Time`) ? [`${name}_time`] : [])),
  ];
}

async function loadProductSet(project: string): Promise<ParseSet | null> {
  const wcxb = await loadWcxb(project);
  if (wcxb === null) return null;
  const labels = readLabels("products");
  return {
    name: "products",
    schema: PRODUCT,
    prompt: "Extract the product.",
    pages: readWcxbPages(wcxb, Object.keys(labels)),
    judge: (id, property, value) => judgeLabel(labels[id]?.[property], value),
    declared: () => null,
  };
}

async function loadArticleSet(project: string): Promise<ParseSet | null> {
  const wcxb = await loadWcxb(project);
  if (wcxb === null) return null;
  const labels = readLabels("articles");
  const ids = [...wcxb.truth].flatMap(([id, { page_type: kind }]) => (kind === "article" ? [id] : []));
  return {
    name: "articles",
    schema: ARTICLE,
    prompt: "Extract the title, the author and the date of publication.",
    pages: readWcxbPages(wcxb, ids),
    judge(id, property, value) {
      const label = labels[id]?.[property];
      if (label !== undefined) return judgeLabel(label, value);
      const { title = "", author = "", date = "" } = wcxb.truth.get(id) ?? {};
      const field = property === "published" ? "date" : property === "author" ? "author" : "title";
      const truth = { title, author, date }[field];
      const verdict = judgeMetadata(field, typeof value === "string" ? value : null, truth);
      // A date that the page only declares can't be judged by what the page shows.
      if (verdict === "extra") return field === "date" ? null : "wrong";
      if (verdict === "partial") return "wrong";
      return verdict === "equal" ? "right" : verdict;
    },
    declared: () => null,
  };
}

function readLabels(name: string): Labels {
  return JSON.parse(readFileSync(join(LABELS, `${name}.json`), "utf8"));
}

function judgeLabel(label: Label | undefined, value: unknown): Verdict | null {
  if (label === undefined) return null;
  const hasValue = value !== undefined;
  if (label === null) return hasValue ? "wrong" : "none";
  if (!hasValue) return "missing";
  const accepted = Array.isArray(label) ? label : [label];
  return accepted.some((one) => plain(one) === plain(value)) ? "right" : "wrong";
}

function judgeIngredients(id: string, value: unknown, { ingredients }: Recipe): Verdict {
  const given = textsOf(value);
  if (given.length === 0) return ingredients.length === 0 ? "none" : "missing";
  if (SAME_INGREDIENTS.has(id)) return "right";
  const expected = new Set(ingredients.map(plain));
  return given.length === ingredients.length && given.every((one) => expected.has(plain(one))) ? "right" : "wrong";
}

/** The expected steps also have the headings of sections. They don't have to be in the answer. */
function judgeSteps(id: string, value: unknown, { steps }: Recipe): Verdict {
  const given = textsOf(value).map(plain).join("");
  if (given === "") return steps.length === 0 ? "none" : "missing";
  if (SAME_STEPS.has(id)) return "right";
  let at = 0;
  for (const step of steps) {
    const text = plain(step);
    if (given.startsWith(text, at)) at += text.length;
    else if (step.length > MAX_HEADING_CHARS) return "wrong";
  }
  return at === given.length ? "right" : "wrong";
}

const MAX_HEADING_CHARS = 60;

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function plain(value: unknown): string {
  return String(value)
    .normalize("NFKC")
    .toLowerCase()
    .replace(typeof value === "number" ? /(?!)/g : /[^\p{L}\p{N}]+/gu, "");
}
