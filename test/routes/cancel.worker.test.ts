import { describe, expect, it } from "vitest";
import { createClient, creditsOf, page, querySite, read } from "../support/client";

describe("a canceled job", () => {
  it("is failed and free, and canceling it again returns the same", async () => {
    const client = await createClient();
    const held = page("held");
    const { job_id } = await read(await client.call("POST", "/v1/scrape", { url: held }));
    await expect.poll(() => querySite("hits", held)).toBe(1);
    const canceled = await read(await client.call("DELETE", `/v1/jobs/${job_id}`));
    expect(canceled).toMatchObject({ job_id, status: "failed", error: { code: "cancelled" } });
    expect(await read(await client.call("DELETE", `/v1/jobs/${job_id}`))).toEqual(canceled);
    expect(await creditsOf(client.accountId)).toMatchObject({ balance: 100_000, used: 0 });
    await querySite("release", held);
    expect(await read(await client.call("GET", `/v1/jobs/${job_id}`))).toEqual(canceled);
  });

  it("ends the wait of its caller with 409", async () => {
    const client = await createClient();
    const held = page("held");
    const waiting = client.scrape({ url: held });
    await expect.poll(() => querySite("hits", held)).toBe(1);
    const { data } = await (await client.call("GET", "/v1/jobs")).json<{ data: { job_id: string }[] }>();
    await client.call("DELETE", `/v1/jobs/${data[0]?.job_id}`);
    const response = await waiting;
    expect([response.status, (await read(response)).error.code]).toEqual([409, "cancelled"]);
    await querySite("release", held);
  });

  it("is returned unchanged if it had ended", async () => {
    const client = await createClient();
    const { job_id } = await read(await client.scrape({ url: page("article") }));
    const before = await read(await client.call("GET", `/v1/jobs/${job_id}`));
    expect(await read(await client.call("DELETE", `/v1/jobs/${job_id}`))).toEqual(before);
    expect(before.status).toBe("completed");
  });
});
