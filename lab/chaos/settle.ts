import { setTimeout as sleep } from "node:timers/promises";
import type { LocalSecrets } from "../../scripts/local-state.ts";
import type { ShownCredits } from "./money.ts";
import type { Service } from "./service.ts";

/**
 * The maximum waiting time. If the queue message of a job was lost twice, the job is requeued only after six minutes.
 */
const SETTLE_MAX_MS = 8 * 60_000;
const POLL_MS = 3_000;

interface Listed {
  data: { next_attempt_at?: string | null; attempts: unknown[] }[];
  pagination: { total: number };
}

/**
 * Waits until all jobs have ended and no delivery attempt is due. Meanwhile, the account's alarm recovers lost jobs.
 * Returns false if the wait takes longer than SETTLE_MAX_MS.
 */
export async function settle(service: Service, secrets: LocalSecrets): Promise<boolean> {
  const deadline = Date.now() + SETTLE_MAX_MS;
  while (Date.now() < deadline) {
    await service.runCron(Date.now());
    // If the service doesn't respond in time, its work counts as unfinished.
    const unfinished = await countUnfinished(service.base, secrets).catch((error) => String(error));
    if (unfinished === 0) return true;
    console.log(`unfinished jobs and deliveries: ${unfinished}`);
    await sleep(POLL_MS);
  }
  return false;
}

async function countUnfinished(base: string, secrets: LocalSecrets): Promise<number> {
  const counts = await Promise.all(
    [secrets.live, secrets.test].flatMap((key) => [
      countJobs(base, key, "queued"),
      countJobs(base, key, "processing"),
      countDueDeliveries(base, key),
    ]),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countJobs(base: string, key: string, status: string): Promise<number> {
  return (await get<Listed>(base, key, `/v1/jobs?status=${status}&limit=1`)).pagination.total;
}

async function countDueDeliveries(base: string, key: string): Promise<number> {
  let due = 0;
  for (let offset = 0; ; offset += 100) {
    const path = `/v1/webhooks/deliveries?status=pending&limit=100&offset=${offset}`;
    const { data, pagination } = await get<Listed>(base, key, path);
    // A delivery without attempts is always due, even if its next attempt is in the future.
    due += data.filter(({ next_attempt_at, attempts }) => attempts.length === 0 || !isAhead(next_attempt_at)).length;
    if (offset + 100 >= pagination.total) return due;
  }
}

function isAhead(time: string | null | undefined): boolean {
  return time !== null && time !== undefined && Date.parse(time) > Date.now();
}

/** Returns the ids of the completed jobs whose result or screenshot can't be read through the API. */
export async function findUnreadable(service: Service, key: string, jobIds: string[]): Promise<string[]> {
  const unreadable: string[] = [];
  for (const id of jobIds) {
    const { status, result } = await get<{ status: string; result?: { screenshot_url?: string } | null }>(
      service.base,
      key,
      `/v1/jobs/${id}`,
    );
    if (status !== "completed") continue;
    const picture = result?.screenshot_url;
    const isThere = result !== null && result !== undefined;
    if (!isThere || (picture !== undefined && !(await isPicture(picture)))) unreadable.push(id);
  }
  return unreadable;
}

/** Returns the account's credits from the API. */
export async function readCredits(service: Service, key: string): Promise<ShownCredits> {
  return (await get<{ data: ShownCredits }>(service.base, key, "/v1/usage")).data;
}

/** Returns the webhook signing secret for the mode of this key. */
export async function readSigningSecret(service: Service, key: string): Promise<string> {
  return (await get<{ data: { secret: string } }>(service.base, key, "/v1/webhooks")).data.secret;
}

async function isPicture(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.arrayBuffer();
  return response.ok && response.headers.get("content-type") === "image/png";
}

async function get<T>(base: string, key: string, path: string): Promise<T> {
  const response = await fetch(`${base}${path}`, {
    headers: { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(30_000),
  });
  const body = await response.json();
  if (!response.ok) throw new Error(`GET ${path} responded with status ${response.status}: ${JSON.stringify(body)}`);
  return body as T;
}
