import type { NewBatch, NewPage } from "../../src/account/batches/batch-types";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import type { Batch } from "../../src/model/batch";
import { toPrices } from "../../src/model/prices";
import { stubOf } from "./account";
import { ORIGIN } from "./client";

/** Creates a batch with these URLs, each with its price in credits. By default, it is a free batch of a test key. */
export async function createBatch(
  account: AccountRef,
  urls: readonly string[],
  { credits = [], ...batch }: Partial<NewBatch> & { credits?: readonly number[] } = {},
): Promise<Batch> {
  const pages = urls.map((url, index): NewPage => {
    const price = credits[index] ?? 0;
    const plan = { method: "plain" as const, lines: [{ item: "scrape", credits: price }] };
    return { number: index + 1, url, overrides: {}, secrets: null, rendered: false, credits: price, plan };
  });
  const reply = await stubOf(account).createBatch({
    mode: "test",
    id: newTaggedId(account.tag),
    kind: "batch",
    keyId: "key",
    creditLimit: null,
    endpoint: "scrape",
    request: JSON.stringify({ endpoint: "scrape", defaults: {} }),
    defaults: { formats: ["markdown"] },
    secrets: null,
    origin: ORIGIN,
    webhookUrl: null,
    pageEvents: false,
    labels: null,
    pages,
    prices: toPrices({}),
    first: { rendered: false, credits: credits[0] ?? 0 },
    idempotency: null,
    ...batch,
  });
  if (reply.kind !== "created") throw new Error(`The batch wasn't created: ${reply.kind}.`);
  return reply.batch;
}

/** Waits until a batch has ended, and returns it. */
export async function waitForBatch({ account, mode, id }: Pick<Batch, "account" | "mode" | "id">): Promise<Batch> {
  const reply = await stubOf(account).getBatch({ mode, id }, 60_000);
  if (reply.kind !== "batch" || reply.batch.endedAt === null) throw new Error(`The batch ${id} hasn't ended.`);
  return reply.batch;
}
