import { env } from "cloudflare:workers";
import { selectAll } from "css-select";
import type { AnyNode, Element } from "domhandler";
import { textContent } from "domutils";
import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { runJob } from "../../src/jobs/run-job";
import { newTaggedId } from "../../src/lib/id";
import type { AccountRef } from "../../src/model/account";
import { DEFAULT_EVENTS, WEBHOOK_EVENTS } from "../../src/model/delivery";
import { sqlIn, stubOf } from "../support/account";
import { ORIGIN, page, refOf } from "../support/client";
import { createTestJob, messageOf } from "../support/jobs";
import {
  accountIdOf,
  type SignedUp,
  signUp,
  signUpWithTestKey,
  suspend,
  userIdOf,
  type Visitor,
} from "../support/visitor";
import {
  bodyOf,
  type DeliveryRef,
  deliveryOf,
  dropMessages,
  endJob,
  expectAttempts,
  expectPosts,
  readDelivery,
  receiver,
} from "../support/webhooks";

const PAGE = "/dashboard/webhooks";
const ENDPOINTS = `${PAGE}/endpoints`;
/** The page of the account's webhook URL. */
const DEFAULT = `${ENDPOINTS}/default`;

async function setUrl(visitor: Visitor, url: string, mode = "live"): Promise<void> {
  const response = await visitor.post(DEFAULT, { shown_mode: mode, url, events: [...DEFAULT_EVENTS] });
  expect([response.status, response.headers.get("location")]).toEqual([303, `${DEFAULT}?done=saved`]);
}

async function readSecret(visitor: Visitor): Promise<string> {
  return /id="webhook-secret">(whsec_[\w+/=-]+)</.exec(await visitor.read(DEFAULT))?.[1] ?? "none";
}

/** Sends a test event to a receiver with this behavior, and waits for its attempt. */
async function sendTest(user: SignedUp, behavior: string): Promise<DeliveryRef & { url: string }> {
  const { visitor } = user;
  const url = receiver(behavior);
  await setUrl(visitor, url);
  const sent = await visitor.post(`${DEFAULT}/test`);
  expect(sent.status).toBe(303);
  const id = /deliveries\/([\w-]+)\?done=sent$/.exec(sent.headers.get("location") ?? "")?.[1] ?? "none";
  const delivery = await deliveryOf({ accountId: await accountIdOf(user) }, id);
  await expectAttempts(delivery, 1);
  return { ...delivery, url };
}

/** Signs up a user and reads the webhook settings, which creates the account and its secrets. */
async function signUpWithAccount(): Promise<SignedUp & { account: AccountRef }> {
  const user = await signUp();
  await user.visitor.read(DEFAULT);
  return { ...user, account: await refOf(await accountIdOf(user)) };
}

describe("the webhook's settings", () => {
  it("can be set, changed and removed for each mode", async () => {
    const { visitor } = await signUp();
    await setUrl(visitor, "https://example.org/live");
    expect(await visitor.read(DEFAULT)).toContain('value="https://example.org/live"');
    await visitor.post("/dashboard/mode", { mode: "test" });
    const test = await visitor.read(DEFAULT);
    expect(test).toContain("Webhook URL for test jobs");
    expect(test).not.toContain("https://example.org/live");
    await setUrl(visitor, "https://example.org/test", "test");
    await visitor.post("/dashboard/mode", { mode: "live" });
    const removed = await visitor.post(`${DEFAULT}/delete`);
    expect(removed.headers.get("location")).toBe(`${PAGE}?done=deleted`);
    expect(await visitor.read(PAGE)).toContain(`<a href="${DEFAULT}">Not set</a>`);
    expect(await visitor.read(DEFAULT)).not.toContain("Send test event");
    await visitor.post("/dashboard/mode", { mode: "test" });
    expect(await visitor.read(PAGE)).toContain("https://example.org/test");
  });

  it.each([
    ["", "must be an absolute URL"],
    ["ftp://example.org/", "must be an absolute URL that begins with https://"],
    ["http://example.org/", "must begin with https://"],
    ["https://user:secret@example.org/", "must not contain a user name or password"],
    ["https://10.0.0.1/hook", "private"],
    [`${ORIGIN}/v1/scrape`, "this service"],
    ['https://"><script>alert(1)</script>/', "must be a valid URL"],
  ])("refuse %j as the API does, and keep it in the form", async (url, problem) => {
    const { visitor } = await signUp();
    await setUrl(visitor, "https://example.org/before");
    const response = await visitor.post(DEFAULT, { url, events: "job.failed" });
    expect(response.status).toBe(400);
    const html = await response.text();
    const shown = /id="problem-url">([^<]*)</.exec(html)?.[1] ?? "";
    expect(shown.toLowerCase()).toContain(problem.toLowerCase());
    expect(html).toMatch(/role="alert">Please fix the highlighted fields\.[^<]*</);
    expect(html).toContain('aria-invalid="true"');
    expect(html).not.toContain("<script>alert");
    const escaped = url.replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    expect(html).toContain(`value="${escaped}"`);
    expect(await visitor.read(DEFAULT)).toContain('value="https://example.org/before"');
  });

  it("aren't changed by a form of the other mode", async () => {
    const { visitor } = await signUp();
    await setUrl(visitor, "https://example.org/live");
    const fields = { shown_mode: "test", url: "https://example.org/other", events: "job.failed" };
    for (const action of ["", "/delete", "/rotate", "/test"]) {
      const refused = await visitor.post(`${DEFAULT}${action}`, fields);
      expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("switched to live data")]);
    }
    const html = await visitor.read(DEFAULT);
    expect(html).toContain('value="https://example.org/live"');
    expect(html).toContain('<input type="hidden" name="shown_mode" value="live"/>');
  });

  it("collapse the secret, and a rotation replaces it and keeps the previous one for a day", async () => {
    const { visitor } = await signUp();
    const before = await readSecret(visitor);
    const html = await visitor.read(DEFAULT);
    // The secret is in a collapsed element.
    expect(/<details><summary>Show secret<\/summary>(.*?)<\/details>/s.exec(html)?.[1]).toContain(before);
    const rotated = await visitor.post(`${DEFAULT}/rotate`);
    expect(rotated.headers.get("location")).toBe(`${DEFAULT}?done=rotated`);
    const after = await readSecret(visitor);
    expect(after).toMatch(/^whsec_/);
    expect(after).not.toBe(before);
    const until = /Until <time datetime="([^"]+)"/.exec(await visitor.read(DEFAULT))?.[1] ?? "";
    expect(Date.parse(until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  });

  it("show that the secret can't be decrypted, and allow a rotation", async () => {
    const { visitor, account } = await signUpWithAccount();
    await sqlIn(account, "UPDATE webhooks SET secret = 'v1.AAAA.AAAA'");
    expect(await visitor.read(DEFAULT)).toContain("ENCRYPTION_KEY was changed");
    await visitor.post(`${DEFAULT}/rotate`);
    expect(await readSecret(visitor)).toMatch(/^whsec_/);
  });
});

describe("deliveries", () => {
  it("of a test event show the receiver's response", async () => {
    const user = await signUp();
    const { visitor } = user;
    const { id, url } = await sendTest(user, "ok");
    await expectPosts(url, 1);
    const html = await visitor.read(`${PAGE}/deliveries/${id}?done=sent`);
    expect(html).toContain("A test event was sent. This page shows the receiver&#39;s response.");
    expect(html).toContain(url);
    expect(html).toContain("status 204");
    expect(html).toContain("The receiver accepted the event.");
    expect(html).not.toContain("data-busy");
    expect(await visitor.read(PAGE)).toContain(`href="${PAGE}/deliveries/${id}"`);
  });

  it("of a job link to it, update while they are pending, and can be redelivered", async () => {
    const { visitor, account } = await signUpWithAccount();
    const delivery = await endJob(receiver("fail"), { account });
    const { id } = delivery;
    await expectAttempts(delivery, 1);
    const path = `${PAGE}/deliveries/${id}`;
    const pending = await visitor.read(path);
    expect(pending).toContain(`href="/dashboard/jobs/${id}"`);
    expect(pending).toContain("status 500");
    expect(pending).toContain("response 1");
    expect(pending).toContain("Next attempt");
    expect(pending).toContain(`data-live="${path}" data-busy="true"`);
    expect(await visitor.read(PAGE)).toMatch(/next attempt <time [^>]*>\d{4}-\d\d-\d\d \d\d:\d\d UTC</);

    const again = await visitor.post(`${path}/redeliver`);
    expect([again.status, again.headers.get("location")]).toEqual([303, `${path}?done=again`]);
    await expectAttempts(delivery, 1);
    const html = await visitor.read(path);
    expect(html).toContain("Attempts in earlier rounds");
    expect(html.indexOf("response 2")).toBeLessThan(html.indexOf("response 1"));
    expect(html.indexOf("response 2")).toBeGreaterThan(0);
  });

  it("link to their job, batch or crawl", async () => {
    const { visitor, client } = await signUpWithTestKey();
    await client.call("PUT", "/v1/webhooks", { url: receiver("ok") });
    const events = ["batch.page", "crawl.page"];
    expect((await client.call("POST", "/v1/webhooks/endpoints", { url: receiver("ok"), events })).status).toBe(201);
    const send = async (path: string, body: Record<string, unknown>) =>
      await (await client.call("POST", path, body)).json<{ job_id: string; batch_id: string; crawl_id: string }>();
    const { job_id } = await send("/v1/scrape", { url: "https://example.com/" });
    const { batch_id } = await send("/v1/batch", { endpoint: "scrape", requests: [{ url: "https://example.com/" }] });
    const { crawl_id } = await send("/v1/crawl", { url: "https://example.com/", limit: 1, sitemap: "skip" });
    await visitor.post(`${DEFAULT}/test`);
    const readLinks = async () =>
      selectAll<AnyNode, Element>("#deliveries tbody tr", parseDocument(await visitor.read(PAGE))).map((row) => {
        const [delivery, record] = selectAll<AnyNode, Element>("a", row);
        return {
          event: delivery === undefined ? "" : textContent(delivery),
          page: delivery?.attribs.href ?? "",
          record: record?.attribs.href,
        };
      });
    await expect.poll(async () => (await readLinks()).length).toBe(6);
    const links = await readLinks();
    const pageOf = async (path: string) => {
      const response = await client.call("GET", path);
      return (await response.json<{ pages: { job_id: string }[] }>()).pages[0]?.job_id;
    };
    expect(Object.fromEntries(links.map(({ event, record }) => [event, record]))).toEqual({
      "job.completed": `/dashboard/jobs/${job_id}`,
      "batch.completed": `/dashboard/batches/${batch_id}`,
      "batch.page": `/dashboard/jobs/${await pageOf(`/v1/batch/${batch_id}`)}`,
      "crawl.completed": `/dashboard/batches/${crawl_id}`,
      "crawl.page": `/dashboard/jobs/${await pageOf(`/v1/crawl/${crawl_id}`)}`,
      "webhook.test": undefined,
    });
    for (const { page, record } of links.filter(({ record }) => record !== undefined)) {
      expect((await visitor.get(record ?? "")).status).toBe(200);
      expect(await visitor.read(page)).toContain(`<a href="${record}">`);
    }
  });

  it("can be filtered by status and job", async () => {
    const user = await signUpWithAccount();
    const { visitor, account } = user;
    const delivery = await endJob(receiver("fail"), { account });
    const { id: failing } = delivery;
    const { id: succeeded } = await sendTest(user, "ok");
    await expectAttempts(delivery, 1);
    const listed = async (query: string) =>
      [...(await visitor.read(`${PAGE}${query}`)).matchAll(/href="[^"]*deliveries\/([\w-]+)"/g)].map(([, id]) => id);
    expect(await listed("")).toEqual([succeeded, failing]);
    expect(await listed("?status=pending")).toEqual([failing]);
    expect(await listed("?status=succeeded&job_id=")).toEqual([succeeded]);
    expect(await listed(`?job_id=${failing}`)).toEqual([failing]);
    expect(await listed(`?job_id=${failing}&status=abandoned`)).toEqual([]);
    expect(await visitor.read(`${PAGE}?status=abandoned`)).toContain("No matching deliveries");
    expect(await listed("?status=nonsense&offset=x")).toEqual([succeeded, failing]);
  });

  it("are shown in pages", async () => {
    const { visitor, account } = await signUpWithAccount();
    await dropMessages(account);
    const test = { mode: "live", url: "https://example.org/", origin: ORIGIN } as const;
    for (let i = 0; i < 18; i++) await stubOf(account).sendTest({ ...test, id: newTaggedId(account.tag) });
    const first = await visitor.read(`${PAGE}?status=pending`);
    expect(first).toContain("1–12 of 18");
    expect(first).toContain(`href="${PAGE}?offset=12&amp;status=pending"`);
    expect(first.length).toBeLessThan(20_000);
    const second = await visitor.read(`${PAGE}?offset=12&status=pending`);
    expect(second).toContain("13–18 of 18");
    expect(second.match(/>webhook\.test</g)).toHaveLength(6);
    await sqlIn(account, "DELETE FROM deliveries");
  });

  it("escape the receiver's response", async () => {
    const user = await signUp();
    const { visitor } = user;
    const { account, id } = await sendTest(user, "fail");
    const hostile = '</pre><script>alert(1)</script>"><img src=x onerror=alert(1)>';
    await sqlIn(
      account,
      "UPDATE deliveries SET attempts = ?1",
      JSON.stringify([{ at: 1, status_code: 500, duration_ms: 1, error: hostile, response: hostile }]),
    );
    const html = await visitor.read(`${PAGE}/deliveries/${id}`);
    expect(html).not.toContain("<script>alert");
    expect(html).not.toContain("<img");
    expect(html.match(/&lt;\/pre&gt;&lt;script&gt;alert/g)).toHaveLength(2);
  });

  it("are visible only in their account and mode", async () => {
    const user = await signUp();
    const { visitor } = user;
    const { id } = await sendTest(user, "ok");
    const path = `${PAGE}/deliveries/${id}`;
    const { visitor: other } = await signUp();
    const keptOut = async (who: Visitor) => [
      (await who.get(path)).status,
      (await who.post(`${path}/redeliver`)).status,
    ];
    expect(await keptOut(other)).toEqual([404, 404]);
    expect(await other.read(PAGE)).not.toContain(id);
    await visitor.post("/dashboard/mode", { mode: "test" });
    expect(await keptOut(visitor)).toEqual([404, 404]);
    expect(await visitor.read(PAGE)).not.toContain(id);
    expect((await visitor.get(`${PAGE}/deliveries/nonsense`)).status).toBe(404);
  });

  it("aren't started for a suspended account", async () => {
    const user = await signUp();
    const { id, url } = await sendTest(user, "ok");
    await suspend(user);
    expect((await user.visitor.post(`${DEFAULT}/test`)).status).toBe(403);
    expect((await user.visitor.post(`${PAGE}/deliveries/${id}/redeliver`)).status).toBe(403);
    await expectPosts(url, 1);
  });
});

describe("webhook endpoints", () => {
  async function add(visitor: Visitor, fields: Record<string, string | string[]>): Promise<string> {
    const response = await visitor.post(`${ENDPOINTS}/new`, fields);
    const location = response.headers.get("location") ?? "";
    expect([response.status, location]).toEqual([303, expect.stringContaining("?done=created")]);
    return location.replace(/\?.*/, "");
  }

  it("can be added, changed, tested and deleted", async () => {
    const { visitor } = await signUp();
    const url = receiver("ok");
    const path = await add(visitor, { url, events: "job.failed" });
    const list = await visitor.read(PAGE);
    expect(list).toContain(`href="${path}"`);
    expect(list).toMatch(/<td data-label="Events"[^>]*><div>job\.failed</);
    const secret = /id="webhook-secret">(whsec_[\w+/=-]+)</.exec(await visitor.read(path))?.[1];
    const tested = await visitor.post(`${path}/test`);
    expect(tested.headers.get("location")).toMatch(/deliveries\/[\w-]+\?done=sent$/);
    await expectPosts(url, 1);
    const other = receiver("ok");
    const saved = await visitor.post(path, { url: other, events: [...WEBHOOK_EVENTS] });
    expect(saved.headers.get("location")).toBe(`${path}?done=saved`);
    expect(await visitor.read(PAGE)).toMatch(
      new RegExp(`<td data-label="Events"[^>]*><div>${WEBHOOK_EVENTS.join(", ")}<`),
    );
    await visitor.post(`${path}/rotate`);
    const rotated = await visitor.read(path);
    expect(rotated).toContain(`value="${other}"`);
    expect(rotated).not.toContain(secret);
    const deleted = await visitor.post(`${path}/delete`);
    expect(deleted.headers.get("location")).toBe(`${PAGE}?done=deleted`);
    expect((await visitor.get(path)).status).toBe(404);
  });

  it("can be added until there are ten", async () => {
    const { visitor } = await signUp();
    for (let count = 0; count < 10; count++) {
      expect(await visitor.read(PAGE)).toContain("Add endpoint");
      await add(visitor, { url: `https://example.org/${count}`, events: "job.failed" });
    }
    expect(await visitor.read(PAGE)).not.toContain("Add endpoint");
  });

  it.each([
    [{ url: "https://10.0.0.1/", events: "job.failed" }, "private"],
    [{ url: "https://example.org/hook" }, "At least one event"],
    [{ url: "https://example.org/taken", events: "job.failed" }, "another webhook endpoint"],
  ])("are refused with the reason, and keep the form: %j", async (fields, problem) => {
    const { visitor } = await signUp();
    await setUrl(visitor, "https://example.org/taken");
    const response = await visitor.post(`${ENDPOINTS}/new`, fields);
    const html = await response.text();
    expect(response.status).toBe(400);
    expect(html.toLowerCase()).toContain(problem.toLowerCase());
    expect(html).toContain(`value="${fields.url}"`);
  });

  it("include the webhook URL, whose events can be chosen", async () => {
    const { visitor } = await signUp();
    await setUrl(visitor, "https://example.org/first");
    const fields = { url: "https://example.org/second", events: "job.failed" };
    expect((await visitor.post(DEFAULT, fields)).status).toBe(303);
    expect(await visitor.read(DEFAULT)).toContain('value="https://example.org/second"');
    expect(await visitor.read(PAGE)).toMatch(/<td data-label="Events"[^>]*><div>job\.failed</);
  });

  it("of another account or mode can't be opened or changed", async () => {
    const { visitor } = await signUp();
    const path = await add(visitor, { url: "https://example.org/hook", events: "job.failed" });
    const { visitor: other } = await signUp();
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post(`${path}/delete`)).status).toBe(404);
    await visitor.post("/dashboard/mode", { mode: "test" });
    expect((await visitor.get(path)).status).toBe(404);
    expect((await visitor.post(`${path}/delete`, { shown_mode: "live" })).status).toBe(400);
  });

  it("show their secrets only to members", async () => {
    const { visitor, email } = await signUp();
    const path = await add(visitor, { url: "https://example.org/hook", events: "job.failed" });
    expect(await visitor.read(path)).toContain("whsec_");
    const sql = "UPDATE memberships SET role = 'read_only' WHERE user_id = ?1";
    await env.DB.prepare(sql)
      .bind(await userIdOf(email))
      .run();
    expect(await visitor.read(path)).not.toContain("whsec_");
    expect((await visitor.post(`${path}/rotate`)).status).toBe(403);
  });
});

describe("the repair of deliveries", () => {
  /** Sends the event of a job to the account's URL, which responds with an error. */
  async function failDelivery(user: SignedUp & { account: AccountRef }): Promise<DeliveryRef> {
    await setUrl(user.visitor, receiver("gone"));
    const job = await createTestJob(page("article"), { account: user.account, request: {} });
    await runJob(env, messageOf(job));
    await expectAttempts(job, 1);
    return job;
  }

  it("redelivers all failed events of a period to the current URL", async () => {
    const user = await signUpWithAccount();
    const { visitor, account } = user;
    const { id } = await failDelivery(user);
    const repaired = receiver("ok");
    await setUrl(visitor, repaired);
    await sqlIn(account, "UPDATE deliveries SET created_at = created_at - 1");
    const response = await visitor.post(`${PAGE}/deliveries/redeliver`, { hours: "24" });
    const location = response.headers.get("location") ?? "";
    expect([response.status, location]).toEqual([303, `${PAGE}?done=redelivered&count=1&skipped=0`]);
    expect(await visitor.read(location)).toContain("1 event is being sent again.");
    const [post] = await expectPosts(repaired, 1);
    expect(post?.headers["x-webhook-id"]).toBe(id);
    const again = await visitor.post(`${PAGE}/deliveries/redeliver`, { hours: "24" });
    expect(await visitor.read(again.headers.get("location") ?? "")).toContain("There are no failed events");
  });

  it("says that there are more failed events than one click redelivers", async () => {
    const { visitor, account } = await signUpWithAccount();
    await dropMessages(account);
    await sqlIn(
      account,
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
       INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, created_at)
       SELECT 'live', printf('%06d', i), printf('%06d', i), 'job.failed', 'request', 'https://example.org/', 'example.org', '',
         'abandoned', ?1 FROM n`,
      Date.now() - 1_000,
    );
    const redeliverAll = async () => {
      const response = await visitor.post(`${PAGE}/deliveries/redeliver`, { hours: "24" });
      return await visitor.read(response.headers.get("location") ?? "");
    };
    const first = await redeliverAll();
    expect(first).toContain("10,000 events are being sent again.");
    expect(first).toContain("There are more failed events.");
    const second = await redeliverAll();
    expect(second).toContain("1 event is being sent again.");
    expect(second).not.toContain("There are more failed events.");
    await sqlIn(account, "DELETE FROM deliveries");
  });

  it("redelivers an event to another URL", async () => {
    const user = await signUpWithAccount();
    const { id } = await failDelivery(user);
    const url = receiver("ok");
    const path = `${PAGE}/deliveries/${id}`;
    const refused = await user.visitor.post(`${path}/redeliver`, { url: "https://10.0.0.1/" });
    expect(refused.status).toBe(400);
    const html = await refused.text();
    expect(html).toContain("10.0.0.1 is a private address.");
    expect(html).toContain('value="https://10.0.0.1/"');
    expect((await user.visitor.post(`${path}/redeliver`, { url })).status).toBe(303);
    await expectPosts(url, 1);
    expect(await user.visitor.read(path)).toContain(url);
  });

  it("shows the payload, headers and signature that were sent, without the secret", async () => {
    const user = await signUpWithAccount();
    const { visitor } = user;
    const { id, url } = await sendTest(user, "ok");
    const [post] = await expectPosts(url, 1);
    const html = await visitor.read(`${PAGE}/deliveries/${id}`);
    const codeOf = (name: string) => toText(new RegExp(`<pre id="${name}"><code>([^<]*)`).exec(html)?.[1] ?? "");
    expect(codeOf("sent-payload")).toBe(bodyOf(post));
    for (const name of ["X-Webhook-Signature", "webhook-signature", "webhook-timestamp", "X-Webhook-ID"]) {
      expect(codeOf("sent-headers")).toContain(`${name}: ${post?.headers[name.toLowerCase()]}`);
    }
    expect(codeOf("sent-headers")).toContain(`POST ${url}`);
    expect(html).not.toContain((await readSecret(visitor)).slice(6));
    const download = await visitor.get(`${PAGE}/deliveries/${id}/payload`);
    expect([await download.text(), download.headers.get("content-type")]).toEqual([bodyOf(post), "application/json"]);
    expect(download.headers.get("content-disposition")).toMatch(/^attachment;/);
    expect(download.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

/** Replaces the character references of HTML. */
function toText(html: string): string {
  const characters: Record<string, string> = { "&quot;": '"', "&#39;": "'", "&amp;": "&", "&lt;": "<", "&gt;": ">" };
  return html.replace(/&(?:quot|#39|amp|lt|gt);/g, (reference) => characters[reference] ?? reference);
}

it("counts tests and redeliveries together for the plan's rate limit", async () => {
  const user = await signUp();
  const { visitor } = user;
  const delivery = await sendTest(user, "ok");
  const { id } = delivery;
  const again = () => visitor.post(`${PAGE}/deliveries/${id}/redeliver`);
  for (let i = 0; i < 9; i++) expect((await again()).status).toBe(303);
  const refused = await visitor.post(`${DEFAULT}/test`);
  expect([refused.status, (await again()).status]).toEqual([429, 429]);
  expect(await refused.text()).toContain("10 requests per minute");
  await expect.poll(async () => (await readDelivery(delivery))?.status).toBe("succeeded");
});
