import { setTimeout as sleep } from "node:timers/promises";
import type { LocalSecrets } from "../../scripts/local-state.ts";
import { type CallRecord, send } from "./callers.ts";
import type { Plan, PlannedJob, Round } from "./plan.ts";
import type { InjectedKills } from "./run-failures.ts";
import type { Service } from "./service.ts";
import type { World } from "./world.ts";

/** The record of an executed plan. */
export interface DriveResult {
  calls: CallRecord[];
  starts: number;
  injectedKills: InjectedKills;
  /** The rounds that ended because the service exited before the test killed it, such as `round 2`. */
  unexpectedExits: string[];
  /** The service of the last round, which is still running. */
  service: Service;
  /** Resolves when the last round's callers have their responses. */
  responded: Promise<unknown>;
}

interface DriveOptions {
  world: World;
  secrets: LocalSecrets;
  start: () => Promise<Service>;
}

const CRON_EVERY_MS = 3_000;
const BROWSER_POLL_MS = 300;
/** Each round repeats the requests of the previous round within this time after its start. */
const REPEAT_WITHIN_MS = 1_000;

/**
 * Executes the plan. Each round starts the service, sends requests, triggers the cron and kills the service. The next
 * round repeats requests whose connection was refused. It repeats requests whose connection broke only if they have an
 * idempotency key.
 */
export async function drive(plan: Plan, options: DriveOptions): Promise<DriveResult> {
  const calls = new Map<string, CallRecord>();
  const injectedKills: InjectedKills = { service: [], browsers: [] };
  const unexpectedExits: string[] = [];
  let again: PlannedJob[] = [];
  for (const [at, round] of plan.rounds.entries()) {
    const service = await options.start();
    const resent = again.map((job) => ({ ...job, afterMs: job.afterMs % REPEAT_WITHIN_MS }));
    const jobs = [...resent, ...round.jobs];
    const pending = jobs.map((job) => call(job, service, options, calls));
    const browsersKilledAt = await runRound(service, round);
    if (browsersKilledAt !== null) injectedKills.browsers.push(browsersKilledAt);
    if (round.killed) {
      const killedAt = Date.now();
      if (await service.kill()) injectedKills.service.push(killedAt);
      else unexpectedExits.push(`round ${at + 1}`);
    }
    console.log(`round ${at + 1} of ${plan.rounds.length}: ${jobs.length} requests, ${resent.length} of them repeated`);
    const responded = Promise.all(pending);
    if (!round.killed)
      return { calls: [...calls.values()], starts: at + 1, injectedKills, unexpectedExits, service, responded };
    const unsettled = await responded;
    const repeats = round.jobs.filter(({ repeated }) => repeated);
    again = [...new Set([...unsettled.flatMap((job) => (job === null ? [] : [job])), ...repeats])];
  }
  throw new Error("The last round of a plan must not end with a kill.");
}

/**
 * Sends one request at its planned time. Returns the job if the next round must repeat its request, and null otherwise.
 */
async function call(
  job: PlannedJob,
  { base }: Service,
  { world, secrets }: DriveOptions,
  calls: Map<string, CallRecord>,
): Promise<PlannedJob | null> {
  const record = calls.get(job.id) ?? { job, responses: [], brokenConnections: 0 };
  calls.set(job.id, record);
  await sleep(job.afterMs);
  const result = await send(base, secrets[job.mode], job, world);
  if (result.kind === "response") record.responses.push(result.response);
  if (result.kind === "broken") record.brokenConnections++;
  return result.kind === "refused" || (result.kind === "broken" && job.idempotencyKey !== null) ? record.job : null;
}

/**
 * Waits until the round ends while the cron runs. Kills the browsers once if the round plans it. Returns the time (Unix
 * ms) of that kill, or null.
 */
async function runRound(service: Service, { lengthMs, browsersAfterMs }: Round): Promise<number | null> {
  const end = new AbortController();
  // The cron isn't awaited, so that a kill can interrupt a cron run.
  void runCronUntil(service, end.signal);
  const endsAt = Date.now() + lengthMs;
  let killedAt: number | null = null;
  if (browsersAfterMs !== null) {
    await sleep(browsersAfterMs);
    while (killedAt === null && Date.now() < endsAt) {
      const at = Date.now();
      if ((await service.killBrowsers()) > 0) killedAt = at;
      await sleep(BROWSER_POLL_MS);
    }
  }
  await sleep(Math.max(0, endsAt - Date.now()));
  end.abort();
  return killedAt;
}

/** Triggers the cron every CRON_EVERY_MS until `end` is aborted. Never rejects. */
async function runCronUntil(service: Service, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await service.runCron(Date.now());
    await sleep(CRON_EVERY_MS, undefined, { signal: end }).catch(() => undefined);
  }
}
