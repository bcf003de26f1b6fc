// The pages that the rules weren't written with, and pages that were written because the data sets lack their kind.
// All labels were written from the visible text before the answers were computed.
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fixturesFolder, type Page, readStoredPage, readTruth } from "./fixtures.ts";
import { judgeLabel, type Labels, readLabels } from "./parse-judge.ts";
import {
  ARTICLE_REQUEST,
  declaredByRecipe,
  judgeRecipe,
  type ParseRequest,
  type ParseSet,
  PRODUCT_REQUEST,
  RECIPE_REQUEST,
} from "./parse-sets.ts";
import { loadRecipes, readRecipePages } from "./recipes.ts";
import { loadWcxb } from "./wcxb.ts";

/** Reads one of the ready-made schemas that the service offers. */
type SchemaReader = (name: "job_posting" | "event" | "organization" | "listing") => Omit<ParseRequest, "name">;
type PageReader = (id: string) => Page;

/** Loads the held-out sets whose fixtures exist. */
export async function loadHeldOutSets(project: string, readySchema: SchemaReader): Promise<ParseSet[]> {
  const readPage = await openPages(project);
  const recipes = await loadRecipes(project);
  if (readPage === null || recipes === null) return [];
  const labels = readLabels("held-out/recipes");
  return [
    {
      ...RECIPE_REQUEST,
      part: "held out",
      pages: readRecipePages(recipes, Object.keys(labels)),
      judge: (id, property, value) => judgeRecipe(recipes, labels, { id, property, value }),
      declared: declaredByRecipe,
    },
    toHeldOutSet(PRODUCT_REQUEST, readPage),
    toHeldOutSet(ARTICLE_REQUEST, readPage),
    toHeldOutSet({ ...readySchema("organization"), name: "organizations" }, readPage),
    toHeldOutSet({ ...readySchema("listing"), name: "listings" }, readPage),
    toHeldOutSet({ ...readySchema("job_posting"), name: "jobs" }, readPage),
    toHeldOutSet({ ...readySchema("event"), name: "events" }, readPage),
  ];
}

function toHeldOutSet(request: ParseRequest, readPage: PageReader): ParseSet {
  const labels = readLabels(`held-out/${request.name}`);
  return { ...request, part: "held out", pages: Object.keys(labels).map(readPage), ...judgedBy(labels) };
}

/** Loads the sets of written pages. */
export function loadWrittenSets(project: string, readySchema: SchemaReader): ParseSet[] {
  return (["job_posting", "event", "organization"] as const).map((schema) => {
    const name = { job_posting: "jobs", event: "events", organization: "organizations" }[schema];
    const folder = join(project, "test/fixtures/parse", name);
    const pages = readdirSync(folder).map((file) => ({
      id: basename(file, ".html"),
      bytes: readFileSync(join(folder, file)),
      contentType: "text/html; charset=utf-8",
      url: `https://${name}.example/${file}`,
    }));
    return { ...readySchema(schema), name, part: "written", pages, ...judgedBy(readLabels(`written/${name}`)) };
  });
}

function judgedBy(labels: Labels): Pick<ParseSet, "judge" | "declared"> {
  return { judge: (id, property, value) => judgeLabel(labels[id]?.[property], value), declared: () => null };
}

/** Returns a reader for the pages of all data sets, or null if there are none. An id is `wcxb/0076`, for example. */
async function openPages(project: string): Promise<PageReader | null> {
  const wcxb = await loadWcxb(project);
  const recipes = await loadRecipes(project);
  const extract = fixturesFolder(project);
  if (wcxb === null || recipes === null || extract === null) return null;
  const truths = {
    wcxb: wcxb.truth,
    recipes: recipes.truth,
    "extract/articles": new Map(Object.entries(readTruth(extract, "articles"))),
    "extract/snippets": new Map(Object.entries(readTruth(extract, "snippets"))),
  };
  const folders = {
    wcxb: wcxb.folder,
    recipes: recipes.folder,
    "extract/articles": join(extract, "articles"),
    "extract/snippets": join(extract, "snippets"),
  };
  return (id) => {
    const set = (Object.keys(truths) as (keyof typeof truths)[]).find((name) => id.startsWith(`${name}/`));
    const key = basename(id);
    const url = set && truths[set].get(key)?.url;
    if (url === undefined) throw new Error(`The data sets have no page '${id}'.`);
    const page = readStoredPage(folders[set as keyof typeof truths], { id: key, url });
    // Some pages of the snippets aren't in UTF-8.
    return { ...page, id, contentType: set === "extract/snippets" ? "text/html" : page.contentType };
  };
}
