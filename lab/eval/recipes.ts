import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixturesFolder, importScorer, type Page, readStoredPage } from "./fixtures.ts";

export interface Recipe {
  url: string;
  ingredients: string[];
  steps: string[];
}

/** The shares of a recipe's ingredients and steps that are in the text. */
export interface RecipeShares {
  ingredients: number;
  steps: number;
}

export interface RecipePage extends RecipeShares {
  id: string;
  url: string;
}

export interface RecipesScore {
  perPage: RecipePage[];
  /** The means of all pages. `without_ingredients` is the share of pages with less than a fifth of the ingredients. */
  figures: RecipeShares & { pages: number; without_ingredients: number };
}

/** The part of recipes/score.mjs that this module uses. */
interface Scorer {
  score(expected: Recipe, text: string): RecipeShares;
  figures(rows: readonly RecipeShares[]): RecipesScore["figures"];
}

/** The data set. Create it with `loadRecipes`. */
export interface Recipes {
  folder: string;
  truth: ReadonlyMap<string, Recipe>;
  scorer: Scorer;
}

/** Loads the data set from the fixtures. Returns null if they don't exist. */
export async function loadRecipes(project: string): Promise<Recipes | null> {
  const folder = fixturesFolder(project, "recipes");
  if (folder === null) return null;
  const truth: Record<string, Recipe> = JSON.parse(readFileSync(join(folder, "expected.json"), "utf8"));
  return { folder, truth: new Map(Object.entries(truth)), scorer: await importScorer<Scorer>(folder) };
}

/** Reads the pages with these ids. The default is all pages. */
export function readRecipePages({ folder, truth }: Recipes, ids: Iterable<string> = truth.keys()): Page[] {
  return Array.from(ids, (id) => readStoredPage(folder, { id, url: recipeOf(truth, id).url }));
}

/** Scores the texts of pages. The keys are ids. Pages that aren't in `outputs` don't count. */
export function scoreRecipes({ truth, scorer }: Recipes, outputs: ReadonlyMap<string, string>): RecipesScore {
  const perPage = Array.from(outputs, ([id, text]) => {
    const recipe = recipeOf(truth, id);
    return { id, url: recipe.url, ...scorer.score(recipe, text) };
  });
  return { perPage, figures: scorer.figures(perPage) };
}

function recipeOf(truth: ReadonlyMap<string, Recipe>, id: string): Recipe {
  const recipe = truth.get(id);
  if (recipe === undefined) throw new Error(`The recipes have no page '${id}'.`);
  return recipe;
}
