// `npm run bench`: measures the built Worker in the local runtime, without wrangler's proxy and log. Most figures are
// compared with a floor, which is the value of a minimal implementation in the same run. The bench uses loopback only.
// BENCH is a comma-separated list of the parts to run (default: all).
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseOptions } from "../scripts/options.ts";
import { beforeAfter } from "./bench/before-after.ts";
import { conversion } from "./bench/conversion.ts";
import { crawl } from "./bench/crawl.ts";
import { distance } from "./bench/distance.ts";
import { type Figure, ROUNDS } from "./bench/figures.ts";
import { hangingReceiver } from "./bench/hanging-receiver.ts";
import { jobCreation } from "./bench/job-creation.ts";
import { largeAccount } from "./bench/large-account.ts";
import { memory } from "./bench/memory.ts";
import { parsePage } from "./bench/parse-page.ts";
import { queue } from "./bench/queue.ts";
import { rendered, renderedAway } from "./bench/rendered.ts";
import { startUp } from "./bench/start-up.ts";
import { sync } from "./bench/sync.ts";
import { openWorld, PROJECT, type World } from "./bench/world.ts";

parseOptions(
  `npm run bench

Measures the speed of the service. Environment variables:
  BENCH           the parts to run, separated by commas (default: all)
  BENCH_ROUNDS    the number of rounds (default 60)`,
  {},
);

const PARTS: Record<string, (world: World) => Promise<Figure[]>> = {
  "start-up": startUp,
  conversion,
  sync,
  "parse-page": parsePage,
  rendered,
  "rendered-away": renderedAway,
  "job-creation": jobCreation,
  queue,
  crawl,
  "before-after": beforeAfter,
  distance,
  "hanging-receiver": hangingReceiver,
  "large-account": largeAccount,
  memory,
};
const selected = (process.env.BENCH || Object.keys(PARTS).join(",")).split(",");
const unknown = selected.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`BENCH has unknown parts: ${unknown.join(", ")}. Use some of ${Object.keys(PARTS).join(", ")}.`);
  process.exit(1);
}

const world = await openWorld();
const figures: Figure[] = [];
try {
  for (const name of selected) {
    console.error(`${name} …`);
    figures.push(...((await PARTS[name]?.(world)) ?? []));
  }
} finally {
  await world.close();
}
report(figures);
// Exits with 1 if a lazy module is evaluated at startup. Times don't affect the exit code, because the machine may be
// busy.
process.exit(figures.some(({ unit, ours }) => unit === "modules" && ours > 0) ? 1 : 0);

function report(lines: Figure[]): void {
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
  const written = {
    at: new Date().toISOString(),
    node: process.version,
    cpus: cpus().length,
    rounds: ROUNDS,
    page: createHash("sha256").update(world.article).digest("hex").slice(0, 12),
    figures: lines,
  };
  const folder = join(PROJECT, ".cache");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "bench.json"), `${JSON.stringify(written, null, 2)}\n`);
  console.log(
    `The page has ${world.article.byteLength} bytes. The bench ran ${ROUNDS} rounds. Report: .cache/bench.json.`,
  );
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
