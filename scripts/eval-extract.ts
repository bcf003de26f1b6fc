// `npm run eval:extract`: scores the conversion of src/html on the extraction fixtures, and compares its CPU time with
// Readability, linkedom and turndown. Fails if a figure is worse than its floor.
import { resolve } from "node:path";
import { type Conversion, convertByPeer, cpuMs, loadConversion } from "./eval/conversions.ts";
import { fixturesFolder, type Page, readContents, readPages, readTruth } from "./eval/fixtures.ts";
import {
  type ArticlePage,
  articlesFigures,
  half,
  type Outputs,
  type SnippetPage,
  type Structure,
  score,
  snippetsFigures,
} from "./eval/score.ts";
import { median } from "./figures.ts";
import { parseOptions } from "./options.ts";

parseOptions(
  `npm run eval:extract

Evaluates the conversion of pages. Environment variables:
  FIXTURES    the folder of the data set
  WORST       the number of the worst pages to print (default 8)`,
  {},
);

/**
 * The goal and the floor of each figure. The floor is the best value so far, so a worse value is a regression. The
 * floor of the CPU time is higher than the values of most runs (0.36 to 0.39), because CPU time varies between runs.
 */
const FIGURES = {
  "articles F1": { goal: 0.985, reached: 0.985 },
  "snippets F1": { goal: 0.93, reached: 0.935 },
  "convert text F1": { goal: 0.99, reached: 0.999 },
  "convert lowest class score": { goal: 0.98, reached: 0.967 },
  "structure text F1": { goal: 0.995, reached: 0.988 },
  "structure lowest class score": { goal: 0.98, reached: 0.939 },
  "empty or failed pages": { goal: 0, reached: 0 },
  "false block pages": { goal: 0, reached: 0 },
  "CPU time / peer's": { goal: 0.4, reached: 0.46 },
} as const;
type Figure = keyof typeof FIGURES;
/** A lower value of these figures is better. */
const LOWER_IS_BETTER: ReadonlySet<Figure> = new Set<Figure>([
  "empty or failed pages",
  "false block pages",
  "CPU time / peer's",
]);

const WARM_UP_PAGES = 37;
const WORST = Number(process.env.WORST ?? 8);
const PROJECT = resolve(import.meta.dirname, "..");

const folder = fixturesFolder(PROJECT);
if (folder) process.exitCode = await evaluate(folder);
else console.log("eval:extract: skipped, because there are no fixtures. Set FIXTURES to their folder.");

async function evaluate(fixtures: string): Promise<number> {
  const conversion = await loadConversion(PROJECT);
  const failures: string[] = [];
  const blockPages: string[] = [];
  const run = (pages: Page[], onlyMainContent: boolean) =>
    convertAll(conversion, pages, { onlyMainContent, failures, blockPages });
  const figures = new Map<Figure, number>();

  const articlePages = readPages(fixtures, "articles");
  const articles = withoutHeadlines(run(articlePages, true));
  const { perPage: byArticle } = score<{ perPage: ArticlePage[] }>(fixtures, "articles", "articles", articles);
  figures.set("articles F1", articlesFigures(byArticle).f1);

  const truth = readTruth(fixtures, "snippets");
  const snippets = run(readPages(fixtures, "snippets"), true);
  const { perPage: bySnippets } = score<{ perPage: SnippetPage[] }>(fixtures, "snippets", "snippets", snippets);
  figures.set("snippets F1", snippetsFigures(bySnippets, truth).f1);

  for (const set of ["convert", "structure"] as const) {
    const scored = score<Structure>(fixtures, "structure", set, run(readContents(fixtures, set), false));
    figures.set(`${set} text F1`, scored.text.f1);
    figures.set(`${set} lowest class score`, lowestClassScore(scored));
    printClasses(set, scored);
  }
  figures.set("empty or failed pages", failures.length);
  figures.set("false block pages", blockPages.length);
  const cpu = measureCpu(conversion, articlePages);
  figures.set("CPU time / peer's", cpu.ours / cpu.peer);

  printHalves(
    "articles",
    [0, 1].map((first) => articlesFigures(half(byArticle, first as 0 | 1)).f1),
  );
  printHalves(
    "snippets",
    [0, 1].map((first) => snippetsFigures(half(bySnippets, first as 0 | 1), truth).f1),
  );
  printWorst(byArticle, bySnippets, failures);
  const [ours, peer] = [cpu.ours.toFixed(1), cpu.peer.toFixed(1)];
  console.log(`\nCPU time per article (median): ${ours} ms, with Readability, linkedom and turndown: ${peer} ms`);
  return printFigures(figures);
}

function convertAll(
  { decodeHtml, convertHtml, detectBlockPage }: Conversion,
  pages: Page[],
  { onlyMainContent, failures, blockPages }: { onlyMainContent: boolean; failures: string[]; blockPages: string[] },
): Outputs {
  const outputs: Outputs = {};
  for (const { id, bytes, contentType, url } of pages) {
    let markdown = "";
    try {
      const html = decodeHtml(bytes, contentType);
      if (detectBlockPage({ status: 200, headers: new Map(), html }) !== null) blockPages.push(id);
      markdown = convertHtml(html, { url, markdown: true, text: false, onlyMainContent }).markdown ?? "";
    } catch (error) {
      console.error(id, error);
    }
    if (markdown.trim() === "") failures.push(id);
    outputs[id] = { markdown };
  }
  return outputs;
}

/** Removes the first heading of each article, because the expected texts contain only the body. */
function withoutHeadlines(outputs: Outputs): Outputs {
  return Object.fromEntries(
    Object.entries(outputs).map(([id, { markdown }]) => [
      id,
      { markdown: markdown.replace(/^\s*#{1,2} [^\n]*\n/, "") },
    ]),
  );
}

function measureCpu({ decodeHtml, convertHtml }: Conversion, pages: Page[]): { ours: number; peer: number } {
  const ours: number[] = [];
  const peer: number[] = [];
  for (const [index, { bytes, contentType, url }] of [...pages.slice(0, WARM_UP_PAGES), ...pages].entries()) {
    const html = decodeHtml(bytes, contentType);
    const options = { url, markdown: true, text: false, onlyMainContent: true };
    const times = [cpuMs(() => convertHtml(html, options)), cpuMs(() => convertByPeer(html))] as const;
    if (index < WARM_UP_PAGES) continue;
    ours.push(times[0]);
    peer.push(times[1]);
  }
  return { ours: median(ours), peer: median(peer) };
}

function lowestClassScore({ classes }: Structure): number {
  const values = Object.values(classes).flatMap(({ recall, precision }) => [recall ?? 1, precision ?? 1]);
  return Math.min(...values);
}

function printClasses(set: string, { classes }: Structure): void {
  const cells = Object.entries(classes).map(
    ([name, { recall, precision }]) => `${name} ${recall?.toFixed(3) ?? "-"}/${precision?.toFixed(3) ?? "-"}`,
  );
  console.log(`${set}, recall/precision by class: ${cells.join(", ")}\n`);
}

function printHalves(set: string, figures: number[]): void {
  console.log(`${set}, score of even and of odd files: ${figures.map((figure) => figure.toFixed(4)).join(", ")}`);
}

function printWorst(articles: readonly ArticlePage[], snippets: readonly SnippetPage[], failures: string[]): void {
  console.log("\nWorst articles (F1, precision, recall):");
  for (const page of articles.toSorted((a, b) => a.f1 - b.f1).slice(0, WORST))
    console.log(`  ${page.f1.toFixed(3)} ${page.precision.toFixed(3)} ${page.recall.toFixed(3)} ${page.url}`);
  console.log("Worst snippet pages (missing, extra snippets):");
  const errors = ({ missing, extra }: SnippetPage) => missing.length + extra.length;
  for (const page of snippets.toSorted((a, b) => errors(b) - errors(a)).slice(0, WORST))
    console.log(`  ${page.missing.length} ${page.extra.length} ${page.url}`);
  for (const id of failures) console.log(`Empty result or error: ${id}`);
}

/** Prints the figures. Returns the exit code: 1 if a figure is worse than its floor. */
function printFigures(figures: ReadonlyMap<Figure, number>): number {
  let status = 0;
  console.log(`\n${"".padEnd(30)}${"goal".padStart(8)}${"floor".padStart(8)}${"actual".padStart(8)}`);
  for (const [name, value] of figures) {
    const { goal, reached } = FIGURES[name];
    const isWorse = LOWER_IS_BETTER.has(name) ? value > reached : value < reached;
    const isShort = LOWER_IS_BETTER.has(name) ? value > goal : value < goal;
    if (isWorse) status = 1;
    const note = isWorse ? "  worse than the floor" : isShort ? "  goal not met" : "";
    console.log(
      name.padEnd(30) + [goal, reached, value].map((figure) => figure.toFixed(4).padStart(8)).join("") + note,
    );
  }
  return status;
}
