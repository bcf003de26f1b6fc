// Tests the verification of a service that responds to each request in the same wrong way.
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { AdminClient } from "../../scripts/admin/client.ts";
import { verifyDeployment } from "../../scripts/deploy/verify/command.ts";
import { checkScreenshot, toFailure } from "../../scripts/deploy/verify/content.ts";
import type { Context } from "../../scripts/deploy/verify/context.ts";
import { Service } from "../../scripts/deploy/verify/service.ts";
import { readTargets } from "../../scripts/deploy/verify/targets.ts";
import { verify } from "../../scripts/deploy/verify/verify.ts";
import { type Loopback, listen } from "../support/loopback.ts";

const KEY = { id: "key-1", name: "", created_at: new Date().toISOString(), revoked_at: null };
const ABANDONED = { id: "key-0", name: "Verification 0", created_at: "2026-01-01T00:00:00.000Z", revoked_at: null };
let service: Loopback;
let answer: { status: number; body: string };
let deleted: string[];
let changes: unknown[];
let output: string;
/** The number of requests to the service. */
let count = 0;

beforeAll(async () => {
  service = await listen(
    createServer((request, response) => {
      count++;
      if (request.method !== "DELETE") return void response.writeHead(answer.status).end(answer.body);
      deleted.push(request.url ?? "");
      response.writeHead(204).end();
    }),
  );
});
afterAll(() => service.close());
beforeEach(() => {
  answer = { status: 200, body: "{}" };
  deleted = [];
  changes = [];
  output = "";
});

/** Stands in for the admin API. `keys` is called for the list of keys. */
function adminWith(keys: () => unknown = () => [ABANDONED, KEY]): AdminClient {
  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    if (path.startsWith("/accounts?")) return [];
    if (path === "/accounts") return { id: "account-1", suspended_at: null };
    if (path === "/browsers") return { network: "public", shared: false, fetch_via: "fetch", browsers: [] };
    if (method === "GET") return keys();
    if (method === "POST") {
      KEY.name = (body as { name: string }).name;
      return { key: "sk_live_1" };
    }
    changes.push(body);
    return {};
  };
  return { url: service.origin, call: call as AdminClient["call"], send: async () => new Response() };
}

const run = (admin = adminWith()) => verify({ admin, print: (text) => (output += `${text}\n`) });

/** Returns the last column of each row by the row's name. */
function results(): Map<string, string> {
  const rows = output.matchAll(/^(\S.{28}\S?) .* (ok|failed|differs|unclear|info)$/gm);
  return new Map([...rows].map(([, name = "", result = ""]) => [name.trim(), result]));
}

describe("the verification of a service", () => {
  it("fails if each request ends with the wrong error", async () => {
    const error = { code: "target_http_error", message: "The page responded with status 530." };
    answer = { status: 502, body: JSON.stringify({ success: false, error, job_id: "1" }) };
    expect(await run()).toBe(false);
    expect(results()).toEqual(
      new Map([
        ["readiness", "failed"],
        ["time of /health", "info"],
        ["time of a request with a key", "info"],
        ["time of a plain scrape", "info"],
        ["identity of plain requests", "unclear"],
        ["private IP address", "failed"],
        ["public IP address", "differs"],
        ["unknown host name", "failed"],
        ["refused port", "failed"],
        ["expired certificate", "failed"],
        ["unknown host name, rendered", "failed"],
        ["refused port, rendered", "failed"],
        ["expired certificate, rendered", "failed"],
        ["document requested twice", "unclear"],
        ["PDF", "unclear"],
        ["webhooks", "failed"],
        ["browser version", "unclear"],
        ["render with many parts", "unclear"],
        ["large screenshot", "unclear"],
        ["storage of an earlier render", "unclear"],
        ["browser's loopback, as page", "failed"],
        ["browser's loopback, by scripts", "unclear"],
        ["interception, whole browser", "unclear"],
        ["paused targets", "unclear"],
        ["BROWSER_SHARED", "info"],
        ["limits of the plan", "ok"],
        ["key of this run", "ok"],
      ]),
    );
    expect(output).toContain("What this can't see from outside:\n- where the database, the bucket and the objects");
    expect(output).toContain("- unknown host name: Cloudflare's answer has another form than documented.");
    expect(output).toContain("- browser's loopback, as page: A page could control the browser");
  });

  it("revokes its key and the keys of earlier runs that were killed", async () => {
    await run();
    expect(deleted).toEqual(["/v1/keys/key-0", "/v1/keys/key-1"]);
  });

  it("revokes its key if the admin API fails", async () => {
    const admin = adminWith();
    const { call } = admin;
    admin.call = async <Data>(method: string, path: string, body?: unknown) => {
      if (path === "/browsers") throw new Error("Internal error.");
      return await call<Data>(method, path, body);
    };
    await expect(run(admin)).rejects.toThrow("Internal error.");
    expect(deleted).toContain("/v1/keys/key-1");
  });

  it("suspends the account if the key can't be revoked", async () => {
    const keys = () => {
      throw new Error("The keys can't be read.");
    };
    expect(await run(adminWith(keys))).toBe(false);
    expect(changes).toEqual([{ suspended: true }]);
    expect(output).toContain("The account account-1 was suspended instead.");
  });

  it("suspends the account if its key isn't listed", async () => {
    expect(await run(adminWith(() => [ABANDONED]))).toBe(false);
    expect(changes).toEqual([{ suspended: true }]);
  });

  it("names the plan that is required if Cloudflare ends the Worker", async () => {
    answer = { status: 503, body: "error code: 1102" };
    expect(await run()).toBe(false);
    expect(results().get("limits of the plan")).toBe("failed");
    expect(output).toContain("Switch the account to Workers Paid.");
  });
});

describe("the verification after a deployment", () => {
  const project = mkdtempSync(join(tmpdir(), "extraction-verify-"));
  const command = { project, environment: null, print: () => {} };

  afterEach(() => vi.unstubAllEnvs());
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it("says that the service is deployed if its admin API refuses the token", async () => {
    vi.stubEnv("ADMIN_TOKEN", "the previous token");
    answer = { status: 401, body: JSON.stringify({ error: { message: "The admin token is not valid." } }) };
    await expect(verifyDeployment(service.origin, command)).rejects.toThrow(
      "The service is deployed, but it could not be verified: The admin token is not valid.",
    );
  });
});

describe("a check", () => {
  it("isn't waited for if an earlier render had no result", async () => {
    answer = { status: 202, body: JSON.stringify({ success: true, job_id: "1", status: "queued" }) };
    const tested = new Service(service.origin, "sk_live_1", 0);
    const render = { url: "http://127.0.0.1/", render: "always" };
    expect(await tested.scrape({ url: "http://127.0.0.1/" })).toMatchObject({ kind: "unfinished" });
    expect(await tested.scrape(render)).toMatchObject({ kind: "unfinished" });
    const requests = count;
    expect(await tested.scrape(render)).toEqual({ kind: "skipped", ms: 0 });
    expect(count).toBe(requests);
    const skipped = toFailure({ name: "PDF", expected: "text" }, { kind: "skipped", ms: 0 });
    expect(skipped).toMatchObject({ observed: "not tested", status: "unclear" });
    expect(await tested.scrape({ url: "http://127.0.0.1/" })).toMatchObject({ kind: "unfinished" });
  });

  it("names the address of the test pages if a test page doesn't finish", () => {
    const outcome = { kind: "failed", ms: 1, code: "selector_not_found", message: "No element matched." } as const;
    expect(toFailure({ name: "browser version", expected: "Chrome" }, outcome)).toMatchObject({
      status: "failed",
      action: expect.stringContaining("Open the address 'pages' in a browser"),
    });
  });

  it("names PUBLIC_URL if the screenshot's link can't be reached", async () => {
    const screenshot_url = "http://127.0.0.1:1/screenshots/1.png";
    answer = { status: 200, body: JSON.stringify({ success: true, data: { screenshot_url }, job_id: "1" }) };
    const targets = readTargets({ run: "1" });
    const context = { service: new Service(service.origin, "sk_live_1"), targets } as Context;
    expect(await checkScreenshot(context)).toMatchObject({
      status: "failed",
      action: expect.stringMatching(
        /^The response of the screenshot's link \(http:\/\/127\.0\.0\.1:1\): .*Check PUBLIC_URL/,
      ),
    });
  });
});
