import { env } from "cloudflare:workers";
import { describe, expect, inject, it, onTestFinished, vi } from "vitest";
import { forgetDenied, knownDenied, prepareDenied, readDenied } from "../../src/net/denied";
import { call } from "../support/admin";
import { type Client, createClient, creditsOf, page, querySite, read, site } from "../support/client";

const OTHER = site.includes("localhost")
  ? site.replace("localhost", "127.0.0.1")
  : site.replace(/\d+(\.\d+){3}/, "localhost");
const DENIED = new URL(OTHER).hostname;

/** Adds a target to the deny list until the test ends. Without an account, it applies to all accounts. */
async function deny(target: string, account?: string): Promise<void> {
  const entry = { target, ...(account !== undefined && { account }) };
  onTestFinished(async () => {
    await call("POST", "/deny-list/remove", entry);
  });
  expect((await call("POST", "/deny-list", entry)).status).toBe(201);
}

/** Creates a client whose deny list contains the other host name of the test site. */
async function createDenied(): Promise<Client> {
  const client = await createClient();
  await deny(DENIED, client.accountId);
  return client;
}

/** Returns a page with this markup. */
function html(body: string): string {
  return `${page("type")}?${new URLSearchParams({ type: "text/html", body: `<main>${body}</main>` })}`;
}

/** Returns a URL on the denied host that no other test uses. */
function denied(): string {
  return page("article").replace(site, OTHER);
}

describe("a denied host", () => {
  it.each([
    ["/v1/scrape", {}],
    ["/v1/parse", { prompt: "title" }],
    ["/v1/map", {}],
    ["/v1/crawl", { limit: 1 }],
  ])("is refused by %s before a job is created", async (path, more) => {
    const client = await createDenied();
    const url = denied();
    const response = await client.call("POST", path, { url, ...more });
    const { error } = await read(response);
    expect([response.status, error.code]).toEqual([400, "invalid_target"]);
    expect(error.message).toContain(
      `must be an allowed target: ${DENIED} is on the deny list of this service's operator.`,
    );
    expect(error.hint).toContain("contact the operator of this service");
    expect(await querySite("hits", url)).toBe(0);
  });

  it("is omitted from a batch", async () => {
    const client = await createDenied();
    const requests = [{ url: page("article") }, { url: denied() }];
    const response = await client.call("POST", "/v1/batch", { endpoint: "scrape", requests, ignore_invalid: true });
    expect(JSON.stringify(await response.json())).toContain("deny list");
  });

  it.each([false, true])("fails a job that is redirected to it, which is free (rendered: %s)", async (js_render) => {
    const client = await createDenied();
    const to = denied();
    const before = await creditsOf(client.accountId);
    const response = await client.scrape({ url: `${page("redirect")}?to=${encodeURIComponent(to)}`, js_render });
    const { error } = await read(response);
    expect([error.code, await querySite("hits", to)]).toEqual(["invalid_target", 0]);
    expect(error.hint).toContain("contact the operator of this service");
    expect(error.message).toContain("deny list");
    expect(await creditsOf(client.accountId)).toEqual(before);
  });

  it("isn't requested by the resources of a rendered page", async () => {
    const client = await createDenied();
    const [image, script, frame, style] = [denied(), denied(), denied(), denied()];
    const url = html(
      `<h1>Visible</h1><img src="${image}"><script src="${script}"></script><iframe src="${frame}"></iframe><link rel="stylesheet" href="${style}"><script>fetch("${script}", { mode: "no-cors" })</script>`,
    );
    const { data } = await read(await client.scrape({ url, js_render: true, formats: ["text", "screenshot"] }));
    expect(data.text).toContain("Visible");
    for (const resource of [image, script, frame, style]) expect(await querySite("hits", resource)).toBe(0);
  });

  it("isn't reached by an action", async () => {
    const client = await createDenied();
    const to = denied();
    const actions = [{ type: "click", selector: "a" }];
    const response = await client.scrape({ url: html(`<a href="${to}">Go</a>`), js_render: true, actions });
    expect((await read(response)).error?.code).toMatch(/invalid_target|action_failed/);
    expect(await querySite("hits", to)).toBe(0);
  });

  it("isn't allowed as a webhook receiver, and gets no events that are already planned", async () => {
    const client = await createClient();
    const hook = inject("hook");
    const host = new URL(hook).hostname;
    await client.call("PUT", "/v1/webhooks", { url: `${hook}/${crypto.randomUUID()}` });
    await deny(host, client.accountId);
    const refused = await client.call("PUT", "/v1/webhooks", { url: `${hook}/other` });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("deny list")]);
    const sent = await read(await client.call("POST", "/v1/webhooks/test"));
    const { id } = sent.data as unknown as { id: string };
    await expect
      .poll(async () => await (await client.call("GET", `/v1/webhooks/deliveries/${id}`)).text())
      .toContain("Not sent: ");
  });

  it("is refused by the address of its name", async () => {
    const client = await createClient();
    await deny("93.184.216.0/24", client.accountId);
    const { error } = await read(await client.scrape({ url: "http://public.world.example/" }));
    expect([error.code, error.message]).toEqual([
      "invalid_target",
      expect.stringContaining("public.world.example is on the deny list"),
    ]);
    const rendered = await read(await client.scrape({ url: "http://public.world.example/", js_render: true }));
    expect(rendered.error.code).toBe("invalid_target");
  });

  it("of one account isn't refused for other accounts, and one of the operator is refused for all", async () => {
    await createDenied();
    const other = await createClient();
    expect((await other.scrape({ url: denied() })).status).toBe(200);
    await deny("*.denied.example");
    expect((await other.scrape({ url: "https://www.denied.example/" })).status).toBe(400);
  });
});

describe("the lists", () => {
  it("need no query for 30 seconds, and survive an outage of D1", async () => {
    let queries = 0;
    const prepare = (sql: string) => {
      queries++;
      return env.DB.prepare(sql);
    };
    const DB = { prepare } as unknown as D1Database;
    for (let i = 0; i < 3; i++) await readDenied({ DB, SUPPORT_URL: "" }, null);
    expect(queries).toBe(1);
    const broken = {
      prepare: () => {
        throw new Error("D1 is down.");
      },
    } as unknown as D1Database;
    expect(await readDenied({ DB: broken, SUPPORT_URL: "" }, null)).toEqual({ lists: [], contact: null });
  });

  it("are kept if D1 doesn't respond after a change", async () => {
    await deny("kept.example");
    const database = { isDown: false };
    const prepare = (sql: string) => {
      if (database.isDown) throw new Error("D1 is down.");
      return env.DB.prepare(sql);
    };
    const DB = { prepare } as unknown as D1Database;
    await readDenied({ DB, SUPPORT_URL: "" }, null);
    database.isDown = true;
    forgetDenied(DB);
    const { lists } = await readDenied({ DB, SUPPORT_URL: "" }, null);
    expect(lists.some((list) => list.hasHost("kept.example"))).toBe(true);
  });

  it("are waited for until they have been read once, even if the first query failed", async () => {
    await deny("waited.example");
    const database = { isDown: true };
    const prepare = (sql: string) => {
      if (database.isDown) throw new Error("D1 is down.");
      return env.DB.prepare(sql);
    };
    const bindings = { DB: { prepare } as unknown as D1Database, SUPPORT_URL: "" };
    await prepareDenied(bindings, () => {});
    database.isDown = false;
    // The service tries again after ten seconds.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 11_000 });
    onTestFinished(() => void vi.useRealTimers());
    await prepareDenied(bindings, () => {});
    expect(knownDenied(bindings, null).lists.some((list) => list.hasHost("waited.example"))).toBe(true);
  });

  it("are managed through the admin API, and each change is in the audit log", async () => {
    const { accountId: account } = await createClient();
    const entry = { account, target: "*.Shop.Example.", note: "Complaint 12" };
    expect((await call("POST", "/deny-list", entry)).data).toEqual({ target: "*.shop.example" });
    expect((await call("POST", "/deny-list", entry)).status).toBe(201);
    const { data } = await call("GET", `/deny-list?account=${account}`);
    expect(data).toMatchObject([{ target: "*.shop.example", note: "Complaint 12", created_by: "operator" }]);
    const removed = { account, target: "*.SHOP.example" };
    expect((await call("POST", "/deny-list/remove", removed)).data).toEqual([]);
    expect((await call("POST", "/deny-list/remove", removed)).status).toBe(404);
    expect((await call("POST", "/deny-list", { ...entry, target: "https://x.example/" })).status).toBe(400);
    expect((await call("POST", "/deny-list", { ...entry, account: "nothing" })).status).toBe(404);
    const { results } = await env.DB.prepare("SELECT action FROM audit_log WHERE account_id = ?1 ORDER BY id")
      .bind(account)
      .all();
    expect(results).toEqual([{ action: "deny.add" }, { action: "deny.remove" }]);
  });
});
