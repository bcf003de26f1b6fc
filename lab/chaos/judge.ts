import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { LocalSecrets } from "../../scripts/local-state.ts";
import type { Post } from "../../test/support/receiver.ts";
import type { CallRecord } from "./callers.ts";
import { findLeftovers, findViolations } from "./checks.ts";
import type { DriveResult } from "./drive.ts";
import { type ChaosReport, countFailures, countKinds } from "./report.ts";
import { countRunFailures } from "./run-failures.ts";
import type { Service } from "./service.ts";
import { findUnreadable, readCredits, readSigningSecret, settle } from "./settle.ts";
import { hasAccountTables, readObjects, readState, type State } from "./state.ts";
import { broken, type Violation } from "./violation.ts";
import type { World } from "./world.ts";

const ERASE_MAX_MS = 60_000;
const POLL_MS = 500;

interface JudgeOptions {
  seed: number;
  /** The state folder. */
  state: string;
  /** The service's log file. */
  log: string;
  secrets: LocalSecrets;
  adminToken: string;
  world: World;
  start: () => Promise<Service>;
}

/**
 * Waits until all work has finished, then checks the stored state and the erasure of the account. Kills the service.
 */
export async function judge(
  { calls, service, responded, starts, injectedKills, ...result }: DriveResult,
  options: JudgeOptions,
): Promise<ChaosReport> {
  const { secrets, world } = options;
  const violations: Violation[] = [];
  if (!(await settleAll(service, secrets, responded))) {
    violations.push(broken("all work finishes", "the service", "Jobs or deliveries were still unfinished."));
  }
  const unreadable = [
    ...(await findUnreadable(service, secrets.live, acceptedOf(calls, "live"))),
    ...(await findUnreadable(service, secrets.test, acceptedOf(calls, "test"))),
  ];
  const signing = {
    live: await readSigningSecret(service, secrets.live),
    test: await readSigningSecret(service, secrets.test),
  };
  const shown = await readCredits(service, secrets.live);
  const unexpectedExits = [...result.unexpectedExits, ...((await service.kill()) ? [] : ["the last round"])];
  const runFailures = countRunFailures(readFileSync(options.log, "utf8"));
  const state = readState(options.state);
  const posts = new Map(
    calls.map(({ job }) => [job.id, world.receiver.posts(`/${job.id}/${job.receiver?.split("?")[0]}`)]),
  );
  violations.push(
    ...findViolations({
      calls,
      state,
      posts,
      signing,
      shown,
      unreadable,
      injectedKills,
      unexpectedExits,
      runFailures,
    }),
  );
  violations.push(...(await checkErasure(options, state.account)));
  const leftovers = findLeftovers(state);
  return {
    seed: options.seed,
    kinds: countKinds(calls, state),
    failures: countFailures(state),
    figures: {
      starts,
      kills: injectedKills.service.length,
      "kills of only the browsers": injectedKills.browsers.length,
      "runs with an unexpected error": [...runFailures.values()].reduce((sum, count) => sum + count, 0),
      "connections broken before the response": calls.reduce((sum, call) => sum + call.brokenConnections, 0),
      ...countState(state, posts),
      "objects in R2": state.objects.length,
      "R2 objects that no row names": leftovers.length,
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
    "jobs with three attempts": jobs.filter(({ attempts }) => attempts >= 3).length,
    deliveries: deliveries.length,
    delivered: deliveries.filter(({ status }) => status === "succeeded").length,
    "pending deliveries": deliveries.filter(({ status }) => status === "pending").length,
    "deliveries with an attempt that arrived twice": [...posts.values()].filter(
      (list) => attemptsOf(list).size < list.length,
    ).length,
  };
}

/**
 * Waits until all work has finished. A caller may send another request during the first `settle`. Therefore, calls
 * `settle` again after all callers have their responses. Returns false if it takes too long.
 */
async function settleAll(service: Service, secrets: LocalSecrets, responded: Promise<unknown>): Promise<boolean> {
  if (!(await settle(service, secrets))) return false;
  await responded;
  return await settle(service, secrets);
}

function acceptedOf(calls: CallRecord[], mode: "live" | "test"): string[] {
  const ids = calls
    .filter(({ job }) => job.mode === mode)
    .flatMap(({ responses }) => responses.flatMap(({ jobId }) => jobId ?? []));
  return [...new Set(ids)];
}

/**
 * Erases the account and checks that its tables and R2 objects are deleted and its keys are invalid. Kills the service.
 */
async function checkErasure(
  { start, state, secrets, adminToken }: JudgeOptions,
  { id, tag }: State["account"],
): Promise<Violation[]> {
  const service = await start();
  const response = await fetch(`${service.base}/admin/v1/accounts/${id}/erase`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}` },
  });
  if (!response.ok)
    throw new Error(`The erase request failed with status ${response.status}: ${await response.text()}`);
  const left = () => [
    ...(hasAccountTables(state) ? ["tables"] : []),
    ...[...readObjects(state).keys()].filter((key) => key.includes(`/${tag}/`)),
  ];
  for (const until = Date.now() + ERASE_MAX_MS; left().length > 0 && Date.now() < until; ) await sleep(POLL_MS);
  const { status } = await fetch(`${service.base}/v1/usage`, { headers: { authorization: `Bearer ${secrets.live}` } });
  await service.kill();
  return [
    ...left().map((what) => broken("an erasure deletes all data", id, what)),
    ...(status === 401 ? [] : [broken("an erased account's keys are invalid", id, `Status ${status}.`)]),
  ];
}
