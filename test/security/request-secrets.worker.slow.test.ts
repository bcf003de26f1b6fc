// Sends a customer's secrets to the shop (support/shop.ts) through every interface, and searches all stored and
// returned texts for them.
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { callAccount } from "../../src/account/client";
import { ENDPOINT_SCHEMAS } from "../../src/contract/endpoint-schemas";
import { runJob } from "../../src/jobs/run-job";
import { MAX_ACTION_TEXT_CHARS } from "../../src/model/limits";
import { expireLease, sqlIn } from "../support/account";
import { type Client, createAccount, createClient, read, refOf } from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";
import { callTool, connectMcp } from "../support/mcp-client";
import { listenToMessages } from "../support/queue-messages";
import { ShopVisit } from "../support/shop-visits";
import { listObjects, readEverything, type StoredText } from "../support/stored-text";
import { addMember, type Visitor } from "../support/visitor";
import { bodyOf, expectPosts, receiver } from "../support/webhooks";

const visit = new ShopVisit();
/** The options with which each page of the shop receives all secrets. */
const SECRETS = { ...visit.partner, basic_auth: visit.basicAuth };
const LOGIN = { url: visit.url("login"), formats: ["text"], actions: visit.signIn, ...SECRETS };
const PLAIN = { url: visit.url("partners"), formats: ["text"], render: "never", ...SECRETS };

/** The texts that must not contain a secret. */
const texts: StoredText[] = [];

function check(place: string, text: string): string {
  texts.push({ place, text });
  return text;
}

/** Calls the API, and keeps the response. */
async function call(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const response = await client.call(method, path, body, { headers });
  const copy = response.clone() as Response;
  check(`${method} ${path}`, JSON.stringify([...copy.headers]) + (await copy.text()));
  return { ...(await read(response)), status: response.status };
}

/** Sends a request that must get this status, and returns the id of its job. */
async function send(client: Client, path: string, body: unknown, status: number): Promise<string> {
  const response = await call(client, "POST", path, body);
  expect([path, response.status, response.error?.code]).toEqual([
    path,
    status,
    status < 400 ? undefined : expect.any(String),
  ]);
  return response.job_id;
}

async function sendRequests(client: Client, test: Client): Promise<string[]> {
  const wrongField = { ...LOGIN, actions: [{ type: "type", selector: "#nothing", text: visit.customer.password }] };
  const ids = await Promise.all([
    send(client, "/v1/scrape?wait=true", PLAIN, 200),
    send(client, "/v1/scrape?wait=true", LOGIN, 200),
    send(client, "/v1/scrape?wait=true", { ...PLAIN, url: visit.url("nothing") }, 502),
    send(client, "/v1/scrape?wait=true", wrongField, 422),
    send(client, "/v1/parse?wait=true", { url: PLAIN.url, prompt: "The price. [[good]]", ...SECRETS }, 200),
    send(test, "/v1/scrape?wait=true", LOGIN, 200),
    send(test, "/v1/scrape", { ...LOGIN, url: "https://http-404.test/" }, 202),
    send(client, "/v1/scrape", { ...PLAIN, proxy_country: "TR" }, 202),
  ]);
  await send(client, "/v1/scrape?wait=true", { ...LOGIN, dry_run: true }, 200);
  const once = { "idempotency-key": crypto.randomUUID() };
  for (const [body, status] of [
    [PLAIN, 200],
    [PLAIN, 200],
    [{ ...PLAIN, cookies: { contract: "another" } }, 409],
  ] as const)
    expect((await call(client, "POST", "/v1/scrape?wait=true", body, once)).status).toBe(status);
  return ids;
}

/** Sends requests that are refused, with a secret in the refused field. */
async function sendBadRequests(client: Client): Promise<void> {
  const { key, contract, password } = visit.customer;
  const bad = [
    { headers: { Host: key } },
    { headers: { "X-Key": `${key}\n` } },
    { headers: [key] },
    { headers: { "X-Key": { value: key } } },
    { cookies: [{ name: "contract", value: `${contract};` }] },
    { cookies: [{ name: "contract", value: contract, domain: "another.example" }] },
    { cookies: { contract: [contract] } },
    { basic_auth: { username: `a:${password}`, password } },
    { basic_auth: password },
    { actions: [{ type: "type", selector: "a[", text: password }] },
    { actions: [{ type: "type", text: password }] },
    { actions: [{ type: "type", selector: "a", text: password.repeat(MAX_ACTION_TEXT_CHARS / 10) }] },
    { ...LOGIN, render: "never" },
  ];
  for (const body of bad) await send(client, "/v1/scrape", { url: PLAIN.url, ...body }, 400);
}

/** Creates a job whose first run is interrupted, and a job that is canceled. Returns their ids. */
async function interruptJobs(accountId: string, visitor: Visitor): Promise<string[]> {
  const account = await refOf(accountId);
  const request = ENDPOINT_SCHEMAS.scrape.request.parse(PLAIN);
  const retried = await createTestJob(PLAIN.url, { account, request });
  const canceled = await createTestJob(PLAIN.url, { account, request });
  await callAccount(env, account, (object) => object.claim(retried, "the first run"));
  const sealed = await sqlIn(account, "SELECT secrets FROM jobs WHERE id = ?1", retried.id);
  expect(sealed).toEqual([{ secrets: expect.stringMatching(/^v1\./) }]);
  await searchStored("while jobs are unfinished");
  await expireLease(account, retried.id);
  expect(await runJob(env, messageOf(retried))).toMatchObject({ kind: "completed" });
  expect((await visitor.post(`/dashboard/playground/cancel?job=${canceled.id}`)).status).toBe(303);
  return [retried.id, canceled.id];
}

async function useWebhook(client: Client): Promise<string> {
  const hook = receiver("ok");
  const id = await send(client, "/v1/scrape", { ...LOGIN, webhook_url: hook }, 202);
  const [post] = await expectPosts(hook, 1);
  expect(bodyOf(post)).toContain("Ada Lovelace");
  check("webhook", JSON.stringify(post?.headers) + bodyOf(post));
  return id;
}

/** Sends the playground's form, and returns the job's id. */
async function usePlayground(visitor: Visitor): Promise<string> {
  const { key, contract, email, password } = visit.customer;
  const response = await visitor.post("/dashboard/playground?endpoint=scrape", {
    url: LOGIN.url,
    formats: "text",
    headers: `X-Partner-Key: ${key}`,
    cookies: `contract=${contract}`,
    basic_auth: `${email}:${password}`,
    actions: JSON.stringify(visit.signIn),
  });
  const location = check("location of the playground", response.headers.get("location") ?? (await response.text()));
  const [, id = ""] = /[?&]job=([\w-]+)#answer$/.exec(location) ?? [];
  const answer = () => visitor.read(`/dashboard/playground/answer?job=${id}`);
  await expect.poll(answer).not.toContain("data-busy");
  expect(await answer()).toContain("Ada Lovelace");
  return id;
}

/** Reads the pages of the dashboard and the lists of the API. */
async function readPages(client: Client, visitor: Visitor, ids: string[]): Promise<void> {
  const paths = ["", "/jobs", "/usage", "/webhooks", "/account", "/account/export", "/playground", "/keys"];
  for (const id of ids) {
    paths.push(`/jobs/${id}`, `/playground?endpoint=scrape&job=${id}`, `/playground/answer?job=${id}`);
    await call(client, "GET", `/v1/jobs/${id}`);
  }
  const { data } = await call(client, "GET", "/v1/webhooks/deliveries");
  for (const { id } of data as unknown as { id: string }[]) {
    paths.push(`/webhooks/deliveries/${id}`, `/webhooks/deliveries/${id}/payload`);
    await call(client, "GET", `/v1/webhooks/deliveries/${id}`);
  }
  for (const path of paths) {
    const response = await visitor.get(`/dashboard${path}`);
    check(path, await response.text());
  }
  for (const path of ["/v1/jobs", "/v1/usage"]) await call(client, "GET", path);
}

let earlierObjects: Set<string>;

async function searchStored(when: string): Promise<void> {
  const stored = await readEverything(earlierObjects);
  for (const { place, text } of stored) check(`${place} ${when}`, text);
}

afterEach(() => vi.restoreAllMocks());

it("keeps the secrets of requests out of everything that is stored, logged or shown", async () => {
  const lines: string[] = [];
  for (const level of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void lines.push(words.map(String).join(" ")));
  const messages: string[] = [];
  const stop = listenToMessages((json) => messages.push(json));
  earlierObjects = await listObjects();

  const accountId = await createAccount();
  const [client, test] = [await createClient({ accountId }), await createClient({ accountId, mode: "test" })];
  const { visitor } = await addMember(accountId, "owner");
  const ids = await sendRequests(client, test);
  await sendBadRequests(client);
  ids.push(...(await interruptJobs(accountId, visitor)), await useWebhook(client), await usePlayground(visitor));
  const { text } = await callTool(await connectMcp(client), "scrape", LOGIN);
  expect(check("MCP", text)).toContain("Ada Lovelace");
  const ended = async () => (await sqlIn(await refOf(accountId), "SELECT id FROM jobs WHERE ended_at IS NULL")).length;
  await expect.poll(ended).toBe(0);
  await readPages(client, visitor, ids);
  await searchStored("at the end");
  stop();
  expect(await sqlIn(await refOf(accountId), "SELECT id FROM jobs WHERE secrets IS NOT NULL")).toEqual([]);

  // Checks that the shop received the secrets, and that the test has searched any texts.
  const received = JSON.stringify(await visit.requests("shop"));
  expect(visit.secretsIn(received).sort()).toEqual(["contract", "credentials", "email", "key", "password", "session"]);
  expect(messages.length).toBeGreaterThan(3);
  expect(lines.length).toBeGreaterThan(10);
  expect(texts.length).toBeGreaterThan(100);
  expect(texts.map(({ text }) => text).join()).toContain("[redacted]");

  for (const line of lines) check("log", line);
  for (const json of messages) check("queue", json);
  for (const request of await visit.requests("other")) check("the other host", JSON.stringify(request));
  const found = texts.flatMap(({ place, text }) => visit.secretsIn(text).map((secret) => `${secret} in ${place}`));
  expect(found).toEqual([]);
});
