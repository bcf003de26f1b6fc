import { describe, expect, it } from "vitest";
import { sqlIn } from "../support/account";
import { createClient, page, read, refOf } from "../support/client";
import { bodyOf, expectPosts, receiver } from "../support/webhooks";

interface List {
  data: { job_id: string }[];
  pagination: { total: number };
}

const METADATA = { order: 1042, customer: "Ünal & Co", paid: true };

describe("labels", () => {
  it.each([
    ["scrape", { url: "https://example.com/" }],
    ["parse", { url: "https://example.com/", prompt: "the title" }],
    ["serp", { query: "tide tables" }],
  ])("of a %s are returned by the job and the list", async (endpoint, body) => {
    const { call } = await createClient({ mode: "test" });
    const sent = { ...body, metadata: METADATA, tags: [" prices ", "nightly", "prices"] };
    const { job_id } = await read(await call("POST", `/v1/${endpoint}?wait=true`, sent));
    const expected = { metadata: METADATA, tags: ["prices", "nightly"] };
    expect(await read(await call("GET", `/v1/jobs/${job_id}`))).toMatchObject({ ...expected, request: expected });
    expect((await read(await call("GET", "/v1/jobs"))).data).toMatchObject([expected]);
  });

  it("filter the list", async () => {
    const { call } = await createClient({ mode: "test" });
    const create = async (labels: object) =>
      (await read(await call("POST", "/v1/scrape?wait=true", { url: "https://example.com/", ...labels }))).job_id;
    const both = await create({ tags: ["a", "b"], metadata: { order: 1042, "a b]": "x" } });
    const one = await create({ tags: ["a"], metadata: { order: "1042", paid: false } });
    await create({ tags: ["ab"], metadata: { order: 10421 } });
    await create({});
    const list = async (query: string) => {
      const { data, pagination } = await (await call("GET", `/v1/jobs?${query}`)).json<List>();
      expect(pagination.total).toBe(data.length);
      return data.map((job) => job.job_id);
    };
    expect(await list("tag=a")).toEqual([one, both]);
    expect(await list("tag=a&tag=b")).toEqual([both]);
    expect(await list("metadata[order]=1042")).toEqual([one, both]);
    expect(await list("metadata%5Border%5D=1042&metadata[paid]=false&status=completed&q=EXAMPLE")).toEqual([one]);
    expect(await list(`${encodeURIComponent("metadata[a b]]")}=x`)).toEqual([both]);
    expect(await list("tag=c")).toEqual([]);
    expect(await list("metadata[order]=104")).toEqual([]);
    expect(await list("tag=a&status=failed")).toEqual([]);
  });

  it("are part of webhook events", async () => {
    const { call } = await createClient();
    const url = receiver("ok");
    const labels = { metadata: METADATA, tags: ["prices"] };
    await call("POST", "/v1/scrape", { url: page("article"), webhook_url: url, ...labels });
    const [post] = await expectPosts(url, 1);
    expect(JSON.parse(bodyOf(post))).toMatchObject({ event: "job.completed", ...labels });
  });

  it("of the request are compared for an Idempotency-Key", async () => {
    const { call } = await createClient({ mode: "test" });
    const create = async (metadata: object) => {
      const body = { url: "https://example.com/", metadata };
      return await call("POST", "/v1/scrape", body, { headers: { "Idempotency-Key": "same" } });
    };
    expect((await create({ order: 1 })).status).toBe(202);
    expect((await create({ order: 1 })).status).toBe(202);
    expect((await create({ order: 2 })).status).toBe(409);
  });

  it("take no storage if a request has none", async () => {
    const { accountId, call } = await createClient({ mode: "test" });
    await call("POST", "/v1/scrape?wait=true", { url: "https://example.com/", metadata: {}, tags: [] });
    const { data } = await (await call("GET", "/v1/jobs")).json<List>();
    expect(data[0]).not.toHaveProperty("tags");
    expect(data[0]).not.toHaveProperty("metadata");
    expect(await sqlIn(await refOf(accountId), "SELECT metadata FROM jobs")).toEqual([{ metadata: null }]);
  });

  it.each([
    [{ metadata: { a: { b: 1 } } }, "metadata.a", "nested values aren't supported"],
    [{ metadata: { a: null } }, "metadata.a", "must be a string, a number or a boolean"],
    [{ metadata: [] }, "metadata", "must be an object"],
    [{ metadata: { ["k".repeat(41)]: 1 } }, "metadata", "must have names of 1 to 40 characters"],
    [{ metadata: { a: "é".repeat(1_025) } }, "metadata", "must have at most 2048 bytes as JSON"],
    [
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, index) => [index, 1])) },
      "metadata",
      "must have at most 50 entries, not 51",
    ],
    [{ tags: "a" }, "tags", 'Did you mean ["a"]?'],
    [{ tags: ["  "] }, "tags.0", "must have 1 to 64 characters"],
    [{ tags: ["x".repeat(65)] }, "tags.0", "must have 1 to 64 characters"],
    [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, "tags", "must have at most 20 entries"],
    [{ labels: ["a"] }, "labels", "Did you mean 'tags'?"],
  ])("that break a rule are refused: %j", async (labels, path, message) => {
    const { call } = await createClient({ mode: "test" });
    const response = await call("POST", "/v1/scrape", { url: "https://example.com/", ...labels });
    expect(response.status).toBe(400);
    const { error } = await response.json<{ error: { details: { path: string; message: string }[] } }>();
    expect(error.details[0]).toEqual({ path, message: expect.stringContaining(message) });
  });

  it.each([
    ["metadata=x", "metadata", "must have a key in brackets"],
    ["metadata[]=x", "metadata[]", "must have a key in brackets"],
    ["metadata[a]=x&metadata[a]=y", "metadata[a]", "must not be repeated"],
    ["tag=", "tag", "must have 1 to 64 characters"],
    ["tag=a&tag=", "tag", "must have 1 to 64 characters"],
    ["metdata[a]=x", "metdata[a]", "is not a known parameter"],
  ])("in a wrong filter are refused: %s", async (query, path, message) => {
    const { call } = await createClient();
    const response = await call("GET", `/v1/jobs?${query}`);
    expect(response.status).toBe(400);
    const { error } = await response.json<{ error: { details: { path: string; message: string }[] } }>();
    expect(error.details[0]).toEqual({ path, message: expect.stringContaining(message) });
  });
});
