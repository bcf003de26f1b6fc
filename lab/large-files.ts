// `npm run lab -- large-files [name]`: reads hostile files of 1 to 5 MB with every parser except the one for pages, and
// the largest documents in the folder FIXTURES. Prints the steps, the CPU time and the longest turn of the event loop.
import { globSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { LARGE_DOCUMENTS, LARGE_SITEMAPS, LARGE_TABLES } from "../test/support/hostile/large-documents.ts";
import { LARGE_PAGES } from "../test/support/hostile/large-pages.ts";
import { LARGE_ROBOTS, LARGE_SCHEMAS, LARGE_SELECTORS } from "../test/support/hostile/large-rules.ts";
import { hostilePdfs } from "../test/support/hostile-pdfs.ts";
import { loadSource } from "./eval/source.ts";

interface Counter {
  spend(amount: number): boolean;
}

interface Source {
  Budget: { prototype: Counter };
  readDocument(file: object, options: object): Promise<{ truncated?: true } | null>;
  readCsv(text: string): { truncated: boolean } | null;
  readSitemap(chunks: Uint8Array[], options: object): Promise<{ isTruncated: boolean } | null>;
  newPatternBudget(): { stepsLeft: number };
  schemaProblem(schema: unknown, budget: object): { message: string } | null;
  findSelectorProblem(selector: string): string | null;
  parseDocument(html: string): object;
  selectOutermost(document: object, selectors: string[]): unknown[];
  parseRobots(bytes: Uint8Array, url: string): object;
  Frontier: new (sql: object) => { addFirst(url: string): void; add(...args: unknown[]): Generator<void, number> };
  Hosts: new (sql: object) => { add(host: string): void; applyRobots(...args: unknown[]): unknown };
  choosePages(crawl: object, now: number): { nextAt: number | null };
  MIGRATIONS: readonly string[];
}

const SITE = "https://a.example";
const MB = 1_000_000;
const PROJECT = resolve(import.meta.dirname, "..");
const FIXTURES = process.env.FIXTURES || resolve(PROJECT, "../shared/fixtures");
/** The number of ordinary documents of each type that are printed. */
const ORDINARY = 2;

const files = [
  "lib/budget",
  "documents/read",
  "documents/csv",
  "site/sitemap",
  "site/robots",
  "json-schema/schema-problem",
  "html/selectors",
  "html/parse/document",
  "html/css/selector-problem",
  "crawl/frontier",
  "crawl/hosts",
  "crawl/choose-pages",
  "crawl/migrations",
];
const source = await loadSource<Source>(PROJECT, files.map((file) => `export * from "./src/${file}";`).join("\n"));

/** The amounts that each budget of the current run has spent. */
const spent = new Map<Counter, number>();
const spend = source.Budget.prototype.spend;
source.Budget.prototype.spend = function (amount) {
  spent.set(this, (spent.get(this) ?? 0) + amount);
  return spend.call(this, amount);
};

interface Row {
  bytes: number;
  cpu: number;
  turn: number;
  steps: number;
  answer: string;
}

const part = process.argv[2] ?? "";

/** Returns the CPU time of this thread (ms). */
function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Measures work that yields. A turn is the CPU time between two passes of the event loop. */
async function measure(bytes: number, run: () => Promise<string> | string): Promise<Row> {
  await new Promise((resolve) => setImmediate(resolve));
  spent.clear();
  let isDone = false;
  const startedAt = threadMs();
  let [turn, last] = [0, startedAt];
  const tick = () => {
    const at = threadMs();
    turn = Math.max(turn, at - last);
    last = at;
    if (!isDone) setImmediate(tick);
  };
  setImmediate(tick);
  const answer = await (async () => await run())().catch((error) => String(error.message).split(/[.:]/)[0] ?? "");
  const cpu = threadMs() - startedAt;
  isDone = true;
  tick();
  return { bytes, cpu, turn, steps: Math.max(0, ...spent.values()), answer };
}

/** Returns "–" for work that no budget counts, and "all" for an input that ends its budget immediately. */
function toMillions(steps: number): string {
  if (steps === 0) return "–";
  return Number.isFinite(steps) ? (steps / MB).toFixed(2) : "all";
}

function print(name: string, { bytes, cpu, turn, steps, answer }: Row): void {
  const figures = [(bytes / MB).toFixed(1), toMillions(steps), cpu.toFixed(0), turn.toFixed(0)];
  console.log(`| ${name} | ${figures.join(" | ")} | ${answer} |`);
}

const readFile = async (bytes: Uint8Array, name = "") => {
  const options = { signal: new AbortController().signal, beforeReading: async () => {} };
  const document = await source.readDocument({ bytes, contentType: null, name }, options);
  return document === null ? "not a document" : document.truncated ? "cut" : "complete";
};

const readTable = (text: string) => (source.readCsv(text)?.truncated ? "cut" : "complete");

/** Chooses all pages of a crawl, with its tables in SQLite. Each transaction is a turn. */
async function crawl({ robots, urls, excluded = [] }: { robots: string; urls: string[]; excluded?: string[] }) {
  const database = new DatabaseSync(":memory:");
  for (const version of source.MIGRATIONS) database.exec(version);
  const statements = new Map<string, ReturnType<DatabaseSync["prepare"]>>();
  const exec = (query: string, ...values: SQLInputValue[]) => {
    const statement = statements.get(query) ?? database.prepare(query);
    statements.set(query, statement);
    return { toArray: () => statement.all(Object.fromEntries(values.map((value, index) => [`?${index + 1}`, value]))) };
  };
  const [frontier, hosts] = [new source.Frontier({ exec }), new source.Hosts({ exec })];
  const options = { url: `${SITE}/`, limit: 10_000, maxDepth: null, includePaths: [], excludePaths: excluded };
  const state = {
    mode: "live",
    nextNumber: 1,
    robotsSteps: 0,
    note: null,
    options: { ...options, allowSubdomains: true, robots: "respect", delayMs: null },
  };
  const transaction = async <Result>(work: () => Result): Promise<Result> => {
    database.exec("BEGIN");
    const result = work();
    database.exec("COMMIT");
    await new Promise((resolve) => setImmediate(resolve));
    return result;
  };
  const adding = frontier.add(urls, 1, { options: state.options, finalUrl: null });
  let added = await transaction(() => adding.next());
  while (!added.done) added = await transaction(() => adding.next());
  const file = { robots: source.parseRobots(Buffer.from(robots), `${SITE}/robots.txt`), error: null };
  const unknown = database.prepare("SELECT host FROM hosts").all();
  for (const { host } of unknown) await transaction(() => hosts.applyRobots(host, file, 0));
  let transactions = 1;
  for (; ; transactions++) {
    const { nextAt } = await transaction(() => source.choosePages({ frontier, hosts, state }, 1));
    // Every started page has ended.
    database.exec("UPDATE frontier SET state = 'done' WHERE state = 'started'");
    const left = database.prepare("SELECT COUNT(*) AS urls FROM frontier WHERE state = 'queued'").get()?.urls;
    if (nextAt === null && (left === 0 || state.nextNumber > state.options.limit)) break;
  }
  spent.set({} as Counter, state.robotsSteps);
  const rest = database.prepare("SELECT COUNT(*) AS urls FROM frontier WHERE state = 'queued'").get()?.urls;
  return `${transactions} choices, ${added.value} omitted, ${rest} left`;
}

console.log(
  "| input | MB | steps, millions | ms of CPU | longest turn, ms of CPU | answer |\n|---|---|---|---|---|---|",
);
const cases: [name: string, bytes: () => number, run: () => Promise<string> | string][] = [];
function add<Input>(
  kind: string,
  name: string,
  make: () => Input,
  sizeOf: (input: Input) => number,
  read: (input: Input) => Promise<string> | string,
) {
  let input: Input | null = null;
  const get = () => {
    input ??= make();
    return input;
  };
  cases.push([`${kind}: ${name}`, () => sizeOf(get()), () => read(get())]);
}
for (const [name, make] of Object.entries(LARGE_DOCUMENTS))
  add(
    "document",
    name,
    make,
    (bytes) => bytes.length,
    (bytes) => readFile(bytes),
  );
for (const [name, make] of Object.entries(hostilePdfs))
  add(
    "PDF",
    name,
    make,
    (bytes) => bytes.length,
    (bytes) => readFile(bytes),
  );
for (const [name, make] of Object.entries(LARGE_TABLES))
  add(
    "CSV",
    name,
    make,
    (text) => text.length,
    (text) => readTable(text),
  );
for (const [name, make] of Object.entries(LARGE_SITEMAPS))
  add(
    "sitemap",
    name,
    () => Buffer.from(make()),
    (bytes) => bytes.length,
    async (bytes) => {
      const sitemap = await source.readSitemap([bytes], { url: `${SITE}/sitemap.xml` });
      return sitemap?.isTruncated ? "cut" : "complete";
    },
  );
for (const [name, make] of Object.entries(LARGE_ROBOTS))
  add("crawl", name, make, ({ robots, urls }) => robots.length + urls.join().length, crawl);
for (const [name, make] of Object.entries(LARGE_SCHEMAS))
  add(
    "JSON Schema",
    name,
    make,
    (schema) => JSON.stringify(schema).length,
    (schema) => {
      const budget = source.newPatternBudget();
      const steps = budget.stepsLeft;
      const problem = source.schemaProblem(schema, budget);
      spent.set({} as Counter, steps - budget.stepsLeft);
      return problem?.message ?? "accepted";
    },
  );
for (const [name, [selectors, page]] of Object.entries(LARGE_SELECTORS))
  add(
    "selectors",
    name,
    () => LARGE_PAGES[page]?.() ?? "",
    (html) => html.length,
    (html) => {
      const problem = selectors.map(source.findSelectorProblem).find((each) => each !== null);
      if (problem) return problem;
      return `${source.selectOutermost(source.parseDocument(html), selectors).length} elements`;
    },
  );
for (const [name, bytes, run] of cases) {
  if (!name.includes(part) || part === "ordinary") continue;
  print(name, await measure(bytes(), run));
}

if (part === "" || part === "ordinary") {
  console.log("\nThe ordinary documents that take the most steps:\n");
  for (const type of ["pdf", "docx", "xlsx", "csv"]) {
    const rows: [file: string, row: Row][] = [];
    for (const file of globSync(`**/*.${type}`, { cwd: FIXTURES })) {
      const bytes = readFileSync(join(FIXTURES, file));
      const read = () => (type === "csv" ? readTable(bytes.toString()) : readFile(new Uint8Array(bytes), file));
      rows.push([basename(file), await measure(bytes.length, read)]);
    }
    rows.sort(([, a], [, b]) => b.steps - a.steps);
    for (const [file, row] of rows.slice(0, ORDINARY)) print(file, row);
  }
}
