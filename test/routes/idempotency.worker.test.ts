import { describe, expect, it } from "vitest";
import { sqlIn } from "../support/account";
import { type Client, createClient, page, querySite, read, refOf } from "../support/client";

async function statusOf(client: Client, id: string): Promise<string | undefined> {
  return (await read(await client.call("GET", `/v1/jobs/${id}`))).status;
}

describe("an Idempotency-Key", () => {
  const headers = (key: string) => ({ headers: { "idempotency-key": key } });

  it.each([
    ["header", (value: string) => ({ headers: { "X-Api-Key": value } })],
    ["typed text", (value: string) => ({ actions: [{ type: "type", selector: "#a", text: value }] })],
  ])("conflicts if only a %s, which is a secret, is different", async (_, toSecret) => {
    const { call } = await createClient({ mode: "test" });
    const send = async (value: string) =>
      (await call("POST", "/v1/scrape", { url: "https://example.com/", ...toSecret(value) }, headers("secret"))).status;
    expect([await send("a"), await send("a"), await send("b")]).toEqual([202, 202, 409]);
  });

  it("creates one job for concurrent equal requests and charges once", async () => {
    const client = await createClient();
    const url = page("article");
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => client.call("POST", "/v1/scrape", { url }, headers("race"))),
    );
    expect(responses.map((response) => response.status)).toEqual(Array(8).fill(202));
    const ids = new Set(await Promise.all(responses.map(async (response) => (await read(response)).job_id)));
    expect(ids.size).toBe(1);
    const [id] = ids;
    await expect.poll(() => statusOf(client, String(id))).toBe("completed");
    expect(await querySite("hits", url)).toBe(1);
    const { data } = await read(await client.call("GET", "/v1/usage"));
    expect(data).toMatchObject({ balance: 99_999, reserved: 0, period: { used: 1 } });
  });

  it("returns the same job for a repeated request, with any wait and any order of fields", async () => {
    const client = await createClient();
    const url = page("article");
    const first = await read(
      await client.call("POST", "/v1/scrape?wait=true", { url, formats: ["text"] }, headers("same")),
    );
    const again = await client.call("POST", "/v1/scrape?wait=true", { formats: ["text"], url }, headers("same"));
    expect([again.status, await read(again)]).toEqual([200, first]);
    const later = await client.call("POST", "/v1/scrape", { url, formats: ["text"] }, headers("same"));
    expect([later.status, await read(later)]).toMatchObject([
      202,
      { job_id: first.job_id, status: "completed", meta: { credits_used: 1, credits_reserved: 0 } },
    ]);
    expect(await querySite("hits", url)).toBe(1);
  });

  it("also returns a failed job, and is separate for each account, mode and endpoint", async () => {
    const client = await createClient();
    const url = page("status?code=404");
    const failed = async (who: typeof client) => {
      const response = await who.call("POST", "/v1/scrape?wait=true", { url }, headers("fail"));
      return [response.status, (await read(response)).job_id];
    };
    const first = await failed(client);
    expect(first[0]).toBe(502);
    expect(await failed(client)).toEqual(first);
    const stranger = await createClient();
    expect((await failed(stranger))[1]).not.toBe(first[1]);
  });

  it("causes 409 with another body, and can be reused after 24 hours", async () => {
    const client = await createClient();
    const send = (url: string) => client.call("POST", "/v1/scrape", { url }, headers("reused"));
    const first = await read(await send(page("article")));
    const conflict = await send(page("article"));
    expect([conflict.status, (await read(conflict)).error.code]).toEqual([409, "idempotency_conflict"]);
    const age = "UPDATE idempotency_keys SET created_at = created_at - 86400001 WHERE job_id = ?1";
    await sqlIn(await refOf(client.accountId), age, first.job_id);
    expect((await send(page("article"))).status).toBe(202);
  });

  it("isn't stored for a refused request, and must have a valid length", async () => {
    const client = await createClient();
    expect((await client.call("POST", "/v1/scrape", { url: "nope" }, headers("refused"))).status).toBe(400);
    expect((await client.call("POST", "/v1/scrape", { url: page("article") }, headers("refused"))).status).toBe(202);
    for (const key of [" ", "x".repeat(256)]) {
      const response = await client.call("POST", "/v1/scrape", { url: page("article") }, headers(key));
      expect([response.status, (await read(response)).error.details?.[0]?.path]).toEqual([400, "Idempotency-Key"]);
    }
  });
});
