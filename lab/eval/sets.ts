import { fixturesFolder, type Page, readPages, readTruth } from "./fixtures.ts";
import type { Figures } from "./goals.ts";
import { loadRecipes, type RecipePage, readRecipePages, scoreRecipes } from "./recipes.ts";
import {
  type ArticlePage,
  articlesFigures,
  half,
  type Outputs,
  type SnippetPage,
  score,
  snippetsFigures,
} from "./score.ts";
import { loadWcxb, readWcxbPages, scoreWcxb, WCXB_KINDS, type WcxbPage } from "./wcxb.ts";

/** The result of a conversion. `markdown` or `text` is used, see `EvaluatedSet`. */
export interface Output {
  markdown?: string;
  text?: string;
}

/** A set of pages with the scores of their conversions. */
export interface EvaluatedSet {
  pages: Page[];
  /** The format that is scored. */
  format: "markdown" | "text";
  /** Returns the text that is expected of a page. */
  expected(id: string): string;
  /** Scores the outputs of all pages of the set. The keys are the ids of the pages. */
  score(outputs: ReadonlyMap<string, Output>): SetScore;
}

export interface SetScore {
  figures: Figures;
  /** The recall of each page, for the search of lost pages. */
  recalls?: ReadonlyMap<string, number>;
  /** Returns lines with more details, such as the worst pages. */
  details(worst: number): string[];
}

/** The sets of whole pages. */
export const PAGE_SETS = ["wcxb", "recipes", "articles", "snippets"] as const;
export type PageSetName = (typeof PAGE_SETS)[number];

export interface SetOptions {
  project: string;
  /** If given, the set has only this number of pages, at equal distances. */
  pages?: number | undefined;
}

/** Loads a set of pages. Returns null if its fixtures don't exist. */
export async function loadSet(name: PageSetName, options: SetOptions): Promise<EvaluatedSet | null> {
  if (name === "wcxb") return wcxbSet(options);
  if (name === "recipes") return recipesSet(options);
  return extractSet(name, options);
}

async function wcxbSet({ project, pages }: SetOptions): Promise<EvaluatedSet | null> {
  const wcxb = await loadWcxb(project);
  if (wcxb === null) return null;
  return {
    pages: readWcxbPages(wcxb, sample([...wcxb.truth.keys()], pages)),
    format: "text",
    expected: (id) => wcxb.truth.get(id)?.main_content ?? "",
    score(outputs) {
      const { figures, perPage } = scoreWcxb(wcxb, textsOf(outputs));
      const kinds = (["all", ...WCXB_KINDS] as const).flatMap((kind) => {
        const value = figures[kind]?.f1;
        return value === undefined ? [] : [[`wcxb ${kind}`, value] as const];
      });
      return {
        figures: new Map(kinds),
        recalls: new Map(perPage.map(({ id, recall }) => [id, recall])),
        details: (worst) => worstByKind(perPage, worst),
      };
    },
  };
}

async function recipesSet({ project, pages }: SetOptions): Promise<EvaluatedSet | null> {
  const recipes = await loadRecipes(project);
  if (recipes === null) return null;
  return {
    pages: readRecipePages(recipes, sample([...recipes.truth.keys()], pages)),
    format: "text",
    expected(id) {
      const { ingredients = [], steps = [] } = recipes.truth.get(id) ?? {};
      return [...ingredients, ...steps].join("\n");
    },
    score(outputs) {
      const { figures, perPage } = scoreRecipes(recipes, textsOf(outputs));
      return {
        figures: new Map([
          ["recipes ingredients", figures.ingredients],
          ["recipes without ingredients", figures.without_ingredients],
          ["recipes steps", figures.steps],
        ]),
        details: (worst) => worstRecipes(perPage, worst),
      };
    },
  };
}

/** Loads a set that extract/score.mjs scores. */
function extractSet(name: "articles" | "snippets", { project, pages }: SetOptions): EvaluatedSet | null {
  const folder = fixturesFolder(project);
  if (folder === null) return null;
  const evaluate = name === "articles" ? evaluateArticles : evaluateSnippets;
  const truth = readTruth(folder, name);
  return {
    pages: sample(readPages(folder, name), pages),
    format: "markdown",
    expected: (id) => truth[id]?.articleBody ?? truth[id]?.with?.join("\n") ?? "",
    score: (outputs) => evaluate(folder, outputs),
  };
}

function evaluateArticles(folder: string, outputs: ReadonlyMap<string, Output>): SetScore {
  const scored = score<{ perPage: ArticlePage[] }>(folder, "articles", "articles", withoutHeadlines(outputs));
  const perPage = scored.perPage.filter(({ id }) => outputs.has(id));
  const figureOf = (pages: readonly ArticlePage[]) => articlesFigures(pages).f1;
  return {
    figures: new Map([["articles F1", figureOf(perPage)]]),
    details: (worst) => [
      halves(
        "articles",
        [0, 1].map((first) => figureOf(half(perPage, first as 0 | 1))),
      ),
      "Worst articles (F1, precision, recall, id, URL):",
      ...perPage
        .toSorted((a, b) => a.f1 - b.f1)
        .slice(0, worst)
        .map((page) => scoreLine(page)),
    ],
  };
}

function evaluateSnippets(folder: string, outputs: ReadonlyMap<string, Output>): SetScore {
  const truth = readTruth(folder, "snippets");
  const scored = score<{ perPage: SnippetPage[] }>(folder, "snippets", "snippets", Object.fromEntries(outputs));
  const perPage = scored.perPage.filter(({ id }) => outputs.has(id));
  const figureOf = (pages: readonly SnippetPage[]) => snippetsFigures(pages, truth).f1;
  const errors = ({ missing, extra }: SnippetPage) => missing.length + extra.length;
  return {
    figures: new Map([["snippets F1", figureOf(perPage)]]),
    details: (worst) => [
      halves(
        "snippets",
        [0, 1].map((first) => figureOf(half(perPage, first as 0 | 1))),
      ),
      "Worst snippet pages (missing snippets, extra snippets, id, URL):",
      ...perPage
        .toSorted((a, b) => errors(b) - errors(a))
        .slice(0, worst)
        .map(({ missing, extra, id, url }) => `  ${missing.length} ${extra.length} ${id} ${url}`),
    ],
  };
}

/** Removes the first heading of each article, because the expected texts contain only the body. */
function withoutHeadlines(outputs: ReadonlyMap<string, Output>): Outputs {
  return Object.fromEntries(
    Array.from(outputs, ([id, output]) => [
      id,
      output.markdown === undefined
        ? output
        : { ...output, markdown: output.markdown.replace(/^\s*#{1,2} [^\n]*\n/, "") },
    ]),
  );
}

function worstByKind(pages: readonly WcxbPage[], worst: number): string[] {
  return WCXB_KINDS.flatMap((kind) => [
    `Worst ${kind} pages of wcxb (F1, precision, recall, id, URL):`,
    ...pages
      .filter((page) => page.kind === kind)
      .toSorted((a, b) => a.f1 - b.f1)
      .slice(0, worst)
      .map((page) => scoreLine(page)),
  ]);
}

function worstRecipes(pages: readonly RecipePage[], worst: number): string[] {
  const shares = ({ ingredients, steps }: RecipePage) => ingredients + steps;
  return [
    "Worst recipes (ingredients, steps, id, URL):",
    ...pages
      .toSorted((a, b) => shares(a) - shares(b))
      .slice(0, worst)
      .map((page) => `  ${page.ingredients.toFixed(3)} ${page.steps.toFixed(3)} ${page.id} ${page.url}`),
  ];
}

function scoreLine({ f1, precision, recall, id, url }: ArticlePage): string {
  return `  ${f1.toFixed(3)} ${precision.toFixed(3)} ${recall.toFixed(3)} ${id} ${url}`;
}

function halves(set: string, figures: number[]): string {
  return `${set}, score of even and of odd files: ${figures.map((figure) => figure.toFixed(4)).join(", ")}`;
}

function textsOf(outputs: ReadonlyMap<string, Output>): Map<string, string> {
  return new Map(Array.from(outputs, ([id, { text }]) => [id, text ?? ""]));
}

/** Returns `count` values at equal distances. Returns all values if there are fewer, or if no count is given. */
function sample<T>(values: readonly T[], count = values.length): T[] {
  if (count >= values.length) return [...values];
  return Array.from({ length: count }, (_, index) => values[Math.floor((index * values.length) / count)] as T);
}
