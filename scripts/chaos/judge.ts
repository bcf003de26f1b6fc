import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Post } from "../../test/support/receiver.ts";
import type { LocalSecrets } from "../local-state.ts";
import { countAccidents } from "./accidents.ts";
import type { Called } from "./callers.ts";
import { findLeftovers, findViolations } from "./checks.ts";
import type { Driven } from "./drive.ts";
import { type ChaosReport, countFailures, countKinds } from "./report.ts";
import type { Service } from "./service.ts";
import { findUnreadable, readCredits, readSigningSecret, settle } from "./settle.ts";
import { hasAccountTables, readObjects, readState, type State } from "./state.ts";
import { broken, type Violation } from "./violation.ts";
import type { World } from "./world.ts";

const ERASE_MAX_MS = 60_000;
const LOOK_EVERY_MS = 500;

interface Bench {
  seed: number;
  /** The folder of the state. */
  state: string;
  /** The file of what the service said. */
  log: string;
  secrets: LocalSecrets;
  adminToken: string;
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
  const shown = await readCredits(service, secrets.live);
  const ownEnds = [...driven.ownEnds, ...((await service.kill()) ? [] : ["the last round"])];
  const accidents = countAccidents(readFileSync(bench.log, "utf8"));
  const state = readState(bench.state);
  const posts = new Map(
    called.map(({ job }) => [job.id, world.receiver.posts(`/${job.id}/${job.receiver?.split("?")[0]}`)]),
  );
  violations.push(...findViolations({ called, state, posts, signing, shown, unreadable, blows, ownEnds, accidents }));
  violations.push(...(await checkErasure(bench, state.account)));
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
    "jobs that took three runs": jobs.filter(({ attempts }) => attempts >= 3).length,
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

/**
 * Erases the account. Neither tables nor anything in R2 may be left of it, and its keys are unknown. Ends the service.
 */
async function checkErasure(
  { start, state, secrets, adminToken }: Bench,
  { id, tag }: State["account"],
): Promise<Violation[]> {
  const service = await start();
  const response = await fetch(`${service.base}/admin/v1/accounts/${id}/erase`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}` },
  });
  if (!response.ok) throw new Error(`The account was not erased: ${response.status} ${await response.text()}`);
  const left = () => [
    ...(hasAccountTables(state) ? ["tables"] : []),
    ...[...readObjects(state).keys()].filter((key) => key.includes(`/${tag}/`)),
  ];
  for (const until = Date.now() + ERASE_MAX_MS; left().length > 0 && Date.now() < until; ) await sleep(LOOK_EVERY_MS);
  const { status } = await fetch(`${service.base}/v1/usage`, { headers: { authorization: `Bearer ${secrets.live}` } });
  await service.kill();
  return [
    ...left().map((what) => broken("an erasure leaves nothing", id, what)),
    ...(status === 401 ? [] : [broken("an erased account's keys are unknown", id, `Status ${status}.`)]),
  ];
}
