// `npm run chaos -- [--seed N] [--jobs N] [--kills N]`: kills and restarts the service under a mixed load, then checks
// that its stored state is consistent with its responses. Uses loopback only. The same seed repeats the same plan.
// Exits with 1 if a check fails.
import { randomBytes } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setUpBrowser } from "../scripts/browser.ts";
import { freePort } from "../scripts/free-port.ts";
import { readSecrets, writeEnvFile } from "../scripts/local-state.ts";
import { readCommandLine } from "../scripts/options.ts";
import { prepareDatabase } from "./chaos/database.ts";
import { drive } from "./chaos/drive.ts";
import { judge } from "./chaos/judge.ts";
import { readOptions, USAGE } from "./chaos/options.ts";
import { makePlan } from "./chaos/plan.ts";
import { print, write } from "./chaos/report.ts";
import { launch, type Service } from "./chaos/service.ts";
import { startWorld } from "./chaos/world.ts";

const CACHE = resolve(import.meta.dirname, "../.cache");
const RATE_PER_MINUTE = 100_000;

const chosen = readCommandLine(USAGE, () => readOptions(process.argv.slice(2)));
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

/**
 * Kills the service, removes the temporary folder and exits. If a check failed, copies the service's log to
 * .cache/chaos.log.
 */
async function end(code: number): Promise<never> {
  await running?.kill();
  mkdirSync(CACHE, { recursive: true });
  if (code !== 0 && existsSync(log)) copyFileSync(log, join(CACHE, "chaos.log"));
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

/** Runs the test and returns the exit code. */
async function main(): Promise<number> {
  console.log(`seed ${chosen.seed}, ${chosen.jobs} jobs, ${chosen.kills} kills`);
  const began = Date.now();
  const browser = await setUpBrowser();
  const environment = { ...process.env, ...browser.env };
  const secrets = readSecrets(state);
  const adminToken = randomBytes(32).toString("hex");
  prepareDatabase(state, { secrets, ratePerMinute: RATE_PER_MINUTE, env: environment });
  const world = await startWorld();
  const port = await freePort();
  const envFile = writeEnvFile(state, secrets);
  const options = { port, state, temporary, log, envFile, variables: { ...world.variables, ADMIN_TOKEN: adminToken } };
  const start = async () => {
    running = launch({ ...options, environment: { ...environment, ...world.environment } });
    await running.ready();
    // The first cron run opens the account's Durable Object.
    if (!(await running.runCron(Date.now()))) throw new Error("The first cron run after the start failed.");
    return running;
  };
  try {
    const result = await drive(makePlan(chosen), { world, secrets, start });
    const report = await judge(result, { seed: chosen.seed, state, log, secrets, adminToken, world, start });
    report.figures["total minutes"] = Math.round((Date.now() - began) / 6_000) / 10;
    print(report);
    write(report, join(CACHE, "chaos.json"));
    return report.violations.length === 0 ? 0 : 1;
  } finally {
    world.close();
  }
}
