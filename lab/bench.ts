// `npm run bench`: measures the built Worker in the local runtime, without wrangler's proxy and log. Most figures are
// compared with a floor, which is the value of a minimal implementation in the same run. The bench uses loopback only.
// A part runs in full if it is named. The default run makes fewer calls and leaves out the longest parts.
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { didYouMean, parseOptions } from "../scripts/options.ts";
import { crawl } from "./bench/crawl.ts";
import { distance } from "./bench/distance.ts";
import { type Figure, ROUNDS } from "./bench/figures.ts";
import { hangingReceiver } from "./bench/hanging-receiver.ts";
import { jobCreation } from "./bench/job-creation.ts";
import { largeAccount } from "./bench/large-account.ts";
import { parsePage } from "./bench/parse-page.ts";
import { queue } from "./bench/queue.ts";
import { rendered, renderedAway } from "./bench/rendered.ts";
import { SELECTED } from "./bench/selection.ts";
import { startUp } from "./bench/start-up.ts";
import { sync } from "./bench/sync.ts";
import { transactions } from "./bench/transactions.ts";
import { openWorld, PROJECT, type World } from "./bench/world.ts";

const PARTS: Record<string, (world: World) => Promise<Figure[]>> = {
  "start-up": startUp,
  sync,
  "parse-page": parsePage,
  rendered,
  "rendered-away": renderedAway,
  "job-creation": jobCreation,
  queue,
  crawl,
  distance,
  "hanging-receiver": hangingReceiver,
  "large-account": largeAccount,
  transactions,
};
/** These parts take several minutes each, so only a selection runs them. */
const LONG_PARTS: readonly string[] = ["rendered-away", "distance"];

parseOptions(
  `npm run bench -- [PART…]

Measures the speed of the service, and prints the figures of each part when it
ends. With the names of parts, runs only these parts, with all calls. Otherwise
runs all parts with fewer calls, except ${LONG_PARTS.join(", ")}.

Parts: ${Object.keys(PARTS).join(", ")}

Environment variables:
  BENCH           the parts to run, separated by commas, in addition to PART
  BENCH_ROUNDS    the number of rounds of most parts (default 60, and 15 without a selection)`,
  { allowPositionals: true },
);
const unknown = SELECTED.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  const names = Object.keys(PARTS);
  console.error(`The bench has no part '${unknown}'.${didYouMean(unknown, names)} The parts are ${names.join(", ")}.`);
  process.exit(1);
}
const parts = SELECTED.length > 0 ? SELECTED : Object.keys(PARTS).filter((name) => !LONG_PARTS.includes(name));

const beganAt = performance.now();
const world = await openWorld();
const figures: Figure[] = [];
try {
  for (const name of parts) {
    console.log(`${name} …`);
    const startedAt = performance.now();
    const found = (await PARTS[name]?.(world)) ?? [];
    figures.push(...found);
    print(found);
    console.log(`${name}: ${toSeconds(startedAt)}\n`);
  }
} finally {
  await world.close();
}
write();
// Exits with 1 if a lazy module is evaluated at startup. Times don't affect the exit code, because the machine may be
// busy.
process.exit(figures.some(({ unit, ours }) => unit === "modules" && ours > 0) ? 1 : 0);

function print(lines: Figure[]): void {
  if (lines.length === 0) return;
  console.table(
    lines.map(({ what, unit, ours, floor, goal, more }) => ({
      what,
      unit,
      ours: round(ours),
      floor: floor === null ? "" : round(floor),
      "ours / floor": floor === null ? "" : round(ours / floor),
      goal: goal === undefined ? "" : `${goal.text}: ${goal.met ? "met" : "not met"}`,
      more: Object.entries(more ?? {})
        .map(([name, value]) => `${name} ${round(value)}`)
        .join(", "),
    })),
  );
}

/** Writes the report with all figures. */
function write(): void {
  const report = {
    at: new Date().toISOString(),
    node: process.version,
    cpus: cpus().length,
    rounds: ROUNDS,
    page: createHash("sha256").update(world.article).digest("hex").slice(0, 12),
    figures,
  };
  const folder = join(PROJECT, ".cache");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "bench.json"), `${JSON.stringify(report, null, 2)}\n`);
  const missed = figures.filter(({ goal }) => goal?.met === false).length;
  const goals = missed === 0 ? "All goals are met." : `${missed} ${missed === 1 ? "goal is" : "goals are"} not met.`;
  console.log(`${goals} The bench took ${toSeconds(beganAt)}. Report: .cache/bench.json.`);
}

function toSeconds(since: number): string {
  return `${((performance.now() - since) / 1_000).toFixed(1)} s`;
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
