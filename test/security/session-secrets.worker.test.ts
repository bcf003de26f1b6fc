import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { createAccount, createClient, page, read, readEnded } from "../support/client";
import { listObjects, readEverything } from "../support/stored-text";
import { signUpWithTestKey } from "../support/visitor";
import { expectPosts, receiver } from "../support/webhooks";

/** Each value contains the mark, so that the test finds every copy. */
const SECRETS = {
  headers: { "X-Api-Key": "sessionmark-header", "X-Other": "sessionmark-other" },
  cookies: [{ name: "session", value: "sessionmark-cookie", path: "/" }],
  basic_auth: { username: "sessionmark-user", password: "sessionmark-password" },
};
/** The mark, also in base64 at each of its three offsets. */
const MARK = /sessionmark|c2Vzc2lvbm1hcm|Nlc3Npb25tYXJr|zZXNzaW9ubWFya/i;

const lines: string[] = [];
const responses: string[] = [];
let earlierObjects: Set<string>;

beforeAll(async () => {
  earlierObjects = await listObjects();
});

afterEach(() => vi.restoreAllMocks());

async function keep(response: Response): Promise<Response> {
  responses.push(`${JSON.stringify([...response.headers])}${await (response.clone() as Response).text()}`);
  return response;
}

/** Sends requests with secrets. Some succeed, some fail and some are refused. */
async function useApi(): Promise<void> {
  const { call: send } = await createClient({ accountId: await createAccount() });
  const call = async (...args: Parameters<typeof send>) => await keep(await send(...args));
  const url = page("session-password");
  for (const more of [{}, { js_render: true }, { url: page("redirect") }, { url: `${page("status")}?code=500` }]) {
    await call("POST", "/v1/scrape?wait=true", { url, ...SECRETS, ...more });
  }
  await call("POST", "/v1/parse?wait=true", { url, prompt: "The heading.", ...SECRETS });
  const hook = receiver("ok");
  const body = { url, webhook_url: hook, ...SECRETS };
  const init = { headers: { "idempotency-key": "once" } };
  const { job_id } = await read(await call("POST", "/v1/scrape", body, init));
  await call("POST", "/v1/scrape", { ...body, headers: { "X-Api-Key": "sessionmark-changed" } }, init);
  await readEnded({ call }, `/v1/jobs/${job_id}`);
  const [post] = await expectPosts(hook, 1);
  responses.push(JSON.stringify(post));
  await call("GET", "/v1/jobs");
  const requests = [{ url }, { url, headers: { "X-Page": "sessionmark-page" } }];
  const batch = { endpoint: "scrape", defaults: SECRETS, requests };
  const { batch_id } = await read(await call("POST", "/v1/batch", batch));
  const crawl = { url, limit: 1, sitemap: "skip", scrape: SECRETS };
  const { crawl_id } = await read(await call("POST", "/v1/crawl", crawl));
  for (const path of [`batch/${batch_id}`, `crawl/${crawl_id}`]) {
    expect((await readEnded({ call }, `/v1/${path}`)).status).toBe("completed");
  }
  await call("GET", "/v1/jobs?include=children");
  for (const invalid of [
    { headers: { Host: "sessionmark" } },
    { headers: { "X-Key": "sessionmark\n" } },
    { headers: "sessionmark" },
    { headers: { "X-Key": ["sessionmark"] } },
    { cookies: "a=sessionmark" },
    { cookies: ["sessionmark"] },
    { cookies: [{ name: "a", value: "sessionmark;" }] },
    { cookies: [{ name: "a", value: { text: "sessionmark" } }] },
    { cookies: { a: "sessionmark\0" } },
    { basic_auth: "sessionmark:sessionmark" },
    { basic_auth: { username: "sessionmark:", password: "sessionmark" } },
    { js_render: "x" },
  ]) {
    const response = await call("POST", "/v1/scrape?wait=true", { url, ...SECRETS, ...invalid });
    expect([invalid, response.status]).toEqual([invalid, 400]);
  }
  await call("POST", "/mcp", {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "scrape", arguments: { url, ...SECRETS } },
  }).catch(() => undefined);
}

/** Runs a request in the playground, and reads the pages that show it later. */
async function useDashboard(): Promise<void> {
  const { visitor } = await signUpWithTestKey();
  const fields = {
    url: "https://shop.example/",
    formats: "text",
    other: JSON.stringify({
      headers: { "X-Api-Key": "sessionmark-header" },
      cookies: { session: "sessionmark-cookie" },
      basic_auth: { username: "sessionmark-user", password: "sessionmark-password" },
    }),
  };
  const response = await visitor.post("/dashboard/playground?endpoint=scrape", fields);
  const location = response.headers.get("location") ?? "";
  const [, id = ""] = /job=([\w-]+)/.exec(location) ?? [];
  expect(id).not.toBe("");
  responses.push(location);
  for (const path of [`playground?job=${id}`, `playground?from=${id}`, `jobs/${id}`, "jobs", "playground"]) {
    const html = await visitor.read(`/dashboard/${path}`);
    if (path.includes(id)) expect(html).toContain("X-Api-Key");
    responses.push(html);
  }
}

it("keeps the headers, cookies and passwords for a target out of all stores, logs, responses and pages", async () => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void lines.push(words.map(String).join(" ")));
  await useApi();
  await useDashboard();
  const stores = (await readEverything(earlierObjects)).map(({ text }) => text);
  // Checks that the test has searched some lines, and that its search can find the mark.
  expect(lines.length).toBeGreaterThan(10);
  expect(responses.length).toBeGreaterThan(25);
  expect(stores.filter((text) => text.includes("[redacted]")).length).toBeGreaterThan(1);
  expect(btoa("x:sessionmark-password")).toMatch(MARK);
  expect(btoa("sessionmark-user:sessionmark-password")).toMatch(MARK);
  expect(lines.filter((line) => MARK.test(line))).toEqual([]);
  expect(responses.filter((text) => MARK.test(text))).toEqual([]);
  expect(stores.filter((text) => MARK.test(text)).map((text) => text.slice(0, 200))).toEqual([]);
  // The end of each job deletes the encrypted values.
  expect(stores.filter((text) => /"secrets":"v1\./.test(text))).toEqual([]);
});
