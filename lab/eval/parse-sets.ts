import type { Page } from "./fixtures.ts";
import { judge as judgeMetadata } from "./metadata.ts";
import { judgeIngredients, judgeLabel, judgeSteps, type Labels, readLabels, type Verdict } from "./parse-judge.ts";
import { loadRecipes, type Recipes, readRecipePages } from "./recipes.ts";
import { loadWcxb, readWcxbPages } from "./wcxb.ts";

/** A request for a kind of pages. */
export interface ParseRequest {
  name: string;
  schema: { required: readonly string[]; properties: Record<string, object> };
  prompt: string;
}

/** The pages of one kind, with their labels. */
export interface ParseSet extends ParseRequest {
  /** `development`: the rules were written with these pages. `written`: the pages were written for the evaluation. */
  part: "development" | "held out" | "written";
  pages: readonly Page[];
  /** Judges the value of a property. Returns null if the page has no label for it. */
  judge(id: string, property: string, value: unknown): Verdict | null;
  /** Returns the properties that the page declares, or null if its declarations aren't evaluated. */
  declared(page: Page): readonly string[] | null;
}

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

export const RECIPE_REQUEST: ParseRequest = { name: "recipes", schema: RECIPE, prompt: "Extract the recipe." };
export const PRODUCT_REQUEST: ParseRequest = { name: "products", schema: PRODUCT, prompt: "Extract the product." };
export const ARTICLE_REQUEST: ParseRequest = {
  name: "articles",
  schema: ARTICLE,
  prompt: "Extract the title, the author and the date of publication.",
};

/** Loads the sets whose fixtures exist. */
export async function loadParseSets(project: string): Promise<ParseSet[]> {
  const sets = [await loadRecipeSet(project), await loadProductSet(project), await loadArticleSet(project)];
  return sets.filter((set) => set !== null);
}

async function loadRecipeSet(project: string): Promise<ParseSet | null> {
  const recipes = await loadRecipes(project);
  if (recipes === null) return null;
  const labels = readLabels("recipes");
  const heldOut = readLabels("held-out/recipes");
  const ids = [...recipes.truth.keys()].filter((id) => heldOut[id] === undefined);
  return {
    ...RECIPE_REQUEST,
    part: "development",
    pages: readRecipePages(recipes, ids),
    judge: (id, property, value) => judgeRecipe(recipes, labels, { id, property, value }),
    declared: declaredByRecipe,
  };
}

/** Judges a property of a recipe. The ingredients and the steps are those of the data set. */
export function judgeRecipe(
  recipes: Recipes,
  labels: Labels,
  { id, property, value }: { id: string; property: string; value: unknown },
): Verdict | null {
  const truth = recipes.truth.get(id);
  if (property === "ingredients") return truth ? judgeIngredients(id, value, truth) : null;
  if (property === "steps") return truth ? judgeSteps(id, value, truth) : null;
  return judgeLabel(labels[id]?.[property], value);
}

/** Returns the properties of the recipe in the page's JSON-LD, or null if there is none. */
export function declaredByRecipe({ bytes }: Page): readonly string[] | null {
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
    ...PRODUCT_REQUEST,
    part: "development",
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
    ...ARTICLE_REQUEST,
    part: "development",
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
