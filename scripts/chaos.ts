// `npm run chaos -- [--seed N] [--jobs N] [--kills N]`: the service under a mixed load while it is killed and started again,
// and then what it had promised against what it left. Loopback alone; a seed repeats a plan. 1 when a promise was broken.
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { setUpBrowser } from "./browser.ts";
import type { Called } from "./chaos/callers.ts";
import { findLeftovers, findViolations } from "./chaos/checks.ts";
import { type Driven, drive } from "./chaos/drive.ts";
import { makePlan } from "./chaos/plan.ts";
import { countFailures, countKinds, print, type Report, write } from "./chaos/report.ts";
import { launch, type Service } from "./chaos/service.ts";
import { findUnreadable, settle } from "./chaos/settle.ts";
import { readObjects, readState } from "./chaos/state.ts";
import { broken } from "./chaos/violation.ts";
import { startWorld, type World } from "./chaos/world.ts";
import { freePort } from "./free-port.ts";
import { type LocalSecrets, prepareDatabase, readSecrets, writeEnvFile } from "./local-state.ts";

const CACHE = resolve(import.meta.dirname, "../.cache");
const RATE_PER_MINUTE = 100_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Everything has had its time by then, whatever the retention is by default. */
const LATER_MS = 40 * DAY_MS;
const LAST_SWEEPS = 10;

const chosen = readOptions();
const temporary = mkdtempSync(join(tmpdir(), "extraction-chaos-"));
const state = join(temporary, "state");
const log = join(temporary, "service.log");
let running: Service | null = null;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(1));
process.on("uncaughtException", (error) => {
  console.error(error);
  void end(1);
});

await main().then(end, (error) => {
  console.error(error);
  return end(1);
});

/** Nothing outlives this script. What the service said is kept when it may explain a broken promise. */
async function end(code: number): Promise<never> {
  await running?.kill();
  mkdirSync(CACHE, { recursive: true });
  if (code !== 0 && existsSync(log)) copyFileSync(log, join(CACHE, "chaos.log"));
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

/** The exit code. */
async function main(): Promise<number> {
  console.log(`seed ${chosen.seed}, ${chosen.jobs} jobs, ${chosen.kills} kills`);
  const began = Date.now();
  const browser = await setUpBrowser();
  const environment = { ...process.env, ...browser.env };
  const secrets = readSecrets(state);
  prepareDatabase(state, { secrets, ratePerMinute: RATE_PER_MINUTE, linkToken: null, env: environment });
  const world = await startWorld(temporary);
  const port = await freePort();
  const envFile = writeEnvFile(state, secrets);
  const options = { port, state, temporary, log, envFile, variables: world.variables };
  const start = async () => {
    running = launch({ ...options, environment: { ...environment, ...world.environment } });
    await running.ready();
    return running;
  };
  try {
    const driven = await drive(makePlan(chosen), { world, secrets, start });
    const report = await judge(driven, { secrets, world, start });
    report.figures["minutes in all"] = Math.round((Date.now() - began) / 6_000) / 10;
    print(report);
    write(report, join(CACHE, "chaos.json"));
    return report.violations.length === 0 ? 0 : 1;
  } finally {
    world.close();
  }
}

/** Waits until all has come to rest, then holds what was promised against what is there. */
async function judge(
  { called, service, answered, ...counts }: Driven,
  { secrets, world, start }: { secrets: LocalSecrets; world: World; start: () => Promise<Service> },
): Promise<Report> {
  const settled = await rest(service, secrets, answered);
  const unreadable = [
    ...(await findUnreadable(service, secrets.live, acceptedOf(called, "live"))),
    ...(await findUnreadable(service, secrets.test, acceptedOf(called, "test"))),
  ];
  await service.kill();
  const found = readState(state);
  const posts = new Map(
    called.map(({ job }) => [job.id, world.receiver.posts(`/${job.id}/${job.receiver?.split("?")[0]}`)]),
  );
  const violations = findViolations({ called, state: found, posts, unreadable });
  if (!settled) violations.push(broken("all comes to rest", "the service", "It took too long."));
  const leftovers = findLeftovers(found);
  const stored = found.objects.length;
  const kept = await keepUntilLater(start);
  for (const key of kept) violations.push(broken("nothing stays in R2 for ever", key, "It outlived the retention."));
  const doubled = [...posts.values()].filter(
    (list) => new Set(list.map(({ headers }) => headers["x-webhook-attempt"])).size < list.length,
  );
  return {
    seed: chosen.seed,
    kinds: countKinds(called, found),
    failures: countFailures(found),
    figures: {
      ...counts,
      jobs: found.jobs.length,
      "answers that never came": called.reduce((sum, { brokenOff }) => sum + brokenOff, 0),
      "jobs that took three runs": found.jobs.filter(({ counted_runs }) => counted_runs >= 3).length,
      deliveries: found.deliveries.length,
      delivered: found.deliveries.filter(({ status }) => status === "succeeded").length,
      "still to be delivered": found.deliveries.filter(({ status }) => status === "pending").length,
      "attempts that came twice": doubled.length,
      "objects in R2": stored,
      "of them named by no row": leftovers.length,
      violations: violations.length,
    },
    violations,
    leftovers,
  };
}

/** Whoever waits may still be asking when nothing is under way, and is answered when its job has ended. */
async function rest(service: Service, secrets: LocalSecrets, answered: Promise<unknown>): Promise<boolean> {
  if (!(await settle(service, secrets))) return false;
  await answered;
  return await settle(service, secrets);
}

function acceptedOf(called: Called[], mode: "live" | "test"): string[] {
  const ids = called
    .filter(({ job }) => job.mode === mode)
    .flatMap(({ answers }) => answers.flatMap(({ jobId }) => jobId ?? []));
  return [...new Set(ids)];
}

/** What is still in R2 after the sweeps of a day on which everything has had its time. */
async function keepUntilLater(start: () => Promise<Service>): Promise<string[]> {
  const service = await start();
  for (let i = 0; i < LAST_SWEEPS; i++) await service.sweep(Date.now() + LATER_MS);
  await service.kill();
  return [...readObjects(state).keys()];
}

function readOptions(): { seed: number; jobs: number; kills: number } {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      jobs: { type: "string", default: "150" },
      kills: { type: "string", default: "10" },
    },
  });
  const [seed, jobs, kills] = [values.seed, values.jobs, values.kills].map(Number);
  if (![seed, jobs, kills].every((value) => Number.isInteger(value) && Number(value) >= 0)) {
    console.error("--seed, --jobs and --kills take whole numbers.");
    process.exit(1);
  }
  return { seed: seed ?? 0, jobs: jobs ?? 0, kills: kills ?? 0 };
}
