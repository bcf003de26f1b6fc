import { createExecutionContext, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { writeLifecycle } from "../../src/account/lifecycle/erase";
import { Account } from "../../src/account/object";
import { app } from "../../src/app";
import { runCron } from "../../src/cron";
import { consumeBatch } from "../../src/queue";
import { browserHost, keyVerifier, oauthStore, rateLimiter } from "../../src/store/namespaces";
import { openObject } from "../support/account";
import { ORIGIN } from "../support/client";

/** A namespace that records the jurisdiction and the name of each object. */
function recorder(objects: string[], jurisdiction = "none") {
  return {
    jurisdiction: (name: string) => recorder(objects, name),
    getByName: (name: string) => void objects.push(`${jurisdiction}: ${name}`),
  };
}

function open(JURISDICTION: string, VERSION?: { id: string }, DATA_JURISDICTION?: string): string[] {
  const objects: string[] = [];
  const [KEY_VERIFIER, RATE_LIMITER, BROWSER_HOST] = [recorder(objects), recorder(objects), recorder(objects)];
  const namespaces = { KEY_VERIFIER, RATE_LIMITER, BROWSER_HOST };
  const bindings = { ...env, JURISDICTION, DATA_JURISDICTION, VERSION, ...namespaces } as unknown as Env;
  keyVerifier(bindings, "hash");
  rateLimiter(bindings, "203.0.113.1");
  browserHost(bindings, "browser-1");
  return objects;
}

it("keeps all objects in JURISDICTION", () => {
  expect(open("")).toEqual(["none: hash", "none: 203.0.113.1", "none: browser-1"]);
  expect(open(" eu ")).toEqual(["eu: hash", "eu: 203.0.113.1", "eu: browser-1"]);
});

it("has browsers for each version of the service, so that a deployment interrupts no render", () => {
  expect(open("", { id: "1a2b" })).toEqual(["none: hash", "none: 203.0.113.1", "none: browser-1@1a2b"]);
});

it("refuses an unknown jurisdiction, because data must stay in its region", () => {
  expect(() => open("EU")).toThrow('JURISDICTION is "EU". It must be "eu", "us", "fedramp" or empty.');
});

describe("a version that `wrangler deploy` deployed without the jurisdiction of the data", () => {
  /** Bindings that record each call of a namespace, the bucket and the database. */
  function withoutJurisdiction(more: Partial<Env> = {}): { bindings: Env; calls: string[] } {
    const calls: string[] = [];
    const record = (name: string) =>
      new Proxy({}, { get: (_, method) => () => calls.push(`${name}.${String(method)}`) });
    const names = ["ACCOUNT", "KEY_VERIFIER", "RATE_LIMITER", "BROWSER_HOST", "CRAWL", "OAUTH_STORE", "STORE", "DB"];
    const recorders = Object.fromEntries(names.map((name) => [name, record(name)]));
    const bindings = { ...env, ...recorders, JURISDICTION: "", DATA_JURISDICTION: "eu", ...more } as Env;
    return { bindings, calls };
  }

  const problem = "The service's data is in the jurisdiction eu, but this version was deployed";

  it.each([
    ["GET", "/health/ready"],
    ["POST", "/v1/scrape?wait=true"],
    ["GET", "/v1/usage"],
    ["POST", "/mcp"],
    ["POST", "/firecrawl/v2/scrape"],
    ["GET", "/admin/v1/accounts"],
    ["GET", "/dashboard"],
    ["POST", "/oauth/register"],
    ["GET", "/screenshots/1"],
  ])("isn't ready, and creates no object for %s %s", async (method, path) => {
    const { bindings, calls } = withoutJurisdiction();
    const headers = { authorization: "Bearer sk_live_unknown" };
    const response = await app.fetch(
      new Request(`${ORIGIN}${path}`, { method, headers }),
      bindings,
      createExecutionContext(),
    );
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("30");
    const message = `${problem} without a jurisdiction. Run 'npm run deploy'.`;
    expect(await response.json()).toMatchObject({ error: { code: "unavailable", message } });
    expect(calls).toEqual([]);
  });

  it("is alive, and a version with the jurisdiction works", async () => {
    const { bindings } = withoutJurisdiction();
    const response = await app.fetch(new Request(`${ORIGIN}/health`), bindings, createExecutionContext());
    expect(response.status).toBe(200);
    expect(open("eu", undefined, "eu")).toEqual(["eu: hash", "eu: 203.0.113.1", "eu: browser-1"]);
  });

  it("runs no cron and handles no message, so that the queue keeps it", async () => {
    const { bindings, calls } = withoutJurisdiction({ JURISDICTION: "us" } as Partial<Env>);
    const message = `${problem} for the jurisdiction us.`;
    await expect(runCron(bindings, Date.now())).rejects.toThrow(message);
    const batch = { queue: "jobs", messages: [] };
    await expect(consumeBatch(batch, bindings, { waitUntil: () => undefined })).rejects.toThrow(message);
    for (const make of [
      () => browserHost(bindings, "runs"),
      () => keyVerifier(bindings, "hash"),
      () => oauthStore(bindings, "clients"),
    ])
      expect(make).toThrow(message);
    expect(calls).toEqual([]);
  });

  it("doesn't move or delete an account's objects in another bucket, and tries again later", async () => {
    const account = await openObject();
    await runInDurableObject(env.ACCOUNT.getByName(account.object), async (_, state) => {
      writeLifecycle(state.storage, { kind: "erasing", tag: account.tag });
      const { bindings, calls } = withoutJurisdiction();
      await new Account(state, bindings).alarm();
      expect(calls).toEqual([]);
      expect(await state.storage.getAlarm()).toBeGreaterThan(Date.now());
    });
  });
});
