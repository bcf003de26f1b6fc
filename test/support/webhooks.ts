import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject, vi } from "vitest";
import type { DeliveryRecord } from "../../src/contract/webhooks";
import { runJob } from "../../src/jobs/run";
import { getDelivery } from "../../src/store/deliveries";
import { type Client, page, readContract, site } from "./client";
import { admitJob } from "./jobs";
import type { Post } from "./receiver";

export const hook = inject("hook");

/** An address of the receiver that no other test uses: `behaviour` says what it answers. */
export function receiver(behaviour: string): string {
  return `${hook}/${crypto.randomUUID()}/${behaviour}`;
}

/** What arrived at this address so far; our events are held against the OpenAPI document. */
export async function postsTo(url: string): Promise<Post[]> {
  const response = await fetch(`${site}/__posts?path=${encodeURIComponent(new URL(url).pathname)}`);
  const posts = await response.json<Post[]>();
  const contract = await readContract();
  for (const post of posts.filter(({ headers }) => headers["x-webhook-id"] !== undefined)) {
    expect(contract.eventProblems(post.headers, bodyOf(post)), "an event, against its OpenAPI document").toEqual([]);
  }
  return posts;
}

/** Waits until so many posts have arrived. */
export async function expectPosts(url: string, count: number): Promise<Post[]> {
  await expect.poll(async () => (await postsTo(url)).length, { timeout: 15_000 }).toBe(count);
  return await postsTo(url);
}

/** An asynchronous job that this test runs to its end: its event is on its way to `webhookUrl` then. */
export async function endJob(
  webhookUrl: string,
  { accountId, url = page("article"), bindings = env }: { accountId?: string; url?: string; bindings?: Env } = {},
): Promise<string> {
  const owner = accountId === undefined ? {} : { accountId };
  const job = await admitJob(url, { ...owner, request: { webhook_url: webhookUrl } });
  await runJob(bindings, job.id);
  return job.id;
}

const stubOf = (id: string) => env.WEBHOOK_DELIVERY.getByName(id);

/** Waits until the database knows of so many attempts of this round. */
export async function expectAttempts(id: string, count: number) {
  await expect.poll(async () => (await getDelivery(env.DB, id))?.attempts.length, { timeout: 15_000 }).toBe(count);
  const delivery = await getDelivery(env.DB, id);
  if (delivery === null) throw new Error(`There is no delivery ${id}.`);
  return delivery;
}

/** When the object's alarm is set to, Unix ms. */
export async function alarmOf(id: string): Promise<number | null> {
  return await runInDurableObject(stubOf(id), (_, state) => state.storage.getAlarm());
}

/** Lets the time come that the alarm is set to, and the alarm ring. */
export async function ring(id: string, { early = 0 }: { early?: number } = {}): Promise<void> {
  const at = await alarmOf(id);
  if (at === null) throw new Error(`No alarm is set for ${id}.`);
  vi.setSystemTime(Math.max(Date.now(), at - early));
  await runDurableObjectAlarm(stubOf(id));
}

/** What the object keeps. */
export async function keptBy(id: string): Promise<Map<string, unknown>> {
  return await runInDurableObject(stubOf(id), (_, state) => new Map(state.storage.kv.list()));
}

/** Another database for the object, until the function is called that this returns. */
export async function replaceDatabase(id: string, database: D1Database): Promise<() => Promise<void>> {
  const set = (DB: D1Database) =>
    runInDurableObject(stubOf(id), (instance) => {
      (instance as unknown as { env: Env }).env = { ...env, DB };
    });
  await set(database);
  return () => set(env.DB);
}

export const downDatabase = {
  prepare: () => {
    throw new Error("D1 is down");
  },
  batch: async () => Promise.reject(new Error("D1 is down")),
} as unknown as D1Database;

export async function listDeliveries(client: Client, query = ""): Promise<DeliveryRecord[]> {
  const response = await client.call("GET", `/v1/webhooks/deliveries${query}`);
  return (await response.json<{ data: DeliveryRecord[] }>()).data;
}

export async function readSecret(client: Client): Promise<string> {
  const response = await client.call("GET", "/v1/webhooks");
  return (await response.json<{ data: { secret: string } }>()).data.secret;
}

export function bodyOf(post: Post | undefined): string {
  return new TextDecoder().decode(Uint8Array.from(atob(post?.body ?? ""), (character) => character.charCodeAt(0)));
}
