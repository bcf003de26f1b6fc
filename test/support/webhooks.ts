import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, inject, vi } from "vitest";
import type { DeliveryRecord } from "../../src/contract/webhooks";
import { runJob } from "../../src/jobs/run-job";
import type { AccountRef } from "../../src/model/account";
import type { Mode } from "../../src/model/api-key";
import type { Delivery } from "../../src/model/delivery";
import { findDelivery } from "../../src/webhooks/deliveries";
import { objectOf, openObject, sqlIn } from "./account";
import { type Client, page, readContract, refOf, site } from "./client";
import { createTestJob, messageOf } from "./jobs";
import type { Post } from "./receiver";

export const receiverOrigin = inject("hook");

/** Identifies a delivery in the tests. */
export interface DeliveryRef {
  account: AccountRef;
  mode: Mode;
  id: string;
}

/** Returns a URL of the receiver that no other test uses. `behavior` selects the response. */
export function receiver(behavior: string): string {
  return `${receiverOrigin}/${crypto.randomUUID()}/${behavior}`;
}

/** Returns the URL with another host name of the same receiver. The service limits concurrent deliveries by host. */
export function atOtherHost(url: string): string {
  return url.replace("localhost", "127.0.0.1");
}

/** Returns the requests to a URL so far. The service's events are checked against the OpenAPI document. */
export async function postsTo(url: string): Promise<Post[]> {
  const response = await fetch(`${site}/__posts?path=${encodeURIComponent(new URL(url).pathname)}`);
  const posts = await response.json<Post[]>();
  const contract = await readContract();
  for (const post of posts.filter(({ headers }) => headers["x-webhook-id"] !== undefined)) {
    expect(contract.eventProblems(post.headers, bodyOf(post)), "the event differs from the OpenAPI document").toEqual(
      [],
    );
  }
  return posts;
}

/** Waits until `count` requests have arrived. */
export async function expectPosts(url: string, count: number): Promise<Post[]> {
  await expect.poll(async () => (await postsTo(url)).length).toBe(count);
  return await postsTo(url);
}

/** Runs an asynchronous job to its end. The service then sends the event to `webhookUrl`. */
export async function endJob(
  webhookUrl: string,
  { account, url = page("article"), bindings = env }: { account?: AccountRef; url?: string; bindings?: Env } = {},
): Promise<DeliveryRef> {
  const job = await createTestJob(url, {
    account: account ?? (await openObject()),
    request: { webhook_url: webhookUrl },
    bindings,
  });
  await runJob(bindings, messageOf(job));
  return job;
}

/** Returns the reference to a delivery of a client's account. */
export async function deliveryOf(client: { accountId: string }, id: string, mode: Mode = "live"): Promise<DeliveryRef> {
  return { account: await refOf(client.accountId), mode, id };
}

/** Reads a delivery from the account's Durable Object. Returns null if the delivery doesn't exist. */
export async function readDelivery(delivery: DeliveryRef): Promise<Delivery | null> {
  return await findDelivery(env, delivery, delivery.id);
}

/** Waits until the delivery has exactly `count` finished attempts, and returns the delivery. */
export async function expectAttempts(delivery: DeliveryRef, count: number): Promise<Delivery> {
  await expect.poll(async () => (await readDelivery(delivery))?.attempts.length).toBe(count);
  const found = await readDelivery(delivery);
  if (found === null) throw new Error(`The delivery ${delivery.id} doesn't exist.`);
  return found;
}

/** Returns the time (Unix ms) at which the account's alarm next handles the delivery, or null if none is scheduled. */
export async function dueAt({ account, mode, id }: DeliveryRef): Promise<number | null> {
  const sql = "SELECT due_at FROM deliveries WHERE mode = ?1 AND id = ?2";
  return (await sqlIn<{ due_at: number | null }>(account, sql, mode, id))[0]?.due_at ?? null;
}

/** Sets the clock to the delivery's due time, minus `early` ms, and runs the account's alarm. */
export async function fireAlarm(delivery: DeliveryRef, { early = 0 }: { early?: number } = {}): Promise<void> {
  const at = await dueAt(delivery);
  if (at === null) throw new Error(`The delivery ${delivery.id} isn't due.`);
  vi.setSystemTime(Math.max(Date.now(), at - early));
  await runDurableObjectAlarm(objectOf(delivery.account));
}

/** Discards the queue messages of an account's deliveries. The returned function restores the queue. */
export async function dropMessages(account: AccountRef): Promise<() => Promise<void>> {
  const set = (bindings: Env) =>
    runInDurableObject(objectOf(account), (instance) => {
      (instance as unknown as { env: Env }).env = bindings;
    });
  await set({ ...env, WEBHOOKS: { sendBatch: async () => {} } as unknown as Queue });
  return () => set(env);
}

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
