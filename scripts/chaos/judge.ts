import { readFileSync } from "node:fs";
import type { Post } from "../../test/support/receiver.ts";
import type { LocalSecrets } from "../local-state.ts";
import { countAccidents } from "./accidents.ts";
import type { Called } from "./callers.ts";
import { findLeftovers, findViolations } from "./checks.ts";
import type { Driven } from "./drive.ts";
import { type ChaosReport, countFailures, countKinds } from "./report.ts";
import type { Service } from "./service.ts";
import { findUnreadable, readSigningSecret, settle } from "./settle.ts";
import { readObjects, readState, type State } from "./state.ts";
import { broken, type Violation } from "./violation.ts";
import type { World } from "./world.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** After the retention, and the day beyond it. */
const LATER_MS = 40 * DAY_MS;
/** Each deletes a bounded number. */
const LAST_CRON_RUNS = 10;

interface Bench {
  seed: number;
  /** The folder of the state. */
  state: string;
  /** The file of what the service said. */
  log: string;
  secrets: LocalSecrets;
  world: World;
  start: () => Promise<Service>;
}

/** Waits until all has come to rest, then holds what was promised against what is there. Ends the service. */
export async function judge(
  { called, service, answered, starts, blows, ...driven }: Driven,
  bench: Bench,
): Promise<ChaosReport> {
  const { secrets, world } = bench;
  const violations: Violation[] = [];
  if (!(await rest(service, secrets, answered))) {
    violations.push(broken("all comes to rest", "the service", "It took too long."));
  }
  const unreadable = [
    ...(await findUnreadable(service, secrets.live, acceptedOf(called, "live"))),
    ...(await findUnreadable(service, secrets.test, acceptedOf(called, "test"))),
  ];
  const signing = {
    live: await readSigningSecret(service, secrets.live),
    test: await readSigningSecret(service, secrets.test),
  };
  const ownEnds = [...driven.ownEnds, ...((await service.kill()) ? [] : ["the last round"])];
  const accidents = countAccidents(readFileSync(bench.log, "utf8"));
  const state = readState(bench.state);
  const posts = new Map(
    called.map(({ job }) => [job.id, world.receiver.posts(`/${job.id}/${job.receiver?.split("?")[0]}`)]),
  );
  violations.push(...findViolations({ called, state, posts, signing, unreadable, blows, ownEnds, accidents }));
  for (const key of await keptUntilLater(bench)) {
    violations.push(broken("nothing stays in R2 for ever", key, "It outlived the retention."));
  }
  const leftovers = findLeftovers(state);
  return {
    seed: bench.seed,
    kinds: countKinds(called, state),
    failures: countFailures(state),
    figures: {
      starts,
      kills: blows.kills.length,
      "browsers killed alone": blows.browserKills.length,
      "runs that failed by accident": [...accidents.values()].reduce((sum, count) => sum + count, 0),
      "answers that never came": called.reduce((sum, { brokenOff }) => sum + brokenOff, 0),
      ...countState(state, posts),
      "objects in R2": state.objects.length,
      "of them named by no row": leftovers.length,
      violations: violations.length,
    },
    violations,
    leftovers,
  };
}

function countState({ jobs, deliveries }: State, posts: Map<string, Post[]>): Record<string, number> {
  const attemptsOf = (list: Post[]) => new Set(list.map(({ headers }) => headers["x-webhook-attempt"]));
  return {
    jobs: jobs.length,
    "jobs that took three runs": jobs.filter(({ counted_runs }) => counted_runs >= 3).length,
    deliveries: deliveries.length,
    delivered: deliveries.filter(({ status }) => status === "succeeded").length,
    "still to be delivered": deliveries.filter(({ status }) => status === "pending").length,
    "deliveries with an attempt that came twice": [...posts.values()].filter(
      (list) => attemptsOf(list).size < list.length,
    ).length,
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

/** What is still in R2 after the cron runs of a day on which everything has had its time. */
async function keptUntilLater({ start, state }: Bench): Promise<string[]> {
  const service = await start();
  for (let i = 0; i < LAST_CRON_RUNS; i++) await service.runCron(Date.now() + LATER_MS);
  await service.kill();
  return [...readObjects(state).keys()];
}
