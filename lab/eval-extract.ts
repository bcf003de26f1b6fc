// `npm run eval -- extract`: scores the conversion of src/html and of other libraries on the fixtures, and compares its
// CPU time with Readability, linkedom and turndown. Fails if a figure is worse than its floor.
import { resolve } from "node:path";
import { parseOptions } from "../scripts/options.ts";
import { CONTENT_SETS, evaluateContents } from "./eval/contents.ts";
import { loadConversion } from "./eval/conversions.ts";
import { measureBundle, measureCpu } from "./eval/costs.ts";
import type { Page } from "./eval/fixtures.ts";
import { type Figure, type Figures, printFigures } from "./eval/goals.ts";
import { findLostPages } from "./eval/lost-pages.ts";
import { diffPage } from "./eval/page-diff.ts";
import { PEER_NAMES, runPeer } from "./eval/peers.ts";
import { convertPages, type Problems } from "./eval/run.ts";
import { type EvaluatedSet, loadSet, type Output, PAGE_SETS, type SetScore } from "./eval/sets.ts";

const SETS = [...PAGE_SETS, ...CONTENT_SETS, "costs"] as const;
const PROJECT = resolve(import.meta.dirname, "..");

const { values: options } = parseOptions(
  `npm run eval -- extract [--page <set>/<id>]

Evaluates the conversion of pages. Other libraries convert the same pages. Their outputs are cached in .cache.

  --page      prints the differences between the expected text of a page and the service's text: missing lines (-),
              lines with missing words in brackets (~), and lines with words that aren't expected (+)

Environment variables:
  FIXTURES    the folder of the data sets
  ONLY        the sets to evaluate: ${SETS.join(",")} (default: all)
  PEERS       the other libraries: ${PEER_NAMES.join(",")} (default: all), or 0 for none
  PAGES       evaluates only this number of pages of each set, and doesn't compare the scores with their floors
  WORST       the number of the worst pages to print (default 8)`,
  { options: { page: { type: "string" } } },
);

const only = listFrom("ONLY", SETS);
const peers = process.env.PEERS === "0" ? [] : listFrom("PEERS", PEER_NAMES);
const pageCount = process.env.PAGES ? Number(process.env.PAGES) : undefined;
const worst = Number(process.env.WORST ?? 8);
const conversion = await loadConversion(PROJECT);
const decode = ({ bytes, contentType }: Page) => conversion.decodeHtml(bytes, contentType);

process.exitCode = options.page === undefined ? await evaluate() : await printPage(options.page);

async function evaluate(): Promise<number> {
  const problems: Problems = { failed: [], emptyByMistake: [], blocked: [] };
  const figures = new Map<Figure, number>();
  const peerFigures = new Map(peers.map((peer) => [peer, new Map<Figure, number>()]));

  for (const name of PAGE_SETS) {
    if (!only.includes(name)) continue;
    const set = await loadSet(name, { project: PROJECT, pages: pageCount });
    if (set === null) {
      console.log(`eval extract: skipped ${name}, because there are no fixtures. Set FIXTURES to their folder.`);
      continue;
    }
    const scored = set.score(convertPages(conversion, set, { onlyMainContent: true, problems }));
    add(figures, scored.figures);
    console.log(`${scored.details(worst).join("\n")}\n`);
    for (const [peer, known] of peerFigures) {
      const byPeer = set.score(await runPeer(peer, set, { project: PROJECT, decode, set: name }));
      add(known, byPeer.figures);
      if (peer === "readability") addLostPages(figures, set, scored, byPeer);
    }
  }
  for (const name of CONTENT_SETS) {
    if (!only.includes(name)) continue;
    const convert = (pages: Page[]): Map<string, Output> =>
      convertPages(conversion, { pages, format: "markdown" }, { onlyMainContent: false, problems });
    add(figures, evaluateContents(name, PROJECT, convert) ?? new Map());
  }
  if (figures.size > 0) addProblems(figures, problems);
  if (only.includes("costs")) await addCosts(figures);
  const regressions = printFigures(figures, peerFigures);
  return regressions.length > 0 && pageCount === undefined ? 1 : 0;
}

/** Prints the pages that are lost although Readability extracts them, and adds their share. */
function addLostPages(figures: Map<Figure, number>, { pages }: EvaluatedSet, ours: SetScore, peer: SetScore): void {
  if (ours.recalls === undefined || peer.recalls === undefined) return;
  const lost = findLostPages(ours.recalls, peer.recalls);
  figures.set("wcxb lost pages", lost.length / pages.length);
  const recall = (recalls: ReadonlyMap<string, number>, id: string) => recalls.get(id)?.toFixed(3);
  console.log("\nLost pages of wcxb (recall, Readability's recall, id, URL):");
  for (const { id, url } of pages.filter((page) => lost.includes(page.id)))
    console.log(`  ${recall(ours.recalls, id)} ${recall(peer.recalls, id)} ${id} ${url}`);
}

function addProblems(figures: Map<Figure, number>, { failed, emptyByMistake, blocked }: Problems): void {
  figures.set("empty or failed pages", failed.length);
  figures.set("empty by mistake", emptyByMistake.length);
  figures.set("false block pages", blocked.length);
  for (const id of failed) console.log(`Empty result or error: ${id}`);
  for (const id of emptyByMistake) console.log(`Empty, but parse5 sees 200 words: ${id}`);
  for (const id of blocked) console.log(`Taken for a block page: ${id}`);
}

async function addCosts(figures: Map<Figure, number>): Promise<void> {
  const { size, gzip } = await measureBundle(PROJECT);
  console.log(`\nBundle of the Worker: ${size.toFixed(0)} KiB, with gzip ${gzip.toFixed(0)} KiB`);
  const articles = await loadSet("articles", { project: PROJECT });
  if (articles === null) return;
  const { ours, peer } = measureCpu(conversion, articles.pages);
  figures.set("CPU time / peer's", ours / peer);
  const times = [ours.toFixed(1), peer.toFixed(1)];
  console.log(`CPU time per article (median): ${times[0]} ms, with Readability, linkedom and turndown: ${times[1]} ms`);
}

/** Prints the differences between the expected and the actual text of a page. Returns the exit code. */
async function printPage(argument: string): Promise<number> {
  const [name = "", id = ""] = argument.split(/\/(.*)/s);
  const set = isOneOf(PAGE_SETS, name) ? await loadSet(name, { project: PROJECT }) : null;
  const page = set?.pages.find((one) => one.id === id);
  if (set === null || page === undefined) {
    console.error(`There is no page '${argument}'. Use <set>/<id> with one of the sets ${PAGE_SETS.join(", ")}.`);
    return 1;
  }
  const formats = { markdown: false, text: true };
  const { text = "" } = conversion.convertHtml(decode(page), { url: page.url, ...formats, onlyMainContent: true });
  console.log([page.url, ...diffPage(set.expected(id), text)].join("\n"));
  return 0;
}

function add(figures: Map<Figure, number>, more: Figures): void {
  for (const [figure, value] of more) figures.set(figure, value);
}

/** Reads a list from an environment variable. The default is all values. Throws an error for an unknown value. */
function listFrom<const T extends string>(variable: string, all: readonly T[]): readonly T[] {
  if (!process.env[variable]) return all;
  return process.env[variable].split(",").map((value) => {
    if (!isOneOf(all, value)) throw new Error(`${variable}=${value} is unknown. Use ${all.join(", ")}.`);
    return value;
  });
}

function isOneOf<const T extends string>(all: readonly T[], value: string): value is T {
  return all.includes(value as T);
}
