// `npm run eval -- outcome`: classifies the labeled pages of test/fixtures/outcomes and the ordinary pages of the
// fixtures. Prints the recall of each outcome, the confusion table and the mistakes. `--held` classifies the held-out
// part of the labeled pages. Prints the recall of the pages that sites serve instead of the page, too: `seen` is the half
// that the rules were improved with, `held` the other half. Fails if a recall is below its goal or too many ordinary pages aren't `ok`.
import { resolve } from "node:path";
import { parseOptions } from "../scripts/options.ts";
import { cpuMs } from "./eval/conversions.ts";
import {
  BLOCKED,
  type Classifier,
  classify,
  JUDGED,
  type LabeledPage,
  loadClassifier,
  ORDINARY_SETS,
  readLabeledPages,
  readOrdinaryPages,
} from "./eval/outcomes.ts";
import { median } from "./figures.ts";

const MIN_RECALL = 0.9;
const MAX_FALSE_SHARE = 0.003;
/** The least recall on the halves of the served pages. */
const SERVED_FLOORS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  seen: { error_page: 0.9, [BLOCKED]: 0.9, ok: 0.98 },
  held: { error_page: 0.72, [BLOCKED]: 0.8, ok: 0.94 },
};
const NAME_CHARS = 17;
const PROJECT = resolve(import.meta.dirname, "..");

const { values } = parseOptions(
  `npm run eval -- outcome [--held] [--corpus]

Evaluates the outcomes of pages. FIXTURES is the folder of the ordinary pages.

  --held      classifies the held-out part of the labeled pages
  --corpus    classifies only the labeled pages, without the ordinary pages`,
  { options: { held: { type: "boolean", default: false }, corpus: { type: "boolean", default: false } } },
);
const part = values.held ? "held" : "dev";
process.exitCode = evaluate(await loadClassifier(PROJECT));

function evaluate(classifier: Classifier): number {
  const corpus = readLabeledPages(PROJECT, part);
  const isServedGood = evaluateServed(classifier);
  const isCorpusGood = (corpus.length === 0 || evaluateCorpus(classifier, corpus)) && isServedGood;
  if (corpus.length === 0) console.log(`There are no pages in test/fixtures/outcomes/${part}.`);
  return (values.corpus || evaluateOrdinary(classifier)) && isCorpusGood ? 0 : 1;
}

/** Prints the recall on both halves of the served pages. Returns true if all figures reach their floors. */
function evaluateServed(classifier: Classifier): boolean {
  const isSeen = ({ id }: LabeledPage) => Number(/\/(\d+)-/.exec(id)?.[1]) % 2 === 1;
  const pages = readLabeledPages(PROJECT, "served");
  const figures = Object.entries(SERVED_FLOORS).flatMap(([half, floors]) =>
    Object.entries(floors).map(([label, floor]) => {
      const own = pages.filter((page) => page.label === label && isSeen(page) === (half === "seen"));
      const right = own.filter((page) => classify(classifier, page).outcome === label).length;
      console.log(`served, ${half}, ${label}: ${right} of ${own.length} (${(right / own.length).toFixed(3)})`);
      return right >= floor * own.length;
    }),
  );
  return !figures.includes(false);
}

/** Prints the figures of the labeled pages. Returns true if all of them reach their goals. */
function evaluateCorpus(classifier: Classifier, pages: readonly LabeledPage[]): boolean {
  const results = pages.map((page) => ({ ...page, ...classify(classifier, page) }));
  const labels = [...new Set([...classifier.OUTCOMES, BLOCKED, ...pages.map(({ label }) => label)])];
  const count = (label: string, outcome: string) =>
    results.filter((one) => one.label === label && one.outcome === outcome).length;
  console.log(`Labeled pages (${part}). Rows are labels, columns are results.`);
  console.log(["".padEnd(NAME_CHARS), ...labels.map((name) => name.slice(0, 8).padStart(9)), "   recall"].join(""));
  let isGood = true;
  for (const label of labels) {
    const all = results.filter((one) => one.label === label).length;
    if (all === 0) continue;
    const recall = count(label, label) / all;
    isGood &&= recall >= MIN_RECALL;
    const cells = labels.map((outcome) => String(count(label, outcome) || "").padStart(9));
    console.log(`${label.padEnd(NAME_CHARS)}${cells.join("")}${recall.toFixed(3).padStart(9)}`);
  }
  console.log("\nMistakes:");
  for (const { id, label, outcome, reason } of results)
    if (outcome !== label) console.log(`  ${id}: ${outcome} instead of ${label}. ${reason ?? ""}`);
  return isGood;
}

/** Prints the ordinary pages that aren't classified as `ok`. Returns true if their share is small enough. */
function evaluateOrdinary(classifier: Classifier): boolean {
  let [all, wrong] = [0, 0];
  const times: { own: number; conversion: number }[] = [];
  for (const set of ORDINARY_SETS) {
    const pages = readOrdinaryPages(set, PROJECT);
    if (pages === null) {
      console.log(`\n${set}: skipped, because there are no fixtures. Set FIXTURES to their folder.`);
      continue;
    }
    const flagged = pages.map((page) => ({ ...page, ...classify(classifier, page) })).filter(isFlagged);
    all += pages.length;
    const mistakes = flagged.filter(({ id }) => JUDGED[id] === undefined);
    wrong += mistakes.length;
    console.log(
      `\n${set}: ${flagged.length} of ${pages.length} pages aren't ok, ${mistakes.length} of them by mistake.`,
    );
    for (const { id, url, outcome, reason } of flagged)
      console.log(
        `  ${id} ${outcome}: ${reason}\n    ${url}\n    ${JUDGED[id] ? `Right: ${JUDGED[id]}.` : "Mistake."}`,
      );
    if (set === "wcxb") times.push(...pages.map((page) => measure(classifier, page)));
  }
  if (all === 0) return true;
  const share = wrong / all;
  console.log(`\nMistakes on ordinary pages: ${wrong} of ${all} (${(100 * share).toFixed(2)} %)`);
  const [own, conversion] = [median(times.map((one) => one.own)), median(times.map((one) => one.conversion))];
  const total = times.reduce((sum, one) => sum + one.own, 0) / times.reduce((sum, one) => sum + one.conversion, 0);
  console.log(
    `CPU time per wcxb page (median): ${own.toFixed(2)} ms, convertHtml: ${conversion.toFixed(2)} ms; share of the totals: ${(100 * total).toFixed(1)} %`,
  );
  return share <= MAX_FALSE_SHARE;
}

function isFlagged({ outcome }: { outcome: string }): boolean {
  return outcome !== "ok";
}

function measure(classifier: Classifier, { html, url }: { html: string; url: string }) {
  const page = classifier.openPage(html);
  // The conversion needs the hidden nodes, too, so their cost isn't the classification's.
  void page.hidden;
  const own = cpuMs(() => classifier.detectOutcome(page, { url, status: 200, rendered: false }));
  const options = { url, markdown: true, text: true, onlyMainContent: true };
  return { own, conversion: cpuMs(() => classifier.convertHtml(html, options)) };
}
