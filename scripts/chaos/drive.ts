import { setTimeout as sleep } from "node:timers/promises";
import type { LocalSecrets } from "../local-state.ts";
import type { Blows } from "./accidents.ts";
import { type Called, send } from "./callers.ts";
import type { Plan, PlannedJob, Round } from "./plan.ts";
import type { Service } from "./service.ts";
import type { World } from "./world.ts";

/** What happened while the plan was carried out. */
export interface Driven {
  called: Called[];
  starts: number;
  blows: Blows;
  /** When it was to be killed, and had ended by itself. */
  ownEnds: string[];
  /** Still running: the last start isn't killed. */
  service: Service;
  /** Resolves when its last callers have been answered. */
  answered: Promise<unknown>;
}

interface Stage {
  world: World;
  secrets: LocalSecrets;
  start: () => Promise<Service>;
}

const CRON_EVERY_MS = 3_000;
const LOOK_FOR_BROWSERS_MS = 300;
/** Requests of an earlier round are made again within this. */
const AGAIN_WITHIN_MS = 1_000;

/**
 * Carries out the plan: in each round the service is started, asked, run by the cron and killed. What was refused is
 * asked again in the next round, what broke off only where a key makes that safe, as a careful caller would.
 */
export async function drive(plan: Plan, stage: Stage): Promise<Driven> {
  const calledById = new Map<string, Called>();
  const blows: Blows = { kills: [], browserKills: [] };
  const ownEnds: string[] = [];
  let again: PlannedJob[] = [];
  for (const [at, round] of plan.rounds.entries()) {
    const service = await stage.start();
    const resent = again.map((job) => ({ ...job, afterMs: job.afterMs % AGAIN_WITHIN_MS }));
    const jobs = [...resent, ...round.jobs];
    const calls = jobs.map((job) => call(job, service, stage, calledById));
    const browsersKilledAt = await live(service, round);
    if (browsersKilledAt !== null) blows.browserKills.push(browsersKilledAt);
    if (round.killed) {
      const killedAt = Date.now();
      if (await service.kill()) blows.kills.push(killedAt);
      else ownEnds.push(`round ${at + 1}`);
    }
    console.log(`round ${at + 1} of ${plan.rounds.length}: ${jobs.length} requests, ${resent.length} of them again`);
    const answered = Promise.all(calls);
    if (!round.killed) return { called: [...calledById.values()], starts: at + 1, blows, ownEnds, service, answered };
    const unsettled = await answered;
    const repeats = round.jobs.filter(({ repeated }) => repeated);
    again = [...new Set([...unsettled.flatMap((job) => (job === null ? [] : [job])), ...repeats])];
  }
  throw new Error("The last round of a plan doesn't end with a kill.");
}

/** Makes one request at its time. Returns it when it should be made again. */
async function call(
  job: PlannedJob,
  { base }: Service,
  { world, secrets }: Stage,
  calledById: Map<string, Called>,
): Promise<PlannedJob | null> {
  const called = calledById.get(job.id) ?? { job, answers: [], brokenOff: 0 };
  calledById.set(job.id, called);
  await sleep(job.afterMs);
  const sent = await send(base, secrets[job.mode], job, world);
  if (sent.kind === "answered") called.answers.push(sent.answer);
  if (sent.kind === "broken") called.brokenOff++;
  return sent.kind === "refused" || (sent.kind === "broken" && job.idempotencyKey !== null) ? called.job : null;
}

/** The time between a start and its kill: cron goes on, and browsers may die. Answers when (Unix ms) some did. */
async function live(service: Service, { lengthMs, browsersAfterMs }: Round): Promise<number | null> {
  const end = new AbortController();
  // Not waited for: a kill may well come in the middle of a cron run.
  void runCronUntil(service, end.signal);
  const endsAt = Date.now() + lengthMs;
  let killedAt: number | null = null;
  if (browsersAfterMs !== null) {
    await sleep(browsersAfterMs);
    while (killedAt === null && Date.now() < endsAt) {
      const at = Date.now();
      if ((await service.killBrowsers()) > 0) killedAt = at;
      await sleep(LOOK_FOR_BROWSERS_MS);
    }
  }
  await sleep(Math.max(0, endsAt - Date.now()));
  end.abort();
  return killedAt;
}

/** Never throws. */
async function runCronUntil(service: Service, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    await service.runCron(Date.now());
    await sleep(CRON_EVERY_MS, undefined, { signal: end }).catch(() => undefined);
  }
}
