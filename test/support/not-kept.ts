import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type { AccountRef } from "../../src/model/account";
import { objectOf, sqlIn } from "./account";
import { type Client, createClient, refOf } from "./client";

/** Creates a client of a new account. */
export async function startClient(mode: "live" | "test" = "live"): Promise<{ client: Client; account: AccountRef }> {
  const client = await createClient({ mode });
  return { client, account: await refOf(client.accountId) };
}

/** Returns the keys of the account's objects in R2. */
export async function objectsOf({ tag }: AccountRef): Promise<string[]> {
  const kinds = ["requests", "results", "screenshots", "captures"];
  const lists = await Promise.all(kinds.map((kind) => env.STORE.list({ prefix: `${kind}/${tag}/` })));
  return lists.flatMap(({ objects }) => objects.map(({ key }) => key));
}

/**
 * Waits until neither R2 nor the account's Durable Object contains data of the requests and results of the account's
 * jobs. If the number of jobs is null, any number is accepted.
 */
export async function expectNothing(account: AccountRef, jobs: number | null): Promise<void> {
  const NOTHING = { request: null, subject: null, result_in: null };
  const read = async () => ({
    jobs: await sqlIn(account, "SELECT request, subject, result_in FROM jobs"),
    payloads: await sqlIn(account, "SELECT * FROM payloads"),
    pages: await sqlIn(account, "SELECT url FROM batch_pages WHERE url <> '' OR overrides <> '{}'"),
  });
  const expected = Array(jobs ?? (await read()).jobs.length).fill(NOTHING);
  await expect.poll(read).toEqual({ jobs: expected, payloads: [], pages: [] });
  await expect
    .poll(async () => {
      await runDurableObjectAlarm(objectOf(account));
      return [...(await objectsOf(account)), ...(await sqlIn(account, "SELECT id FROM temporary_results"))];
    })
    .toEqual([]);
}
