// Tests the verification of a service that responds to each request in the same wrong way.
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AdminClient } from "../../scripts/admin/client.ts";
import { verify } from "../../scripts/deploy/verify/verify.ts";
import { type Loopback, listen } from "../support/loopback.ts";

const KEY = { id: "key-1", name: "", createdAt: Date.now(), revokedAt: null };
const ABANDONED = { id: "key-0", name: "Verification 0", createdAt: Date.parse("2026-01-01"), revokedAt: null };
let service: Loopback;
let answer: { status: number; body: string };
let deleted: string[];
let changes: unknown[];
let output: string;

beforeAll(async () => {
  service = await listen(
    createServer((request, response) => {
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
    if (path === "/browsers")
      return { network: "public", shared: false, fetch_via: "fetch", render_method: "sessions", browsers: [] };
    if (path === "/renders") return { outcome: "render_failed", ms: 1, html: null };
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
        ["render method sessions", "unclear"],
        ["render method quick-actions", "unclear"],
        ["RENDER_METHOD", "info"],
        ["interception, whole browser", "unclear"],
        ["paused targets", "unclear"],
        ["BROWSER_SHARED", "info"],
        ["limits of the plan", "ok"],
        ["key of this run", "ok"],
      ]),
    );
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
