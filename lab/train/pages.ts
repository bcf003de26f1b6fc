import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fixturesFolder, type Page, readPages, readTruth } from "../eval/fixtures.ts";
import { loadRecipes, readRecipePages } from "../eval/recipes.ts";
import { loadWcxb, readWcxbPages } from "../eval/wcxb.ts";
import {
  alignedShares,
  type Label,
  labelsByRecipe,
  labelsBySnippets,
  labelsByText,
  sharesInText,
  UNUSED,
} from "./labels.ts";

/** A page to learn from. */
export interface TrainingPage extends Page {
  set: "wcxb" | "articles" | "snippets" | "recipes";
  /** The kind of the page, or null if it isn't known. */
  kind: string | null;
  /** The fold for the cross-validation, from 0 to 4. Pages of one domain are in the same fold. */
  fold: number;
  /** The importance of the page. */
  importance: number;
  /** The expected content, or null if only parts of it are known. */
  expected: string | null;
  label(lines: readonly string[]): Labels;
}

/** The labels of a page's lines. They differ if the page has a text more often than the expected text. */
export interface Labels {
  /** Only the first copy of a text is content. */
  firstCopy: Label[];
  /** Each copy of a text is content. */
  allCopies: Label[];
  /** Copies aren't used, except for the first one. */
  noCopy: Label[];
}

export const FOLDS = 5;
/** The importance of a page of each set. Articles are common, and most of them use the article extraction. */
const IMPORTANCE = { wcxb: 1.5, article: 0.4, articles: 0.4, snippets: 0.3, recipes: 0.4 } as const;

/** Reads the pages of all sets that the fixtures have. */
export async function readTrainingPages(project: string): Promise<TrainingPage[]> {
  const pages: TrainingPage[] = [];
  for (const half of ["wcxb", "wcxb-b"] as const) {
    const wcxb = await loadWcxb(project, half);
    if (!wcxb) continue;
    for (const page of readWcxbPages(wcxb)) {
      const truth = wcxb.truth.get(page.id);
      if (!truth) continue;
      const { page_type: kind, main_content: text } = truth;
      const importance = kind === "article" ? IMPORTANCE.article : IMPORTANCE.wcxb;
      pages.push(
        toPage(page, { set: "wcxb", kind, importance, expected: text, label: (lines) => labelsOf(lines, text) }),
      );
    }
  }
  const recipes = await loadRecipes(project);
  if (recipes)
    for (const page of readRecipePages(recipes)) {
      const truth = recipes.truth.get(page.id);
      if (!truth) continue;
      const label = (lines: readonly string[]) => same(labelsByRecipe(lines, truth));
      pages.push(
        toPage(page, { set: "recipes", kind: "recipe", importance: IMPORTANCE.recipes, expected: null, label }),
      );
    }
  const folder = fixturesFolder(project);
  if (folder) {
    const bodies: Record<string, { articleBody: string }> = JSON.parse(
      readFileSync(join(folder, "articles", "ground-truth.json"), "utf8"),
    );
    for (const page of readPages(folder, "articles")) {
      const expected = bodies[page.id]?.articleBody ?? "";
      const label = (lines: readonly string[]) => labelsOf(lines, expected);
      pages.push(toPage(page, { set: "articles", kind: "article", importance: IMPORTANCE.articles, expected, label }));
    }
    const truths = readTruth(folder, "snippets");
    for (const page of readPages(folder, "snippets")) {
      const label = (lines: readonly string[]) => same(labelsBySnippets(lines, truths[page.id] ?? {}));
      pages.push(toPage(page, { set: "snippets", kind: null, importance: IMPORTANCE.snippets, expected: null, label }));
    }
  }
  return pages;
}

function labelsOf(lines: readonly string[], expected: string): Labels {
  const firstCopy = labelsByText(lines, alignedShares(lines, expected));
  const allCopies = labelsByText(lines, sharesInText(lines, expected));
  const noCopy = allCopies.map((label, at) => (label.isContent === firstCopy[at]?.isContent ? label : UNUSED));
  return { firstCopy, allCopies, noCopy };
}

function same(labels: Label[]): Labels {
  return { firstCopy: labels, allCopies: labels, noCopy: labels };
}

function toPage(
  page: Page,
  more: Pick<TrainingPage, "set" | "kind" | "importance" | "expected" | "label">,
): TrainingPage {
  return { ...page, ...more, fold: foldOf(page.url) };
}

function foldOf(url: string): number {
  const host = URL.parse(url)?.hostname ?? url;
  const domain = host.split(".").slice(-2).join(".");
  return (createHash("md5").update(domain).digest()[0] ?? 0) % FOLDS;
}
