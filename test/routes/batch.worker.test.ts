import { describe, expect, it } from "vitest";
import { sleep } from "../../src/lib/clock";
import { newId } from "../../src/lib/id";
import { awaitBatch, getBatch, postBatch } from "../support/batches";
import { createAccount, createClient, creditsOf, objectOf, page, querySite, read, request } from "../support/client";

describe("a batch", () => {
  it("runs each request as a job and returns its result", async () => {
    const client = await createClient();
    const urls = [page("article"), page("status?code=404"), page("article")];
    const created = await postBatch(client, {
      defaults: { formats: ["text"] },
      requests: [{ url: urls[0] }, { url: urls[1] }, { url: urls[2], formats: ["html"] }],
      tags: ["nightly"],
    });
    expect(created).toMatchObject({
      httpStatus: 202,
      success: true,
      endpoint: "scrape",
      counts: { total: 3 },
      meta: { credits_max: 3 },
      tags: ["nightly"],
    });

    const batch = await awaitBatch(client, created.batch_id);
    expect(batch).toMatchObject({
      status: "completed",
      counts: { total: 3, pending: 0, running: 0, completed: 2, failed: 1, by_code: { ok: 2, target_http_error: 1 } },
      credits: { reserved: 0, used: 2, given_back: 1 },
      tags: ["nightly"],
    });
    expect(
      batch.pages.map(({ number, url, status, outcome, error }) => [number, url, status, outcome ?? error?.code]),
    ).toEqual([
      [1, urls[0], "completed", "ok"],
      [2, urls[1], "failed", "target_http_error"],
      [3, urls[2], "completed", "ok"],
    ]);
    expect(batch.pages.map(({ result }) => Object.keys(result ?? {}))).toEqual([["text"], [], ["html"]]);
    for (const { job_id, url } of batch.pages)
      expect(await read(await client.call("GET", `/v1/jobs/${job_id}`))).toMatchObject({ job_id, request: { url } });
    expect(await Promise.all(urls.map((url) => querySite("hits", url)))).toEqual([1, 1, 1]);
    expect(await creditsOf(client.accountId)).toMatchObject({ used: 2, balance: 99_998 });
  });

  it("returns its pages in parts", async () => {
    const client = await createClient({ mode: "test" });
    const requests = ["a", "b", "c", "d", "e"].map((name) => ({ url: `https://example.com/${name}` }));
    const { batch_id } = await postBatch(client, { requests });
    await awaitBatch(client, batch_id);
    const found: string[] = [];
    for (let query = "?limit=2"; query !== ""; ) {
      const { pages, next_cursor } = await getBatch(client, batch_id, query);
      found.push(...pages.map(({ url }) => url ?? ""));
      query = next_cursor === undefined ? "" : `?limit=2&cursor=${next_cursor}`;
    }
    expect(found).toEqual(requests.map(({ url }) => url));
  });

  it("returns mock results for a test key", async () => {
    const client = await createClient({ mode: "test" });
    const { batch_id, meta } = await postBatch(client, {
      requests: [{ url: "https://example.com/" }, { url: "https://dns.test/" }],
    });
    expect(meta.credits_max).toBe(0);
    const batch = await awaitBatch(client, batch_id);
    expect(batch).toMatchObject({
      counts: { completed: 1, failed: 1, by_code: { ok: 1, dns_failure: 1 } },
      credits: { used: 0, given_back: 0 },
    });
    expect(batch.pages[0]?.result).toMatchObject({ markdown: expect.any(String) });
  });

  it("sends the headers of its defaults and of each request only to the right pages", async () => {
    const client = await createClient();
    const urls = [page("session-leaf"), page("session-leaf"), page("session-leaf")];
    const { batch_id } = await postBatch(client, {
      defaults: { formats: ["html"], headers: { "X-Token": "one" } },
      requests: [{ url: urls[0] }, { url: urls[1], headers: { "X-Token": "two" } }, { url: urls[2], headers: {} }],
    });
    const { counts } = await awaitBatch(client, batch_id);
    expect(counts.completed).toBe(3);
    const recorded = await Promise.all(
      urls.map((url) => querySite<{ headers: Record<string, string> }[]>("recorded", url)),
    );
    expect(recorded.map(([visit]) => visit?.headers["x-token"])).toEqual(["one", "two", undefined]);
    const jobs = await read(await client.call("GET", "/v1/jobs?include=children"));
    expect(JSON.stringify(jobs)).not.toMatch(/"(?:one|two)"/);
  });
});

describe("an invalid batch", () => {
  const valid = { url: "https://example.com/" };

  it("is refused with the path of every wrong parameter, and nothing is charged", async () => {
    const client = await createClient();
    const { httpStatus, error } = await postBatch(client, {
      defaults: { formats: ["text"] },
      requests: [
        { ...valid, formats: ["text"] },
        { ...valid, formats: ["txt"] },
        { url: "ftp://example.com/", formats: ["text"] },
        { formats: ["text"] },
        { ...valid, webhook_url: "https://example.org/", formats: ["text"] },
        "https://example.com/",
        valid,
        valid,
        { url: "http://127.0.0.1:9/", formats: ["text"] },
      ],
    });
    expect([httpStatus, error.code]).toEqual([400, "invalid_request"]);
    expect(error.details?.map(({ path }) => path)).toEqual([
      "requests.1.formats.0",
      "requests.2.url",
      "requests.3.url",
      "requests.4.webhook_url",
      "requests.5",
      "requests.8.url",
    ]);
    expect(await creditsOf(client.accountId)).toMatchObject({ balance: 100_000 });
    expect(await read(await client.call("GET", "/v1/jobs?include=children"))).toMatchObject({
      pagination: { total: 0 },
    });
  });

  it.each([
    [{ requests: [] }, "requests"],
    [{ requests: Array.from({ length: 1_001 }, () => valid) }, "requests"],
    [{ requests: [valid], defaults: { url: "https://example.com/" } }, "defaults.url"],
    [{ requests: [valid], defaults: { dry_run: true } }, "defaults.dry_run"],
    [{ requests: [valid, { url: "x" }], defaults: { formats: ["nonsense"] } }, "defaults.formats.0"],
    [{ requests: [valid], defaults: { tags: ["x".repeat(61 * 1_024)] } }, "defaults"],
    [{ requests: [{ ...valid, html: "<p>" }], endpoint: "parse", defaults: { prompt: "x" } }, "requests.0.html"],
    [{ requests: [{ ...valid, max_credits: 0 }] }, "requests.0.max_credits"],
    [{ requests: [valid], webhook_events: ["batch.page", "batch.completed"] }, "webhook_events"],
    [{ requests: [valid], webhook_url: "https://example.org/", webhook_events: ["batch.page"] }, "webhook_events"],
    [{ requests: [valid], webhook_url: "http://example.org/" }, "webhook_url"],
  ])("%# is refused at the right path", async (body, path) => {
    const { httpStatus, error } = await postBatch(await createClient(), body);
    expect([httpStatus, error.details?.[0]?.path]).toEqual([400, path]);
  });

  it("is refused if its pages together can cost more than max_credits", async () => {
    const [live, test] = [await createClient(), await createClient({ mode: "test" })];
    const body = { requests: [{ url: "https://example.com/a", render: "auto" }, { url: "https://example.com/b" }] };
    for (const client of [live, test]) {
      const refused = await postBatch(client, { ...body, max_credits: 2 });
      expect([refused.httpStatus, refused.error]).toMatchObject([
        402,
        { code: "price_limit", details: [{ path: "max_credits" }], hint: expect.stringContaining("3 or more") },
      ]);
      expect(await postBatch(client, { ...body, max_credits: 3, dry_run: true })).toMatchObject({ httpStatus: 200 });
    }
  });

  it("lets other requests run while many long selectors are checked", async () => {
    const client = await createClient({ mode: "test" });
    const selectors = Array.from({ length: 50 }, (_, i) => `${".a > ".repeat(98)}.b${i}`);
    const requests = Array.from({ length: 1_000 }, (_, i) => ({ url: `https://example.com/${i}` }));
    const checked = postBatch(client, {
      requests,
      defaults: { include_selectors: selectors, exclude_selectors: selectors },
      dry_run: true,
    });
    let isChecked = false;
    void checked.finally(() => (isChecked = true));
    let answered = 0;
    while (!isChecked) {
      if ((await request("/health")).ok) answered++;
      await sleep(0);
    }
    expect(await checked).toMatchObject({ httpStatus: 200, data: { pages: 1_000 } });
    expect(answered).toBeGreaterThan(10);
  });

  it.each([
    ["too many values", { formats: Array.from({ length: 12_000 }, () => "x") }, "defaults.formats.0"],
    [
      "unknown fields",
      Object.fromEntries(Array.from({ length: 4_000 }, (_, i) => [`field${i}`, 1])),
      "defaults.field0",
    ],
  ])("is refused with one list of errors if its defaults have %s", async (_, defaults, path) => {
    const requests = Array.from({ length: 1_000 }, (_, i) => ({ url: `https://example.com/${i}` }));
    const client = await createClient({ mode: "test" });
    const { httpStatus, error } = await postBatch(client, { requests, defaults, ignore_invalid: true, dry_run: true });
    expect([httpStatus, error.details?.[0]?.path, error.details?.length]).toEqual([400, path, 50]);
  });

  it.each([
    ["selectors", "scrape", (i: number) => ({ include_selectors: [`${".a".repeat(240)}${i}`] }), "include_selectors.0"],
    [
      "schemas",
      "parse",
      (i: number) => ({ prompt: "x", schema: { type: "object", description: "x".repeat(480), title: `${i}` } }),
      "schema",
    ],
  ] as const)("can't have too many different %s", async (_, endpoint, toFields, field) => {
    const requests = Array.from({ length: 600 }, (_, i) => ({ url: `https://example.com/${i}`, ...toFields(i) }));
    const client = await createClient({ mode: "test" });
    const { httpStatus, error } = await postBatch(client, { endpoint, requests, dry_run: true });
    expect([httpStatus, error.details?.[0]]).toEqual([
      400,
      { path: expect.stringContaining(field), message: expect.stringContaining("at most 250000 characters") },
    ]);
    const same = requests.map((each) => ({ ...each, ...toFields(1) }));
    expect(await postBatch(client, { endpoint, requests: same, dry_run: true })).toMatchObject({ httpStatus: 200 });
  });

  it("runs its valid requests with ignore_invalid", async () => {
    const client = await createClient({ mode: "test" });
    const requests = [{ url: "x" }, valid, { url: "https://example.com/b", formats: [] }];
    const created = await postBatch(client, { requests, ignore_invalid: true });
    expect(created).toMatchObject({ httpStatus: 202, counts: { total: 1 } });
    expect(created.invalid?.map(({ index, details }) => [index, details[0]?.path])).toEqual([
      [0, "requests.0.url"],
      [2, "requests.2.formats"],
    ]);
    const { pages } = await awaitBatch(client, created.batch_id);
    expect(pages.map(({ url }) => url)).toEqual([valid.url]);
    expect((await postBatch(client, { requests: [{ url: "x" }], ignore_invalid: true })).httpStatus).toBe(400);
  });

  it("isn't found with an unknown id, with another account or with another mode", async () => {
    const client = await createClient({ mode: "test" });
    const { batch_id } = await postBatch(client, { requests: [valid] });
    const other = await createClient({ mode: "test" });
    const live = await createClient({ accountId: client.accountId });
    for (const [caller, id] of [
      [client, newId()],
      [client, "x"],
      [other, batch_id],
      [live, batch_id],
    ] as const) {
      for (const [method, path] of [
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/resume"],
      ] as const) {
        const response = await caller.call(method, `/v1/batch/${id}${path}`);
        expect([response.status, (await read(response)).error.code]).toEqual([404, "not_found"]);
      }
    }
  });

  it("needs the scope of its endpoint", async () => {
    const client = await createClient({ mode: "test", scopes: ["parse", "jobs"] });
    const refused = await postBatch(client, { requests: [valid] });
    expect([refused.httpStatus, refused.error.code]).toEqual([403, "insufficient_scope"]);
    const created = await postBatch(client, {
      endpoint: "parse",
      requests: [valid],
      defaults: { prompt: "The title." },
    });
    expect(created.httpStatus).toBe(202);
    const reader = await createClient({ accountId: client.accountId, mode: "test", scopes: ["scrape", "jobs"] });
    expect((await reader.call("DELETE", `/v1/batch/${created.batch_id}`)).status).toBe(403);
    expect((await reader.call("GET", `/v1/batch/${created.batch_id}`)).status).toBe(200);
  });
});

describe("a canceled batch", () => {
  it("starts no more pages, and gives the credits of unfinished pages back", async () => {
    const accountId = await createAccount({ plan: "free" });
    const client = await createClient({ accountId });
    const urls = [page("article"), ...Array.from({ length: 8 }, () => page("held"))];
    const { batch_id } = await postBatch(client, { requests: urls.map((url) => ({ url })) });
    const counts = async () => (await getBatch(client, batch_id)).counts;
    await expect.poll(counts).toMatchObject({ completed: 1, running: 4 });
    const canceled = await read(await client.call("DELETE", `/v1/batch/${batch_id}`));
    expect(canceled).toMatchObject({
      status: "failed",
      error: { code: "cancelled" },
      counts: { total: 9, pending: 0, running: 0, completed: 1, failed: 8, by_code: { ok: 1, cancelled: 8 } },
      credits: { reserved: 0, used: 1, given_back: 4 },
    });
    expect(await read(await client.call("DELETE", `/v1/batch/${batch_id}`))).toEqual(canceled);
    expect(await read(await client.call("POST", `/v1/batch/${batch_id}/resume`))).toEqual(canceled);
    const { pages } = await getBatch(client, batch_id);
    expect(pages.map(({ status, error, job_id }) => [status, error?.code, job_id !== null])).toEqual([
      ["completed", undefined, true],
      ...Array.from({ length: 4 }, () => ["failed", "cancelled", true]),
      ...Array.from({ length: 4 }, () => ["failed", "cancelled", false]),
    ]);
    expect(await creditsOf(accountId)).toMatchObject({ used: 1, balance: 99_999 });
    for (const url of urls) await querySite("release", url);
  });
});

describe("a batch that runs out of credits", () => {
  it("stops, and continues when it is resumed", async () => {
    const accountId = await createAccount({ credits: 2 });
    const client = await createClient({ accountId });
    const requests = Array.from({ length: 4 }, () => ({ url: page("article") }));
    const { batch_id } = await postBatch(client, { requests });
    const stopped = await awaitBatch(client, batch_id);
    expect(stopped).toMatchObject({
      status: "failed",
      error: { code: "insufficient_credits", message: expect.stringContaining("The balance could not pay") },
      counts: { total: 4, completed: 2, failed: 2, by_code: { ok: 2, insufficient_credits: 2 } },
    });
    expect(stopped.pages.map(({ status, error }) => [status, error?.code])).toEqual([
      ["completed", undefined],
      ["completed", undefined],
      ["failed", "insufficient_credits"],
      ["failed", "insufficient_credits"],
    ]);
    const refused = await client.call("POST", `/v1/batch/${batch_id}/resume`);
    expect([refused.status, (await read(refused)).error.message]).toEqual([
      402,
      "The next page costs 1 credit; the balance is 0.",
    ]);
    await (await objectOf(accountId)).adjust({ key: "more", amount: 10 });
    expect((await client.call("POST", `/v1/batch/${batch_id}/resume`)).status).toBe(202);
    expect(await awaitBatch(client, batch_id)).toMatchObject({
      status: "completed",
      counts: { completed: 4, failed: 0, by_code: { ok: 4 } },
      credits: { used: 4 },
    });
    expect(await creditsOf(accountId)).toMatchObject({ used: 4, balance: 8 });
  });

  it("continues with the raised limit of its key, also if another key resumes it", async () => {
    const owner = await createClient();
    const issued = await owner.call("POST", "/v1/keys", { mode: "live", scopes: ["scrape", "jobs"], credit_limit: 1 });
    const { data } = await issued.json<{ data: { id: string; key: string } }>();
    const headers = { authorization: `Bearer ${data.key}` };
    const { batch_id } = await postBatch(
      owner,
      { requests: [{ url: page("article") }, { url: page("article") }] },
      { headers },
    );
    expect(await awaitBatch(owner, batch_id)).toMatchObject({ counts: { completed: 1, failed: 1 } });
    const resume = async () => (await owner.call("POST", `/v1/batch/${batch_id}/resume`)).status;
    expect(await resume()).toBe(402);
    await owner.call("PATCH", `/v1/keys/${data.id}`, { credit_limit: 2 });
    expect(await resume()).toBe(202);
    expect(await awaitBatch(owner, batch_id)).toMatchObject({ status: "completed", counts: { completed: 2 } });
  });

  it("can be canceled, and then can't be resumed", async () => {
    const accountId = await createAccount({ credits: 1 });
    const client = await createClient({ accountId });
    const { batch_id } = await postBatch(client, { requests: [{ url: page("article") }, { url: page("article") }] });
    await awaitBatch(client, batch_id);
    const canceled = await read(await client.call("DELETE", `/v1/batch/${batch_id}`));
    expect(canceled).toMatchObject({
      status: "failed",
      error: { code: "cancelled" },
      counts: { by_code: { ok: 1, cancelled: 1 } },
    });
    await (await objectOf(accountId)).adjust({ key: "more", amount: 10 });
    expect((await client.call("POST", `/v1/batch/${batch_id}/resume`)).status).toBe(200);
    expect((await getBatch(client, batch_id)).status).toBe("failed");
  });
});
