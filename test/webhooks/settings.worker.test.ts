import { env } from "cloudflare:workers";
import { verify } from "@octokit/webhooks-methods";
import { describe, expect, it } from "vitest";
import type { RequestContext } from "../../src/endpoints/shared/definition";
import { validateBody } from "../../src/endpoints/validate";
import { newId } from "../../src/lib/id";
import { DAY_MS, MINUTE_MS } from "../../src/model/limits";
import { toPrices } from "../../src/model/prices";
import { checkReceiver } from "../../src/webhooks/check-receiver";
import { findDelivery, redeliver, sendTest, toDeliveryRecord } from "../../src/webhooks/deliveries";
import { send } from "../../src/webhooks/send";
import { changeUrl, type Owner, openSigningSecrets, readSettings, rotate } from "../../src/webhooks/settings";
import { signatureHeaders } from "../../src/webhooks/signature";
import { openObject, sqlIn, stubOf } from "../support/account";
import { ORIGIN, page, site } from "../support/client";
import { expectAttempts, receiver } from "../support/webhooks";

const now = Date.UTC(2026, 10, 21);
const newOwner = async (): Promise<Owner> => ({ account: await openObject(), mode: "live" });
const ofUnknownAccount = (): Owner => ({
  account: { id: "unknown", tag: "0000000000", object: crypto.randomUUID(), jurisdiction: null },
  mode: "live",
});

describe("the webhook settings", () => {
  it("have a secret from the first call, and a different one for each mode and account", async () => {
    const owner = await newOwner();
    const first = await readSettings(env, owner, now);
    expect(first).toMatchObject({ url: null, secret: expect.stringMatching(/^whsec_/), previousSecretExpiresAt: null });
    expect(await readSettings(env, owner, now)).toEqual(first);
    const others = [{ ...owner, mode: "test" as const }, await newOwner()];
    for (const other of others) expect((await readSettings(env, other, now)).secret).not.toBe(first.secret);
    const [row] = await sqlIn(owner.account, "SELECT secret FROM webhooks WHERE mode = 'live'");
    expect(row?.secret).toMatch(/^v1\./);
  });

  it("keep the secret when the URL changes, and the URL when the secret changes", async () => {
    const owner = await newOwner();
    const url = receiver("ok");
    const { secret } = await readSettings(env, owner, now);
    expect(await changeUrl(env, owner, { url, origin: ORIGIN, now })).toMatchObject({ url, secret });
    expect(await readSettings(env, owner, now)).toMatchObject({ url, secret });
    expect(await rotate(env, owner, now)).toMatchObject({ url });
    expect(await changeUrl(env, owner, { url: null, origin: ORIGIN, now })).toMatchObject({ url: null });
    expect(await readSettings(env, owner, now)).toMatchObject({ url: null });
  });

  it("don't accept a URL that isn't public, and keep the old one", async () => {
    const owner = await newOwner();
    const url = receiver("ok");
    await changeUrl(env, owner, { url, origin: ORIGIN, now });
    const changing = changeUrl(env, owner, { url: "https://10.0.0.1/", origin: ORIGIN, now });
    await expect(changing).rejects.toMatchObject({
      code: "invalid_request",
      message: "The parameter 'url' must be publicly reachable: 10.0.0.1 is a private address.",
      details: [{ path: "url", message: "must be publicly reachable: 10.0.0.1 is a private address." }],
    });
    expect(await readSettings(env, owner, now)).toMatchObject({ url });
  });

  it("of an account without an object are unavailable", async () => {
    const owner = ofUnknownAccount();
    await expect(readSettings(env, owner, now)).rejects.toMatchObject({ name: "AppError" });
    await expect(rotate(env, owner, now)).rejects.toMatchObject({ name: "AppError" });
  });

  it("of a changed ENCRYPTION_KEY can't be read, but rotated", async () => {
    const owner = await newOwner();
    await readSettings({ ...env, ENCRYPTION_KEY: "the key before this one" }, owner, now);
    await expect(readSettings(env, owner, now)).rejects.toMatchObject({
      code: "unavailable",
      retryable: false,
      headers: { "Retry-After": "3600" },
      hint: "Create a new secret with POST /v1/webhooks/rotate.",
    });
    expect(await rotate(env, owner, now)).toMatchObject({ previousSecretExpiresAt: null });
  });
});

describe("a rotation", () => {
  it("keeps the replaced secret for 24 hours", async () => {
    const owner = await newOwner();
    const { secret } = await readSettings(env, owner, now);
    const rotated = await rotate(env, owner, now);
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.previousSecretExpiresAt).toBe(now + DAY_MS);
    const expiryAt = async (time: number) => (await readSettings(env, owner, time)).previousSecretExpiresAt;
    expect(await expiryAt(now + DAY_MS - 1)).toBe(now + DAY_MS);
    expect(await expiryAt(now + DAY_MS)).toBeNull();
  });

  it.each([
    ["within five minutes keeps the first secret", 5 * MINUTE_MS - 1, "first"],
    ["after five minutes keeps the second secret", 5 * MINUTE_MS, "second"],
    ["after an hour keeps the second secret", 60 * MINUTE_MS, "second"],
    ["after a day keeps the second secret", DAY_MS + 1, "second"],
  ])("that is repeated %s", async (_, delay, kept) => {
    const owner = await newOwner();
    const { secret: first } = await readSettings(env, owner, now);
    const { secret: second } = await rotate(env, owner, now);
    const { secret: third, previousSecretExpiresAt } = await rotate(env, owner, now + delay);
    const [row] = await sqlIn<{ secret: string; previous_secret: string }>(
      owner.account,
      "SELECT secret, previous_secret FROM webhooks WHERE mode = 'live'",
    );
    const stored = { secret: row?.secret ?? "", previousSecret: row?.previous_secret ?? "" };
    expect(await openSigningSecrets(env, owner, stored)).toEqual({
      current: third,
      previous: kept === "first" ? first : second,
    });
    expect(previousSecretExpiresAt).toBe(kept === "first" ? now + DAY_MS : now + delay + DAY_MS);
  });

  it("has one result for each of several parallel calls", async () => {
    const owner = await newOwner();
    const rotations = await Promise.all([1, 2, 3].map(() => rotate(env, owner, now)));
    expect(new Set(rotations.map(({ secret }) => secret)).size).toBe(3);
    const { secret } = await readSettings(env, owner, now);
    expect(rotations.map((rotation) => rotation.secret)).toContain(secret);
  });
});

describe("the secrets that sign a delivery", () => {
  it("are the current one, created if there is none, and no previous one", async () => {
    const owner = await newOwner();
    const secrets = await openSigningSecrets(env, owner, { secret: null, previousSecret: null });
    expect(secrets).toEqual({ current: (await readSettings(env, owner, now)).secret, previous: null });
  });

  it("sign the body in one or two headers", async () => {
    const body = '{"event":"webhook.test"}';
    const one = await signatureHeaders({ id: "1", body, secrets: { current: "whsec_aaaa", previous: null } }, now);
    expect(one).not.toHaveProperty("X-Webhook-Signature-Previous");
    expect(await verify("whsec_aaaa", body, one["X-Webhook-Signature"] ?? "")).toBe(true);
    const secrets = { current: "whsec_aaaa", previous: "whsec_bbbb" };
    const two = await signatureHeaders({ id: "1", body, secrets }, now);
    expect(two["X-Webhook-Signature"]).toBe(one["X-Webhook-Signature"]);
    expect(await verify("whsec_bbbb", body, two["X-Webhook-Signature-Previous"] ?? "")).toBe(true);
  });
});

describe("a receiver", () => {
  const check = (url: string, more: Partial<Env> = {}) =>
    checkReceiver({ ...env, ...more } as Env, { url, origin: ORIGIN, parameter: "webhook_url" });

  it.each(["https://127.0.0.1/", `${ORIGIN}/v1/jobs`, "https://metadata.google.internal/"])("isn't %s", (url) => {
    expect(() => check(url)).toThrow(
      expect.objectContaining({ details: [{ path: "webhook_url", message: expect.any(String) }] }),
    );
  });

  it.each(["http://example.org/", "http://localhost:3000/hook", "http://192.168.1.5/"])(
    "may not use http in a deployment, even if its host is in ALLOWED_PRIVATE_HOSTS: %s",
    (url) => {
      const { hostname, port } = new URL(url);
      const ALLOWED_PRIVATE_HOSTS = `${hostname}:${port || 80}`;
      // A variable of a deployed Worker is text, so it can't be the list that `npm start` sets.
      for (const LOCAL_RECEIVERS of [undefined, "", "[]", ALLOWED_PRIVATE_HOSTS]) {
        const more = { ALLOWED_PRIVATE_HOSTS, LOCAL_RECEIVERS } as unknown as Partial<Env>;
        expect(() => check(url, more)).toThrow("The parameter 'webhook_url' must begin with https://.");
      }
    },
  );

  it("may use http under npm start if its host is in ALLOWED_PRIVATE_HOSTS or LOCAL_RECEIVERS", () => {
    const local = { ALLOWED_PRIVATE_HOSTS: "localhost:3000, hooks.example:80", LOCAL_RECEIVERS: ["127.0.0.1:8789"] };
    for (const url of ["http://localhost:3000/a", "http://hooks.example/b", "http://127.0.0.1:8789/"]) {
      expect(() => check(url, local)).not.toThrow();
    }
    for (const url of ["http://localhost:3001/", "http://127.0.0.1:3000/", "http://10.0.0.1/", "http://example.org/"]) {
      expect(() => check(url, local)).toThrow("must begin with https://. To use this http URL, add ");
    }
    expect(() => check("http://[::1]:3000/", local)).toThrow(
      "add [::1]:3000 to ALLOWED_PRIVATE_HOSTS (npm start -- --var ALLOWED_PRIVATE_HOSTS:[::1]:3000).",
    );
    for (const url of ["http://user@localhost:3000/", "ftp://localhost:3000/", "https://localhost:3001/"]) {
      expect(() => check(url, local)).toThrow();
    }
  });

  it("in LOCAL_RECEIVERS is reached by webhooks only, not by the targets of requests", () => {
    const url = "http://127.0.0.1:8789/";
    const bindings = { ...env, LOCAL_RECEIVERS: ["127.0.0.1:8789"] } as Env;
    const context: RequestContext = { env: bindings, mode: "live", origin: ORIGIN, prices: toPrices(bindings) };
    const scrape = (body: object) => () => validateBody("scrape", body, context);
    expect(scrape({ url: page("article"), webhook_url: url })).not.toThrow();
    expect(scrape({ url })).toThrow("127.0.0.1 is a loopback address.");
  });

  it("gets events over http under npm start only", async () => {
    const host = new URL(site).host;
    const request = {
      ...{ id: newId(), url: page("article"), origin: ORIGIN, accountId: newId(), attempt: 1, body: "{}" },
      secrets: { current: "whsec_aaaa", previous: null },
    };
    expect(await send({ ...env, ALLOWED_PRIVATE_HOSTS: host }, request)).toMatchObject({
      statusCode: null,
      error: "Not sent: The URL must begin with https://.",
    });
    const sent = await send({ ...env, ALLOWED_PRIVATE_HOSTS: "", LOCAL_RECEIVERS: [host] }, request);
    expect(sent).toMatchObject({ statusCode: 200, error: null });
    await sent.response?.body?.cancel();
  });

  it("isn't at the service's PUBLIC_URL", () => {
    const PUBLIC_URL = "https://public.example";
    expect(() => check(`${PUBLIC_URL}/hook`)).not.toThrow();
    expect(() => check(`${PUBLIC_URL}/hook`, { PUBLIC_URL } as Partial<Env>)).toThrow("publicly reachable");
  });
});

describe("a test event", () => {
  it("needs a webhook URL", async () => {
    await expect(sendTest(env, await newOwner(), ORIGIN)).rejects.toMatchObject({
      code: "invalid_request",
      message: "There is no webhook URL to test. Set one with PUT /v1/webhooks first.",
    });
  });

  it("is listed, can be found and redelivered, and keeps the attempts of all rounds", async () => {
    const owner = await newOwner();
    const { account, mode } = owner;
    const url = receiver("ok");
    await changeUrl(env, owner, { url, origin: ORIGIN, now });
    const { id, jobId, event, url: sentTo } = await sendTest(env, owner, ORIGIN);
    expect({ jobId, event, sentTo }).toEqual({ jobId: null, event: "webhook.test", sentTo: url });
    expect(id.slice(-10)).toBe(account.tag);
    await expectAttempts({ account, mode, id }, 1);
    const list = { limit: 10, offset: 0 };
    expect(await stubOf(account).listDeliveries({ mode, ...list })).toMatchObject({ total: 1 });
    expect(await stubOf(account).listDeliveries({ mode: "test", ...list })).toMatchObject({ total: 0 });
    expect(await redeliver(env, owner, id, { origin: ORIGIN })).toMatchObject({ id, round: 2, status: "pending" });
    await expect
      .poll(async () => {
        const found = await findDelivery(env, owner, id);
        return found === null
          ? 0
          : toDeliveryRecord(found).attempts.filter(({ status_code }) => status_code === 204).length;
      })
      .toBe(2);
    expect(await findDelivery(env, { account, mode: "test" }, id)).toBeNull();
  });

  it("can't be found or redelivered if it doesn't exist", async () => {
    const owner = await newOwner();
    for (const id of [newId(), "x"]) {
      expect(await findDelivery(env, owner, id)).toBeNull();
      const message = `There is no delivery '${id}'.`;
      await expect(redeliver(env, owner, id, { origin: ORIGIN })).rejects.toMatchObject({ code: "not_found", message });
    }
    await expect(findDelivery(env, ofUnknownAccount(), newId())).rejects.toMatchObject({ code: "invalid_api_key" });
  });
});

it("shows a delivery with ISO times, and the attempts of earlier rounds first", () => {
  const attempt = { at: 0, status_code: 500, duration_ms: 3, error: "It failed.", response: "no" };
  const delivery = {
    ...{ id: "d", mode: "live" as const, jobId: "j", event: "job.failed" as const, url: "https://a.example/" },
    ...{ endpointId: "default", payload: null, hook: null, origin: ORIGIN, status: "pending" as const },
    ...{ round: 2, createdAt: 1_000, nextAttemptAt: 2_000, delayedBy: null },
    earlierAttempts: [attempt],
    attempts: [
      { ...attempt, at: 1_000, interrupted: true as const, url: "https://b.example/", request_headers: { a: "b" } },
    ],
  };
  expect(toDeliveryRecord(delivery)).toEqual({
    ...{ id: "d", job_id: "j", event: "job.failed", url: "https://a.example/", status: "pending" },
    endpoint_id: "default",
    attempts: [
      { ...attempt, at: "1970-01-01T00:00:00.000Z", url: null, request_headers: null },
      { ...attempt, at: "1970-01-01T00:00:01.000Z", url: "https://b.example/", request_headers: { a: "b" } },
    ],
    next_attempt_at: "1970-01-01T00:00:02.000Z",
    delayed_by: null,
    created_at: "1970-01-01T00:00:01.000Z",
  });
  expect(toDeliveryRecord({ ...delivery, nextAttemptAt: null }).next_attempt_at).toBeNull();
  expect(toDeliveryRecord({ ...delivery, endpointId: "request" }).endpoint_id).toBeNull();
});
