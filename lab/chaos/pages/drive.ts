import { setTimeout as sleep } from "node:timers/promises";
import type { VisitLog } from "../../../test/support/crawl-site/visits.ts";
import { createRandom } from "../random.ts";
import { Api, type ShownBatch } from "./api.ts";
import type { Scenario } from "./scenarios.ts";

interface DriveOptions {
  scenario: Scenario;
  /** The expected number of the site's requests. The kills are distributed over them. */
  requests: number;
  kills: number;
  seed: number;
  log: VisitLog;
  /** Starts the service on the same state. */
  start: () => Promise<{ base: string; live: string }>;
  /** Kills all processes of the service. */
  kill: () => Promise<void>;
}

export interface DriveResult {
  api: Api;
  id: string;
  /** The number of requests that the site had received at each kill. */
  kills: number[];
  /** The seconds between the creation and the end. */
  seconds: number;
  final: ShownBatch;
  /** The response to the cancellation. Null if there was none. */
  canceled: ShownBatch | null;
}

const POLL_MS = 100;
const PRINT_MS = 10_000;
/** The minimum number of requests between two kills. A page that was interrupted three times fails. */
const KILL_DISTANCE = 12;
/** The maximum time without a new request. If a queue message was lost, its pages start again after four minutes. */
const MAX_SILENCE_MS = 10 * 60_000;
const CREATE_TRIES = 20;

/** Creates the crawl or batch, kills and restarts the service while it runs, and waits for its end. */
export async function drive(options: DriveOptions): Promise<DriveResult> {
  const { scenario, log } = options;
  const api = new Api();
  Object.assign(api, toConnection(await options.start()));
  const began = Date.now();
  const id = await create(api, scenario);
  const path = `${scenario.path}/${id}`;
  const planned = planKills(options);
  const kills: number[] = [];
  let canceled: ShownBatch | null = null;
  let last = { requests: 0, at: Date.now() };
  let printedAt = Date.now();
  for (;;) {
    const requests = log.all.length;
    if (requests !== last.requests) last = { requests, at: Date.now() };
    const next = planned[kills.length];
    if (next !== undefined && requests >= next) {
      await options.kill();
      kills.push(requests);
      console.log(`kill ${kills.length} of ${planned.length} after ${requests} requests`);
      Object.assign(api, toConnection(await options.start()));
    }
    const shown = await api.insist<ShownBatch>("GET", `${path}?limit=1`, {}, CREATE_TRIES);
    const { total, completed, failed } = shown.counts;
    if (Date.now() - printedAt >= PRINT_MS) {
      printedAt = Date.now();
      console.log(`${requests} requests, ${completed + failed} of ${total} known pages ended`);
    }
    if (scenario.cancelAfter !== null && canceled === null && completed + failed >= scenario.cancelAfter * total) {
      canceled = await api.insist<ShownBatch>("DELETE", path, {}, CREATE_TRIES);
    }
    if (["completed", "failed"].includes(shown.status)) {
      return { api, id, kills, seconds: (Date.now() - began) / 1_000, final: shown, canceled };
    }
    if (Date.now() - last.at > MAX_SILENCE_MS) throw new Error(`${path} made no progress: ${JSON.stringify(shown)}`);
    await sleep(POLL_MS);
  }
}

/** A repeated creation has the same Idempotency-Key, so it returns the same crawl or batch. */
async function create(api: Api, { path, body }: Scenario): Promise<string> {
  const parts = { body, idempotencyKey: `chaos-${path}` };
  const created = await api.insist<Record<string, string>>("POST", path, parts, CREATE_TRIES);
  return String(created[`${path}_id`]);
}

function toConnection({ base, live }: { base: string; live: string }): { base: string; key: string } {
  return { base, key: live };
}

/** Returns the numbers of requests after which the service is killed, in ascending order. */
function planKills({ requests, kills, seed, scenario }: DriveOptions): number[] {
  const random = createRandom(seed);
  const last = requests * (scenario.cancelAfter ?? 1) * 0.95;
  const times = Array.from({ length: kills }, () => random.between(1, Math.floor(last))).sort((a, b) => a - b);
  const planned: number[] = [];
  for (const at of times) planned.push(Math.max(at, (planned.at(-1) ?? 0) + KILL_DISTANCE));
  return planned;
}
