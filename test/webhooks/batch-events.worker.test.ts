import { describe, expect, it } from "vitest";
import { awaitBatch, postBatch } from "../support/batches";
import { createClient, page, querySite } from "../support/client";
import { bodyOf, expectPosts, listDeliveries, postsTo, receiver } from "../support/webhooks";

type SentEvent = Record<string, unknown> & { event: string; page?: number };

async function eventsAt(url: string, count: number): Promise<SentEvent[]> {
  return (await expectPosts(url, count)).map((post) => JSON.parse(bodyOf(post)) as SentEvent);
}

describe("the events of a batch", () => {
  it("are sent to the URL of its request: one for each page and one for its end", async () => {
    const client = await createClient();
    const hook = receiver("ok");
    const urls = [page("article"), page("status?code=404")];
    const { batch_id } = await postBatch(client, {
      requests: urls.map((url) => ({ url, tags: ["page"] })),
      tags: ["batch"],
      webhook_url: hook,
      webhook_events: ["batch.completed", "batch.page"],
    });
    const { pages, created_at, completed_at } = await awaitBatch(client, batch_id);
    const events = await eventsAt(hook, 3);
    expect(events.filter(({ event }) => event === "batch.completed")).toEqual([
      expect.objectContaining({
        batch_id,
        status: "completed",
        tags: ["batch"],
        counts: { total: 2, pending: 0, running: 0, completed: 1, failed: 1, by_code: { ok: 1, target_http_error: 1 } },
        credits: { reserved: 0, used: 1, given_back: 1 },
        meta: { created_at, completed_at },
      }),
    ]);
    const ofPages = events.filter(({ event }) => event === "batch.page").sort((a, b) => (a.page ?? 0) - (b.page ?? 0));
    expect(ofPages).toMatchObject([
      { batch_id, page: 1, url: urls[0], job_id: pages[0]?.job_id, status: "completed", tags: ["page"], result: {} },
      {
        batch_id,
        page: 2,
        url: urls[1],
        job_id: pages[1]?.job_id,
        status: "failed",
        error: { code: "target_http_error" },
      },
    ]);
    const [delivery] = (await listDeliveries(client)).filter(({ event }) => event === "batch.page");
    expect((await client.call("POST", `/v1/webhooks/deliveries/${delivery?.id}/redeliver`)).status).toBe(202);
    const again = await eventsAt(hook, 4);
    expect(again.filter(({ event }) => event === "batch.page")).toHaveLength(3);
  });

  it("are sent to the account's endpoints, which get the pages only if they have chosen them", async () => {
    const client = await createClient();
    const [all, chosen, jobs] = [receiver("ok"), receiver("ok"), receiver("ok")];
    await client.call("POST", "/v1/webhooks/endpoints", { url: all });
    await client.call("POST", "/v1/webhooks/endpoints", { url: chosen, events: ["batch.page"] });
    await client.call("POST", "/v1/webhooks/endpoints", { url: jobs, events: ["job.completed", "job.failed"] });
    const { batch_id } = await postBatch(client, { requests: [{ url: page("article") }] });
    await awaitBatch(client, batch_id);
    expect((await eventsAt(all, 1)).map(({ event }) => event)).toEqual(["batch.completed"]);
    expect((await eventsAt(chosen, 1)).map(({ event }) => event)).toEqual(["batch.page"]);
    expect(await postsTo(jobs)).toEqual([]);
  });

  it("include exactly one end of a canceled batch", async () => {
    const client = await createClient();
    const hook = receiver("ok");
    const held = page("held");
    const { batch_id } = await postBatch(client, { requests: [{ url: held }], webhook_url: hook });
    await expect.poll(() => querySite("hits", held)).toBe(1);
    await client.call("DELETE", `/v1/batch/${batch_id}`);
    await client.call("DELETE", `/v1/batch/${batch_id}`);
    await querySite("release", held);
    expect(await eventsAt(hook, 1)).toMatchObject([
      { event: "batch.completed", status: "failed", error: { code: "cancelled" } },
    ]);
    expect(await listDeliveries(client)).toHaveLength(1);
  });
});
