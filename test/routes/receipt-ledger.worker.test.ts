// Sends random requests. The receipts must add up to the ledger, a dry run must never return less than the charge, and
// a charge must never exceed `max_credits`.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Receipt } from "../../src/model/receipt";
import { stubOf } from "../support/account";
import { call } from "../support/admin";
import { type Client, createAccount, createClient, creditsOf, page, refOf } from "../support/client";

const htmlOf = (body: string) => `${page("type")}?${new URLSearchParams({ type: "text/html", body })}`;
const MISSING = "<title>Page not found</title><main><h1>404</h1><p>This page doesn't exist.</p></main>";
const SHELL =
  '<title>Shop</title><body><noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script>0</script>';
const SCRIPTED =
  '<title>Shop</title><body><div id="root"></div><script>onload = () => { root.innerHTML = "<h1>Kettles</h1><p>" + "All of our kettles are made of copper and boil within two minutes. ".repeat(9) }</script>';

const target = fc
  .constantFrom(
    () => page("article"),
    () => page("pdf"),
    () => htmlOf(MISSING),
    () => htmlOf(SHELL),
    () => htmlOf(SCRIPTED),
    () => `${page("status")}?code=404`,
    () => page("block-page"),
    () => `${page("type")}?type=text/plain&body=words`,
  )
  .map((make) => make());

/** The prompt selects the behavior of the stand-in model. */
const prompt = fc.constantFrom("good", "refuse", "violate", "violate-once").map((behavior) => {
  return `The title. [[${behavior} ${crypto.randomUUID()}]]`;
});
const schema = fc.constantFrom(undefined, { type: "object", properties: { title: { type: "string" } } });
const max_credits = fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined });

const scrape = fc
  .record({
    url: target,
    formats: fc.uniqueArray(fc.constantFrom("markdown", "html", "metadata", "summary", "json"), { minLength: 1 }),
    render: fc.constantFrom(undefined, "never", "auto", "auto", "always"),
    max_credits,
    json: fc.record({ prompt, schema }),
  })
  .map(({ json, ...body }) => ({ endpoint: "scrape", body: body.formats.includes("json") ? { ...body, json } : body }));
const parse = fc
  .record({ url: target, prompt, schema, max_credits })
  .map((body) => ({ endpoint: "parse", body: body as object }));
const serp = fc
  .record({ behavior: fc.constantFrom("good", "none", "blocked"), max_credits })
  .map(({ behavior, ...body }) => ({
    endpoint: "serp",
    body: { ...body, engine: "bing", query: `harbour cranes [[${behavior} ${crypto.randomUUID()}]]` },
  }));
const requests = fc.oneof({ weight: 4, arbitrary: scrape }, parse, serp);

type Extraction = { endpoint: string; body: object & { max_credits?: number | undefined } };
interface Answer {
  data: Record<string, unknown>;
  error?: { code: string };
  job_id?: string;
}

async function send(client: Client, { endpoint, body }: Extraction, more: object = {}) {
  const response = await client.call("POST", `/v1/${endpoint}?wait=true`, { ...body, ...more });
  return { status: response.status, ...(await response.json<Answer>()) };
}

async function readMeta(client: Client, id: string) {
  const response = await client.call("GET", `/v1/jobs/${id}`);
  return (await response.json<{ meta: { credits_used: number; receipt: Receipt } }>()).meta;
}

/** Sends the dry run and the request. Returns the credits that were charged. */
async function spend(client: Client, request: Extraction, isTest: boolean): Promise<number> {
  const { max_credits: limit = Number.POSITIVE_INFINITY } = request.body;
  const checked = await send(client, request, { dry_run: true });
  const done = await send(client, request);
  // The request must be refused if and only if the dry run is.
  if (checked.status !== 200) {
    expect([done.status, done.error?.code, done.job_id]).toEqual([checked.status, checked.error?.code, undefined]);
    return 0;
  }
  const { credits_used: charged, receipt } = await readMeta(client, done.job_id ?? "");
  expect(receipt.total).toBe(charged);
  expect(receipt.lines.reduce((sum, { credits }) => sum + credits, 0)).toBe(charged);
  expect(charged).toBeLessThanOrEqual(Number(checked.data.max_credits));
  expect(Number(checked.data.max_credits)).toBeLessThanOrEqual(limit);
  if (done.status !== 200 || isTest) expect(charged).toBe(0);
  if (charged === 0) expect(receipt.lines.at(-1)).toMatchObject({ item: "refund", reason: expect.any(String) });
  return charged;
}

it("the receipts of random requests add up to the ledger, and stay within the limits", {
  timeout: 300_000,
}, async () => {
  const scenario = fc.record({
    list: fc.array(requests, { minLength: 4, maxLength: 7 }),
    credits: fc.constantFrom(8, 40),
    isFreeCharged: fc.boolean(),
    isTest: fc.constantFrom(false, false, false, true),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ list, credits, isFreeCharged, isTest }) => {
      const accountId = await createAccount({ credits });
      const client = await createClient({ accountId, mode: isTest ? "test" : "live" });
      if (isFreeCharged) await call("PATCH", `/accounts/${accountId}`, { charge_free_outcomes: true });
      let total = 0;
      for (const request of list) total += await spend(client, request, isTest);
      expect(await creditsOf(accountId)).toEqual({ balance: credits - total, granted: credits, used: total });
      expect(await stubOf(await refOf(accountId)).inspect()).toMatchObject({ reserved: 0 });
      const usage = await (await client.call("GET", "/v1/usage")).json<{ data: { by_key: { credits: number }[] } }>();
      expect(usage.data.by_key.reduce((sum, key) => sum + key.credits, 0)).toBe(total);
    }),
    { numRuns: 20, interruptAfterTimeLimit: 150_000, endOnFailure: true },
  );
});
