// `npm run eval -- serp`: scores the parsers of src/search/engines on stored result pages, and on the same pages with
// other class names, ids and names of attributes. Fails if recall or precision of organic results or of blocks is too
// low. SERP_PAGES sets another folder with a manifest in the same format. PAGES=1 lists the imperfect pages.
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { parseOptions } from "../scripts/options.ts";
import { renamePage } from "../test/support/renamed-page.ts";
import { loadSource } from "./eval/source.ts";

parseOptions(
  `npm run eval -- serp

Evaluates the parsers of search result pages. Environment variables:
  FIXTURES      the folder of the data set
  SERP_PAGES    another folder of stored pages
  PAGES         if set, the imperfect pages are printed`,
  {},
);

const LEAST = { recall: 0.99, precision: 0.99, outcome: 0.99, totals: 0.9, ads: 0 } as const;
/** The minimum figures on pages with other names. */
const LEAST_RENAMED = { recall: 0.98, precision: 0.98, outcome: 0.98, totals: 0.9, ads: 0 } as const;
/** A block with fewer units on all pages may lose one of them and have one that is wrong. */
const MIN_BLOCK_UNITS = 18;
const LEAST_BLOCK = 0.95;
const MAX_FALSE_BLOCKS = 1;
const PROJECT = resolve(import.meta.dirname, "..");

interface StoredPage {
  file: string;
  engine: string;
  captured: string;
  device: string;
  query: string | null;
  expected: { organic: { title: string }[]; total_results: number | null };
}
interface ReadPage {
  kind: "results" | "no_results" | "blocked" | "consent" | "unknown";
  organic: { title: string; url: string; snippet: string }[];
  total: number | null;
  blocks?: object;
}
/** The part of `SearchEngine` in src/search/engines/search-engine.ts that this script uses. */
interface SearchEngine {
  searchUrl(query: object, page: number): string;
  readPage(html: string, url: string): ReadPage;
}
type Sums = Record<string, number>;
interface Scored {
  sums: Sums;
  outcome: string;
  right: string;
  missing: string[];
  extra: string[];
  wrongTitles: [string, string][];
}
interface Scorer {
  scorePage(page: StoredPage, answer: object): Scored;
  figures(sums: Sums): Record<(typeof COLUMNS)[number], number>;
}
const COLUMNS = [
  "pages",
  "expected",
  "returned",
  "recall",
  "precision",
  "order",
  "position",
  "title",
  "snippet",
  "outcome",
  "outcome_exact",
  "perfect_pages",
] as const;

/** The sums of one block on all pages. */
interface BlockSums {
  items: number;
  hit: number;
  given: number;
  good: number;
  false: number;
}
/** The expected values of one page. */
interface Truth {
  ads?: { url: string }[];
}
interface BlockScorer {
  sameUrl(one: string, other: string, engine: string): boolean;
  scoreAll(
    pages: Record<string, Truth>,
    read: (file: string) => object | undefined,
  ): { groups: Record<string, Record<string, BlockSums>>; notes: Record<string, string[]> };
}

const folder = process.env.SERP_PAGES || join(process.env.FIXTURES || resolve(PROJECT, "../shared/fixtures"), "serp");
if (existsSync(join(folder, "manifest.json"))) process.exitCode = await evaluate();
else console.log("eval serp: skipped, because there are no stored result pages. Set FIXTURES to their folder.");

async function evaluate(): Promise<number> {
  const { ENGINES: engines } = await loadSource<{ ENGINES: Record<string, SearchEngine> }>(
    PROJECT,
    `export { ENGINES } from "./src/search/engines/engines";`,
  );
  const scorer: Scorer = await import(pathToFileURL(join(folder, "score.mjs")).href);
  const pages: StoredPage[] = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
  const blockScorer: BlockScorer = await import(pathToFileURL(join(folder, "score-blocks.mjs")).href);
  const truthFile = join(folder, "blocks.json");
  const truths: Record<string, Truth> = existsSync(truthFile) ? JSON.parse(readFileSync(truthFile, "utf8")).pages : {};
  const isAd = ({ file, engine }: StoredPage, url: string) =>
    truths[file]?.ads?.some((ad) => blockScorer.sameUrl(ad.url, url, engine)) ?? false;
  const read = new Map(pages.map((page) => [page, readStored(page, engines)]));
  const renamed = new Map(pages.map((page) => [page, readStored(page, engines, renamePage)]));
  const codes = [scoreOrganic(read, { scorer, isAd, least: LEAST }), scoreBlocks(read, blockScorer, truths)];
  console.log("\nThe same pages with other names:");
  return Math.max(...codes, scoreOrganic(renamed, { scorer, isAd, least: LEAST_RENAMED }));
}

/** Scores the organic results. Returns the exit code: 1 if a figure is too low. */
function scoreOrganic(
  read: ReadonlyMap<StoredPage, ReadPage>,
  { scorer, isAd, least }: { scorer: Scorer; isAd: (page: StoredPage, url: string) => boolean; least: Least },
): number {
  const groups = new Map<string, Sums>();
  const totals = { reported: 0, right: 0 };
  let ads = 0;
  for (const [page, result] of read) {
    const scored = scorer.scorePage(page, toAnswer(result));
    for (const name of groupsOf(page)) groups.set(name, add(groups.get(name) ?? {}, scored.sums));
    if (page.expected.total_results !== null) {
      totals.reported++;
      if (result.total === page.expected.total_results) totals.right++;
      else if (process.env.PAGES)
        console.log(`${page.file}: total ${result.total}, expected ${page.expected.total_results}`);
    }
    ads += scored.extra.filter((url) => isAd(page, url)).length;
    if (process.env.PAGES && (!scored.sums.perfect || scored.wrongTitles.length > 0)) printPage(page, scored);
  }
  return printTable(groups, scorer, { totals, ads, least });
}

/** Scores the other blocks. Returns the exit code: 1 if a figure is too low. */
function scoreBlocks(
  read: ReadonlyMap<StoredPage, ReadPage>,
  scorer: BlockScorer,
  truths: Record<string, Truth>,
): number {
  const data = new Map([...read].map(([{ file }, { organic, blocks }]) => [file, { organic, ...blocks }]));
  const { groups, notes } = scorer.scoreAll(truths, (file) => data.get(file));
  let falseBlocks = 0;
  let code = 0;
  for (const [name, { items, hit, given, good, false: wrong }] of Object.entries(groups.all ?? {})) {
    if (name === "TOTAL") continue;
    falseBlocks += wrong;
    const [lost, extra] = [items - hit, given - good];
    const isGood =
      items >= MIN_BLOCK_UNITS ? hit >= items * LEAST_BLOCK && good >= given * LEAST_BLOCK : lost <= 1 && extra <= 1;
    if (!isGood) code = 1;
    console.log(`${name.padEnd(20)} ${items} units, ${lost} lost, ${extra} wrong${isGood ? "" : ": too many"}`);
  }
  console.log(`False blocks: ${falseBlocks}`);
  if (process.env.PAGES) for (const [file, lines] of Object.entries(notes)) console.log([file, ...lines].join("\n  "));
  return falseBlocks > MAX_FALSE_BLOCKS ? 1 : code;
}

function readStored(
  page: StoredPage,
  engines: Record<string, SearchEngine>,
  change = (html: string) => html,
): ReadPage {
  const bytes = readFileSync(join(folder, page.file));
  const html = new TextDecoder().decode(page.file.endsWith(".gz") ? gunzipSync(bytes) : bytes);
  const engine = engines[page.engine];
  if (!engine) throw new Error(`The manifest names an unknown engine: ${page.engine}.`);
  const text = page.query ?? page.expected.organic[0]?.title ?? "query";
  return engine.readPage(change(html), engine.searchUrl({ text, place: null, language: null, device: "desktop" }, 0));
}

/** Converts a parsed page to the scorer's format. The scorer counts pages of an unknown kind as errors. */
function toAnswer({ kind, organic }: ReadPage): object {
  return {
    outcome: kind === "unknown" ? "error" : kind,
    results: organic.map((result, index) => ({ position: index + 1, ...result })),
  };
}

function groupsOf({ engine, device, captured }: StoredPage): string[] {
  const kind = /mobile/.test(device) ? "mobile" : /basic|no JS/.test(device) ? "basic" : "desktop";
  return [engine, kind, captured.slice(0, 4), "overall"];
}

function add(sums: Sums, more: Sums): Sums {
  return Object.fromEntries(Object.entries(more).map(([name, value]) => [name, (sums[name] ?? 0) + value]));
}

function printPage(page: StoredPage, { outcome, right, missing, extra, wrongTitles }: Scored): void {
  console.log(`${page.file}: ${outcome}, expected ${right}`);
  for (const url of missing) console.log(`  missing  ${url}`);
  for (const url of extra) console.log(`  extra    ${url}`);
  for (const [expected, got] of wrongTitles)
    console.log(`  title    expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
}

type Least = Readonly<Record<"recall" | "precision" | "outcome" | "totals" | "ads", number>>;

/** Prints the figures. Returns the exit code: 1 if a figure is too low. */
function printTable(
  groups: ReadonlyMap<string, Sums>,
  scorer: Scorer,
  { totals, ads, least }: { totals: { reported: number; right: number }; ads: number; least: Least },
): number {
  const width = (column: string) => Math.max(column.length, 6);
  console.log(["".padEnd(8), ...COLUMNS.map((column) => column.padStart(width(column)))].join("  "));
  const rank = (name: string) => ["google", "bing", "yandex", "desktop", "mobile", "basic"].indexOf(name) + 1 || 99;
  const names = [...groups.keys()].filter((name) => name !== "overall");
  for (const name of [...names.toSorted((a, b) => rank(a) - rank(b) || a.localeCompare(b)), "overall"]) {
    const figures = scorer.figures(groups.get(name) ?? {});
    const cells = COLUMNS.map((column) => cell(column, figures[column]).padStart(width(column)));
    console.log([name.padEnd(8), ...cells].join("  "));
  }
  console.log(`Total number of results: correct on ${totals.right} of the ${totals.reported} pages that show it.`);
  const { recall, precision, outcome } = scorer.figures(groups.get("overall") ?? {});
  const isGood =
    recall >= least.recall &&
    precision >= least.precision &&
    outcome >= least.outcome &&
    totals.right >= totals.reported * least.totals &&
    ads <= least.ads;
  if (ads > 0) console.log(`Ads among the organic results: ${ads}`);
  if (!isGood) console.log(`The figures must be at least ${JSON.stringify(least)}.`);
  return isGood ? 0 : 1;
}

function cell(column: string, value: number): string {
  return /pages|expected|returned/.test(column) ? String(value) : value.toFixed(3);
}
