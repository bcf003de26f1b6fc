import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { createClient, ORIGIN, page, read, refOf, request } from "../support/client";

async function keysOf(prefix: string): Promise<string[]> {
  return (await env.STORE.list({ prefix })).objects.map(({ key }) => key);
}

describe("the tag of an account", () => {
  it("is at the end of the ids of all its jobs", async () => {
    const client = await createClient();
    const { tag } = await refOf(client.accountId);
    const test = await createClient({ accountId: client.accountId, mode: "test" });
    const jobs = [
      await read(await client.scrape({ url: page("article") })),
      await read(await client.call("POST", "/v1/scrape", { url: page("article") })),
      await read(await test.call("POST", "/v1/serp", { query: "tides" })),
    ];
    for (const { job_id } of jobs) expect(job_id).toMatch(new RegExp(`^[0-9a-f-]{26}${tag}$`));
    const other = await createClient();
    expect((await refOf(other.accountId)).tag).not.toBe(tag);
  });

  it("is in the R2 keys of its requests and results", async () => {
    const client = await createClient();
    const { tag } = await refOf(client.accountId);
    const html = `<main><p>${"words ".repeat(20_000)}</p></main>`;
    const test = await createClient({ accountId: client.accountId, mode: "test" });
    const parsed = await read(await test.call("POST", "/v1/parse?wait=true", { html, prompt: "p" }));
    expect(await keysOf(`requests/${tag}/`)).toEqual([`requests/${tag}/${parsed.job_id}`]);
    const { job_id } = await read(await client.scrape({ url: `${page("large")}?words=20000`, formats: ["text"] }));
    expect(await keysOf(`results/${tag}/`)).toEqual([`results/${tag}/${job_id}/1`]);
  });

  it("is enough to find a screenshot by its job's id", async () => {
    const client = await createClient({ mode: "test" });
    const body = { url: "https://example.com/", formats: ["screenshot"] };
    const { data, job_id } = await read(await client.scrape(body));
    const { pathname, search } = new URL(data.screenshot_url ?? "");
    expect(pathname).toBe(`/screenshots/${job_id}`);
    const picture = await request(`${pathname}${search}`);
    expect(picture.status).toBe(200);
    expect(Object.fromEntries(picture.headers)).toMatchObject({
      "content-type": "image/png",
      "cache-control": "private, max-age=3600",
      "content-security-policy": "default-src 'none'; sandbox",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
    });
    await picture.arrayBuffer();
    const { tag } = await refOf((await createClient()).accountId);
    const ofAnother = `/screenshots/${job_id.slice(0, -tag.length)}${tag}${search}`;
    expect((await request(ofAnother)).status).toBe(404);
    expect(data.screenshot_url?.startsWith(ORIGIN)).toBe(true);
  });
});
