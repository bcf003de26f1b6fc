// `npm run eval -- passages`: queries pages with the questions of lab/eval/passage-questions.json, and counts those whose answer is in
// one of five passages of the page, next to the beginning of the page with the same size. The questions of the half
// `tuning` may be used to improve the ranking, those of the half `unseen` only to measure it. Fails if a share is worse
// than its floor.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseOptions } from "../scripts/options.ts";
import { fixturesFolder, type Page, readPages, readStoredPage } from "./eval/fixtures.ts";
import { type Figure, printFigures } from "./eval/goals.ts";
import { loadRecipes } from "./eval/recipes.ts";
import { loadSource } from "./eval/source.ts";
import { loadWcxb } from "./eval/wcxb.ts";

const { values: options } = parseOptions(
  `npm run eval -- passages [--details]

Evaluates the passages of pages. FIXTURES is the folder of the data sets.

  --details   prints the questions of the half 'tuning' whose answers aren't found`,
  { options: { details: { type: "boolean", default: false } } },
);

type Half = "tuning" | "unseen";

interface Question {
  /** The set and the id of the page. */
  page: string;
  language: string;
  question: string;
  /** A text of the page that must be in a passage. Only its letters and digits are compared. */
  answer: string;
}

interface Source {
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  convertHtml(html: string, options: object): { markdown?: string };
  findPassages(text: string, format: string, query: string, limits: { max: number }): { text: string }[];
}

interface Answered extends Question {
  isFound: boolean;
  /** True if the beginning of the page, with the size of all passages, has the answer. */
  isAtStart: boolean;
  chars: number;
}

const MAX_PASSAGES = 5;
const PROJECT = resolve(import.meta.dirname, "..");
const QUESTIONS: Readonly<Record<Half, Question[]>> = JSON.parse(
  readFileSync(resolve(PROJECT, "lab/eval/passage-questions.json"), "utf8"),
);

if (fixturesFolder(PROJECT) === null) {
  console.log("eval passages: skipped, because there are no fixtures. Set FIXTURES to their folder.");
} else {
  process.exitCode = await evaluate();
}

async function evaluate(): Promise<number> {
  const files = ["html/encoding/decode", "html/convert", "text-view/passages"];
  const source = await loadSource<Source>(PROJECT, files.map((file) => `export * from "./src/${file}";`).join("\n"));
  const texts = await readTexts(source);
  const figures = new Map<Figure, number>();
  for (const half of ["tuning", "unseen"] as const) {
    const answered = QUESTIONS[half].map((question) => answer(source, texts.get(question.page) ?? "", question));
    figures.set(
      `passages ${half}`,
      shareOf(answered, ({ isFound }) => isFound),
    );
    printGroups(half, answered);
    if (half === "tuning" && options.details)
      for (const { isFound, page, question } of answered) if (!isFound) console.log(`  ${page}: ${question}`);
  }
  return printFigures(figures, new Map()).length > 0 ? 1 : 0;
}

/** Converts the pages of all questions to Markdown. The keys are the names of the pages in the questions. */
async function readTexts({ decodeHtml, convertHtml }: Source): Promise<Map<string, string>> {
  const wanted = new Set(Object.values(QUESTIONS).flatMap((questions) => questions.map(({ page }) => page)));
  const texts = new Map<string, string>();
  for (const [name, read] of await listPages()) {
    if (!wanted.has(name)) continue;
    const { bytes, contentType, url } = read();
    const conversion = { url, markdown: true, text: false, onlyMainContent: true };
    texts.set(name, convertHtml(decodeHtml(bytes, contentType), conversion).markdown ?? "");
  }
  return texts;
}

async function listPages(): Promise<[name: string, read: () => Page][]> {
  const pages: [string, () => Page][] = [];
  for (const set of ["wcxb", "wcxb-b", "recipes"] as const) {
    const data = set === "recipes" ? await loadRecipes(PROJECT) : await loadWcxb(PROJECT, set);
    if (data === null) continue;
    const { folder, truth }: { folder: string; truth: ReadonlyMap<string, { url: string }> } = data;
    for (const [id, { url }] of truth) pages.push([`${set}/${id}`, () => readStoredPage(folder, { id, url })]);
  }
  for (const set of ["articles", "snippets"])
    for (const page of readPages(fixturesFolder(PROJECT) ?? "", set)) pages.push([`${set}/${page.id}`, () => page]);
  return pages;
}

function answer({ findPassages }: Source, text: string, question: Question): Answered {
  const passages = findPassages(text, "markdown", question.question, { max: MAX_PASSAGES }).map(
    (passage) => passage.text,
  );
  const chars = passages.reduce((sum, passage) => sum + passage.length, 0);
  const hasAnswer = (part: string) => lettersOf(part).includes(lettersOf(question.answer));
  return { ...question, isFound: passages.some(hasAnswer), isAtStart: hasAnswer(text.slice(0, chars)), chars };
}

/** Markdown has marks within sentences, so only letters and digits are compared. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

function printGroups(half: Half, answered: readonly Answered[]): void {
  const groups = Map.groupBy<string, Answered>(answered, ({ language }) =>
    language === "en" ? "English" : "other languages",
  );
  console.log(
    `\n${half.padEnd(18)}${["questions", "found", "at start", "characters"].map((name) => name.padStart(13)).join("")}`,
  );
  const named: (readonly [string, readonly Answered[]])[] = [["all", answered], ...groups];
  for (const [name, group] of named) {
    const chars = group.reduce((sum, question) => sum + question.chars, 0) / group.length;
    const shares = [shareOf(group, ({ isFound }) => isFound), shareOf(group, ({ isAtStart }) => isAtStart)];
    const cells = [String(group.length), ...shares.map((share) => share.toFixed(3)), chars.toFixed(0)];
    console.log(name.padEnd(18) + cells.map((cell) => cell.padStart(13)).join(""));
  }
}

function shareOf(answered: readonly Answered[], isCounted: (question: Answered) => boolean): number {
  return answered.filter(isCounted).length / answered.length;
}
