import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { newId, newTaggedId } from "../../src/lib/id";
import { call } from "../support/admin";
import { postBatch } from "../support/batches";
import { type Client, createAccount, createClient, page, read, refOf } from "../support/client";
import { completeJob } from "../support/complete-job";
import { accountIdOf, type SignedUp, signInAsAdmin, signUp, type Visitor } from "../support/visitor";

const ADMIN = env.ADMIN_EMAILS.toLowerCase().split(", ").at(-1) ?? "";
const at = (accountId: string, rest = "") => `/dashboard/admin/accounts/${accountId}${rest}`;

let admin: Visitor;
let owner: SignedUp;
let client: Client;
let tests: Client;

/** Returns the audit log of the account, oldest first, without the entries of other tests. */
async function views(accountId: string) {
  const { results } = await env.DB.prepare(
    "SELECT actor, action, detail FROM audit_log WHERE account_id = ?1 AND action LIKE '%.view' ORDER BY id",
  )
    .bind(accountId)
    .all<{ actor: string; action: string; detail: string }>();
  return results.map(({ detail, ...entry }) => ({ ...entry, detail: JSON.parse(detail) }));
}

/** Sends the search form. Returns the path of the redirect, or the page if the response isn't a redirect. */
async function find(search: string): Promise<string> {
  const response = await admin.post("/dashboard/admin/find", { search });
  return response.headers.get("location") ?? (await response.text());
}

beforeAll(async () => {
  admin = await signInAsAdmin(ADMIN);
  owner = await signUp();
  const accountId = await accountIdOf(owner);
  client = await createClient({ accountId });
  tests = await createClient({ accountId, mode: "test" });
});

describe("the search of the admin pages", () => {
  it("leads to a failed job by its id and by the X-Request-Id of its response", async () => {
    const response = await client.scrape({ url: `${page("status")}?code=404` });
    const { job_id, error } = await read(response);
    expect(error.request_id).toBe(response.headers.get("x-request-id"));
    const path = `${at(client.accountId, `/jobs/${job_id}`)}?mode=live`;
    for (const text of [job_id, job_id.toUpperCase(), ` ${error.request_id} `]) expect(await find(text)).toBe(path);
    const html = await admin.read(path);
    for (const text of ["target_http_error", job_id, error.request_id]) expect(html).toContain(text);
  });

  it("leads to a test job, and shows its data", async () => {
    const response = await tests.scrape({ url: "https://example.com/" });
    const path = await find(response.headers.get("x-request-id") ?? "");
    const { job_id } = await read(response);
    expect(path).toBe(`${at(client.accountId, `/jobs/${job_id}`)}?mode=test`);
    expect(await admin.read(path)).toContain(job_id);
  });

  it("leads to a batch and to a crawl by their ids and their requests' ids", async () => {
    for (const [path, body] of [
      ["/v1/batch", { endpoint: "scrape", requests: [{ url: page("article") }] }],
      ["/v1/crawl", { url: page("article"), limit: 1 }],
    ] as const) {
      const response = await client.call("POST", path, body);
      const id = response.headers.get("location")?.split("/").at(-1) ?? "";
      const expected = `${at(client.accountId, `/batches/${id}`)}?mode=live`;
      expect(await find(id)).toBe(expected);
      expect(await find(response.headers.get("x-request-id") ?? "")).toBe(expected);
      expect(await admin.read(expected)).toContain(id);
    }
  });

  it("leads to a delivery, whose payload is hidden", async () => {
    const endpoint = "/dashboard/webhooks/endpoints/default";
    await owner.visitor.post(endpoint, { url: "https://receiver.example/hook", events: "job.failed" });
    const sent = await owner.visitor.post(`${endpoint}/test`);
    const [id = ""] = /[0-9a-f-]{36}/.exec(sent.headers.get("location") ?? "") ?? [];
    const path = await find(id);
    expect(path).toBe(`${at(client.accountId, `/webhooks/deliveries/${id}`)}?mode=live`);
    const html = await admin.read(path);
    expect(html).toContain("The payload is hidden");
    expect(html).not.toContain("Send with curl");
  });

  it("leads to the keys of an account by the whole key and by what the dashboard shows of it", async () => {
    const label = client.secret.slice(0, 12);
    const keys = at(client.accountId, "/keys");
    expect(await find(client.secret)).toBe(keys);
    expect(await find(`${label}…${client.secret.slice(-4)}`)).toBe(keys);
    expect(await find(`${label}...${client.secret.slice(-4)}`)).toBe(keys);
    // The URL doesn't contain the search text, which can be almost a key.
    for (const text of [client.secret.slice(0, 16), client.secret.slice(0, -1)]) expect(await find(text)).toBe(keys);
    expect(await find(client.keyId)).toBe(keys);
    expect(await find(`${label}…0000`)).toContain("No matching API keys");
  });

  it("leads to an account by its id, its tag and a member's address", async () => {
    const account = await refOf(client.accountId);
    for (const text of [account.id, account.tag, owner.email]) expect(await find(text)).toBe(at(account.id));
    expect(await find("no such name")).toBe("/dashboard/admin?search=no%20such%20name");
  });

  it("names the account and the log's filter for a request without a job", async () => {
    const refused = await client.scrape({ url: "not a url" });
    const id = refused.headers.get("x-request-id") ?? "";
    expect(refused.status).toBe(400);
    const html = await find(id);
    expect(html).toContain(at(client.accountId));
    expect(html).toContain(`request_id = &quot;${id}&quot;`);
    const { headers } = await client.call("GET", "/v1/jobs", undefined, { headers: { authorization: "Bearer x" } });
    expect(await find(headers.get("x-request-id") ?? "")).toContain("No account has this ID");
  });

  it("is also an operation of the admin API", async () => {
    const response = await client.scrape({ url: page("article") });
    const { job_id } = await read(response);
    const records = [{ kind: "job", mode: "live", id: job_id }];
    const query = response.headers.get("x-request-id");
    const found = await call("POST", "/find", { query });
    expect(found.data).toMatchObject({ kind: "records", account: { id: client.accountId }, records });
    expect((await call("POST", "/find", { query: client.secret })).data).toMatchObject({
      kind: "keys",
      keys: [{ id: client.keyId, account: { id: client.accountId } }],
    });
    expect((await call("POST", "/find", { query: "" })).status).toBe(400);
    const unknown = newId();
    const note = expect.stringContaining(`Search the log for request_id = "${unknown}".`);
    expect((await call("POST", "/find", { query: unknown })).data).toEqual({ kind: "no_account", note });
  });
});

describe("the view of a customer's account", () => {
  const PAGES = ["/jobs", "/batches", "/keys", "/webhooks", "/usage"];

  it("has the customer's pages without links to the admin's own data", async () => {
    const job = await completeJob(await refOf(client.accountId), "ok");
    for (const path of PAGES) {
      const html = await admin.read(at(client.accountId, path));
      expect(html).toContain("You can&#39;t change anything on these pages");
      const main = html.slice(html.indexOf("<main"));
      const links = [...main.matchAll(/(?:href|action|data-live)="(\/dashboard[^"]*)"/g)].map(([, href = ""]) => href);
      const outside = links.filter((href) => !href.startsWith(at(client.accountId)) && href !== "/dashboard/mode");
      expect([path, outside]).toEqual([path, []]);
    }
    expect(await admin.read(at(client.accountId, "/jobs"))).toContain(at(client.accountId, `/jobs/${job.id}`));
  });

  it("redirects from the job list's search to the job or batch in the view, in either mode", async () => {
    const { batch_id } = await postBatch(tests, { requests: [{ url: "https://example.com/" }] });
    for (const mode of ["live", "test"] as const) {
      const { id } = await completeJob(await refOf(client.accountId), "ok", { mode });
      for (const path of mode === "live" ? [`/jobs/${id}`] : [`/jobs/${id}`, `/batches/${batch_id}`]) {
        const response = await admin.get(at(client.accountId, `/jobs?mode=live&q=${path.split("/").at(-1)}`));
        expect(response.headers.get("location")).toBe(`${at(client.accountId, path)}?mode=${mode}`);
        expect(await admin.read(response.headers.get("location") ?? "")).toContain(`<dt>Mode</dt><dd>${mode}</dd>`);
      }
    }
  });

  it("hides the secrets of the account", async () => {
    expect(await owner.visitor.read("/dashboard/webhooks/endpoints/default")).toContain("whsec_");
    expect(await admin.read(at(client.accountId, "/webhooks"))).not.toContain("whsec_");
    expect((await admin.get(at(client.accountId, "/webhooks/endpoints/default"))).status).toBe(404);
    expect(await admin.read(at(client.accountId, "/keys"))).not.toContain(client.secret);
  });

  it("shows the request without its secrets and without the customer's HTML", async () => {
    const headers = { authorization: "Bearer target secret" };
    const { job_id } = await read(await client.scrape({ url: page("article"), headers }));
    const html = await admin.read(at(client.accountId, `/jobs/${job_id}`));
    expect(html).not.toContain("target secret");
    const body = { html: "<h1>Private page</h1>", prompt: "title" };
    const parsed = await read(await tests.call("POST", "/v1/parse?wait=true", body));
    const shown = await admin.read(at(client.accountId, `/jobs/${parsed.job_id}`));
    expect(shown).toContain("(hidden)");
    expect(shown).not.toContain("Private page");
  });

  it("shows a result only for a reason, which the audit log records", async () => {
    const { job_id, data } = await read(await client.scrape({ url: page("article"), formats: ["text"] }));
    const text = (data.text ?? "").trim().slice(0, 20);
    const path = at(client.accountId, `/jobs/${job_id}`);
    const results = at(client.accountId, `/results/${job_id}`);
    expect(await admin.read(path)).not.toContain(text);
    const refused = await admin.post(results, { reason: "" });
    expect([refused.status, (await refused.text()).includes(text)]).toEqual([400, false]);
    const shown = await admin.post(results, { reason: "Ticket 4711" });
    expect([shown.status, (await shown.text()).includes(text)]).toEqual([200, true]);
    expect(await views(client.accountId)).toContainEqual({
      ...{ actor: ADMIN, action: "result.view" },
      detail: { job: job_id, reason: "Ticket 4711" },
    });
  });

  it("records each page once per hour and admin", async () => {
    const { accountId } = await createClient();
    for (const path of ["/jobs", "/jobs?q=x", "/keys"]) await admin.read(at(accountId, path));
    const entry = { actor: ADMIN, action: "account.view" };
    expect(await views(accountId)).toEqual([
      { ...entry, detail: { page: "/jobs" } },
      { ...entry, detail: { page: "/keys" } },
    ]);
    expect(await admin.read(at(accountId))).toContain("account.view");
  });

  it("has no other pages of the customer", async () => {
    const { id } = await completeJob(await refOf(client.accountId), "ok");
    for (const path of ["/keys/new", `/jobs/${id}/result`, `/jobs/${id}/screenshot`, "/account", "/settings", "/plan"])
      expect([path, (await admin.get(at(client.accountId, path))).status]).toEqual([path, 404]);
    expect((await admin.get(at(newId(), "/jobs"))).status).toBe(404);
    expect((await admin.get(at(await createAccount(), `/jobs/${newTaggedId("0123456789")}`))).status).toBe(404);
  });

  it("doesn't exist for other users", async () => {
    const { id } = await completeJob(await refOf(client.accountId), "ok");
    for (const path of [...PAGES, `/jobs/${id}`])
      expect([path, (await owner.visitor.get(at(client.accountId, path))).status]).toEqual([path, 404]);
    const result = await owner.visitor.post(at(client.accountId, `/results/${id}`), { reason: "Curiosity" });
    expect(result.status).toBe(404);
    expect((await owner.visitor.post("/dashboard/admin/find", { search: id })).status).toBe(404);
  });
});

describe("the deny list's pages", () => {
  it.each(["/dashboard/admin/deny-list", "account"])(
    "show the targets and the command that adds one: %s",
    async (place) => {
      const account = place === "account" ? await createAccount() : undefined;
      const path = account === undefined ? place : at(account, "/deny-list");
      const target = `*.${crypto.randomUUID()}.example`;
      await call("POST", "/deny-list", { account, target, note: "Complaint 12" });
      const html = await admin.read(path);
      for (const text of [target, "Complaint 12", "operator", "npm run admin -- deny add"])
        expect(html).toContain(text);
      await call("POST", "/deny-list/remove", { account, target });
      expect(await admin.read(path)).not.toContain(target);
      expect((await owner.visitor.get(path)).status).toBe(404);
      expect((await admin.post(path, { target: "a.example", note: "" })).status).toBe(404);
    },
  );
});
