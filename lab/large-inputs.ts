// `npm run lab -- large-inputs [name]`: processes hostile pages of 1 to 5 MB, and prints the CPU time and the steps.
// `npm run lab -- large-inputs ordinary`: prints the steps of the largest pages of the fixtures.
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { LARGE_PAGES } from "../test/support/hostile/large-pages.ts";
import { cpuMs } from "./eval/conversions.ts";
import { loadSource } from "./eval/source.ts";

interface Page {
  hidden: unknown;
  document: { budget: { spent: number } };
}

interface Source {
  decodeHtml(bytes: Uint8Array, contentType: string | null): string;
  openPage(html: string): Page;
  parseVisiblePage(html: string): Page;
  convertInPhases(page: Page, options: object): Generator<void, { text?: string }>;
  detectOutcome(page: Page, context: object): object;
  hasContent(page: Page): boolean;
  readHiddenText(page: Page, options: object): object;
  metaRefresh(html: string, url: string): object | null;
  detectBlockPage(page: object): string | null;
  readHtml(page: Page, options: object): { facts: object; body: object };
  readData(page: Page, options: object): object;
}

const PROJECT = resolve(import.meta.dirname, "..");
const URL_OF_PAGE = "https://coast.example/";
const FORMATS = {
  url: URL_OF_PAGE,
  markdown: true,
  text: true,
  cleanHtml: true,
  metadata: true,
  links: true,
  images: true,
};
const MILLION = 1_000_000;
const RUNS = 2;
/** Prefixes are chosen so that they use this share of the budget. */
const TARGET_SHARE = 0.95;
const MIN_SHARE = 1 / 32;
const MAX_STEPS = 40 * MILLION;
const ORDINARY_PAGES = 10;

const source = await loadSource<Source>(
  PROJECT,
  [
    "html/encoding/decode",
    "html/visible-page",
    "html/convert",
    "html/outcome/outcome",
    "html/has-content",
    "html/hidden-text",
    "html/meta-refresh",
    "html/block-pages/detect",
    "endpoints/parse/read-page",
  ]
    .map((file) => `export * from "./src/${file}";`)
    .join("\n"),
);

/** The jobs that process a page, in phases: scrapes to all formats, and a parse until it calls a model. */
const JOBS: Readonly<Record<string, (html: string, see: (page: Page) => void) => Generator<void, unknown>>> = {
  *scrape(html, see) {
    source.detectBlockPage({ status: 200, headers: new Map(), html });
    source.metaRefresh(html, URL_OF_PAGE);
    const page = source.openPage(html);
    see(page);
    yield;
    source.detectOutcome(page, { url: URL_OF_PAGE, status: 200, rendered: false });
    yield;
    yield* source.convertInPhases(page, { ...FORMATS, onlyMainContent: true });
    source.readHiddenText(page, { leastWords: 20 });
  },
  *whole(html, see) {
    const page = source.openPage(html);
    see(page);
    yield;
    yield* source.convertInPhases(page, { ...FORMATS, onlyMainContent: false });
  },
  *parse(html, see) {
    source.detectBlockPage({ status: 200, headers: new Map(), html });
    source.metaRefresh(html, URL_OF_PAGE);
    const page = source.parseVisiblePage(html);
    see(page);
    yield;
    source.hasContent(page);
    source.detectOutcome(page, { url: URL_OF_PAGE, status: 200, rendered: false });
    yield;
    const read = source.readHtml(page, { url: URL_OF_PAGE });
    void [read.facts, read.body];
    source.readData(page, { url: URL_OF_PAGE });
    source.readHiddenText(page, { leastWords: 20 });
  },
};
interface Measured {
  cpu: number;
  /** The time (ms) of the longest turn of the event loop. */
  turn: number;
  steps: number;
  /** The message of the error, or null if the page was processed. */
  error: string | null;
}

/** Runs a job several times. Returns the lowest times. */
async function measure(job: string, html: string, runs: number): Promise<Measured> {
  const best: Measured = { cpu: Number.POSITIVE_INFINITY, turn: Number.POSITIVE_INFINITY, steps: 0, error: null };
  for (let run = 0; run < runs; run++) {
    await new Promise((resolve) => setImmediate(resolve));
    let page: Page | null = null;
    let turn = 0;
    const cpu = cpuMs(() => {
      try {
        const see = (opened: Page) => {
          page = opened;
        };
        const phases = JOBS[job]?.(html, see);
        for (let isDone = false; !isDone; ) {
          const startedAt = performance.now();
          try {
            isDone = phases?.next().done !== false;
          } finally {
            turn = Math.max(turn, performance.now() - startedAt);
          }
        }
      } catch (error) {
        best.error = error instanceof Error ? error.message : String(error);
      }
    });
    best.turn = Math.min(best.turn, turn);
    best.cpu = Math.min(best.cpu, cpu);
    best.steps = (page as Page | null)?.document.budget.spent ?? Number.POSITIVE_INFINITY;
  }
  return best;
}

/** Returns the share of a page whose scrape is the most expensive: the whole page, or a part that isn't refused. */
async function worstShare(html: string): Promise<number> {
  const measured = new Map<number, Measured>();
  const scrape = async (share: number) => {
    const one = await measure("scrape", html.slice(0, share * html.length), 1);
    measured.set(share, one);
    return one;
  };
  let share = 1;
  let one = await scrape(share);
  for (; one.error !== null && share > MIN_SHARE; one = await scrape(share)) share /= 2;
  if (share < 1) await scrape(Math.min(1.9 * share, (share * TARGET_SHARE * MAX_STEPS) / one.steps));
  return [...measured].reduce((a, b) => (b[1].cpu > a[1].cpu ? b : a))[0];
}

/** Prints the pages of all fixtures that take the most steps. */
function printOrdinary(): void {
  const folder = process.env.FIXTURES || resolve(PROJECT, "../shared/fixtures");
  const pages = globSync("**/*.{html,html.gz}", { cwd: folder }).map((file) => {
    const bytes = readFileSync(join(folder, file));
    const html = source.decodeHtml(file.endsWith(".gz") ? gunzipSync(bytes) : bytes, "text/html");
    // Only the parser, the visibility and microdata take steps.
    const page = source.parseVisiblePage(html);
    void page.hidden;
    source.readData(page, { url: URL_OF_PAGE });
    const steps = page.document.budget.spent;
    return { file, mb: html.length / MILLION, steps };
  });
  console.log(`The largest of ${pages.length} pages:\n\n| page | MB | steps, millions |\n|---|---|---|`);
  for (const { file, mb, steps } of pages.sort((a, b) => b.steps - a.steps).slice(0, ORDINARY_PAGES))
    console.log(`| ${file} | ${mb.toFixed(1)} | ${(steps / MILLION).toFixed(1)} |`);
}

async function printHostile(part: string): Promise<void> {
  console.log(
    "| page | MB | part | scrape, ms of CPU | whole page, ms of CPU | parse, ms of CPU | longest turn, ms | steps, millions |\n|---|---|---|---|---|---|---|---|",
  );
  for (const [name, makePage] of Object.entries(LARGE_PAGES)) {
    if (!name.includes(part)) continue;
    const html = makePage();
    const share = await worstShare(html);
    const runs = [];
    for (const job of Object.keys(JOBS)) runs.push(await measure(job, html.slice(0, share * html.length), RUNS));
    const worst = runs.reduce((one, other) => (other.cpu > one.cpu ? other : one));
    const figures = [
      (html.length / MILLION).toFixed(1),
      `${(100 * share).toFixed(0)} %`,
      ...runs.map(({ cpu }) => cpu.toFixed(0)),
      Math.max(...runs.map(({ turn }) => turn)).toFixed(0),
      worst.error === null ? (worst.steps / MILLION).toFixed(1) : "refused",
    ];
    console.log(`| ${name.replaceAll("|", "\\|")} | ${figures.join(" | ")} |`);
  }
}

const [part = ""] = process.argv.slice(2);
if (part === "ordinary") printOrdinary();
else await printHostile(part);
