import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BrowserReport, Context } from "../../scripts/deploy/verify/context";
import { CASES, toResult } from "../../scripts/deploy/verify/errors";
import { readHeaders, reportCapabilities } from "../../scripts/deploy/verify/identity";
import { recommendSharing } from "../../scripts/deploy/verify/isolation";
import { LARGE, PARTS, readIdentity, readStorage, scanLoopback, toPageUrl } from "../../scripts/deploy/verify/pages";
import { formatResult, formatSummary, type Result } from "../../scripts/deploy/verify/result";
import { findPlanLimit, type Outcome } from "../../scripts/deploy/verify/service";
import { readTargets } from "../../scripts/deploy/verify/targets";
import { verifyEcho } from "../../scripts/deploy/verify/webhook";
import { newWebhookSecret } from "../../src/lib/crypto";
import { signatureHeaders } from "../../src/webhooks/signature";

const failed = (code: string, message = "…"): Outcome => ({ kind: "failed", ms: 1, code, message });
const completed: Outcome = { kind: "completed", ms: 1, processingMs: 1, data: {} };

describe("the targets of a verification", () => {
  it("are public addresses, some of them with the id of the run", () => {
    const targets = readTargets({ run: "abc" });
    expect(targets.missing_name).toBe("https://verification-abc.example.com/");
    expect(targets.changing_document).toMatch(/abc\.pdf$/);
    expect(readTargets({ run: "abc", receiver: "https://hook.example/" }).receiver).toBe("https://hook.example/");
  });

  it.each([
    ['{"pdf": ', "targets.json can't be read: "],
    ['{"unknown": "https://a.example/"}', "there is no target 'unknown'"],
    ['{"pdf": "a.pdf"}', "'pdf' must be an http or https URL, but is 'a.pdf'"],
    ['{"loopback": ["http://a.example/", 1]}', "'loopback' must be an http or https URL, but is '1'"],
  ])("are refused if a file contains %s", (text, message) => {
    const file = join(mkdtempSync(join(tmpdir(), "targets-")), "targets.json");
    writeFileSync(file, text);
    expect(() => readTargets({ run: "abc", file })).toThrow(message);
  });
});

describe("a test page", () => {
  const { headers, loopback, pages } = readTargets({ run: "0123456789" });
  const hosts = ["127.0.0.1", "localhost", "[::1]", ...loopback.map((url) => new URL(url).hostname)];
  it.each([
    ["parts", PARTS],
    ["noise", LARGE],
    ["storage", readStorage("0123456789")],
    ["identity", readIdentity(headers)],
    ["loopback", scanLoopback(hosts, Array<number>(20).fill(65_535))],
  ])("with %s is short enough for a URL, and needs no padding", (_, script) => {
    const encoded = toPageUrl(pages, script).slice(pages.length);
    expect(encoded).toMatch(/^[\w-]+$/);
    expect(encoded.length % 4).toBe(0);
    expect(Buffer.from(encoded, "base64url").toString()).toContain(script);
  });
});

describe("a check of an unusable address", () => {
  const [missing, refused, expired] = CASES;
  it.each([
    { test: missing, outcome: failed("dns_failure"), status: "ok" },
    { test: missing, outcome: failed("target_http_error"), status: "failed" },
    { test: missing, outcome: completed, status: "unclear" },
    { test: refused, outcome: failed("connection_failed"), status: "ok" },
    { test: refused, outcome: failed("target_timeout"), status: "unclear" },
    { test: expired, outcome: failed("tls_failure"), status: "ok" },
    { test: expired, outcome: completed, status: "failed" },
    { test: expired, outcome: failed("connection_failed"), status: "unclear" },
    { test: expired, outcome: failed("connection_failed"), onCloudflare: false, status: "ok" },
    { test: missing, outcome: { kind: "unfinished", ms: 1 } as const, status: "failed" },
  ])("of $test.name is $status for $outcome.kind $outcome.code", ({ test, outcome, onCloudflare = true, status }) => {
    if (test === undefined) throw new Error("There is no such case.");
    expect(toResult(test, outcome, { rendered: false, onCloudflare })).toMatchObject({ status });
  });
});

describe("the limits of a plan", () => {
  it.each([
    [{ kind: "platform", ms: 1, status: 503, text: "error code: 1102" } as const, "10 ms"],
    [failed("unavailable", "The service has used up its browser time for today."), "10 minutes"],
  ])("are recognized in %j", (outcome, text) => {
    expect(findPlanLimit(outcome)).toContain(text);
  });

  it("aren't recognized in other errors", () => {
    expect(findPlanLimit(failed("unavailable", "No browser is free."))).toBeNull();
    expect(findPlanLimit(completed)).toBeNull();
  });
});

describe("the signature of an echoed webhook", () => {
  const body = JSON.stringify({ event: "webhook.test", message: 'a "quoted" text' });
  const at = new Date().toISOString();
  async function echo(secret: string, { withTime = true } = {}) {
    const signed = await signatureHeaders(
      { id: "1", body, secrets: { current: secret, previous: null } },
      Date.parse(at),
    );
    const headers = Object.fromEntries(
      Object.entries(signed)
        .filter(([name]) => withTime || name.toLowerCase() !== "webhook-timestamp")
        .map(([name, value]) => [name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()), value]),
    );
    return {
      at,
      status_code: 200,
      error: null,
      duration_ms: 1,
      response: JSON.stringify({ data: body, headers }, null, 2),
    };
  }

  it("is verified, even if the time isn't in the stored part of the answer", async () => {
    const secret = newWebhookSecret();
    expect(verifyEcho({ id: "1", attempts: [await echo(secret)] }, secret)).toBe(true);
    expect(verifyEcho({ id: "1", attempts: [await echo(secret, { withTime: false })] }, secret)).toBe(true);
    expect(verifyEcho({ id: "1", attempts: [await echo(newWebhookSecret())] }, secret)).toBe(false);
    expect(verifyEcho({ id: "2", attempts: [await echo(secret)] }, secret)).toBe(false);
  });

  it("is unknown if the receiver returns something else", async () => {
    const attempt = await echo(newWebhookSecret());
    expect(verifyEcho({ id: "1", attempts: [{ ...attempt, response: "ok" }] }, "whsec_")).toBeNull();
    expect(verifyEcho({ id: "1", attempts: [] }, "whsec_")).toBeNull();
  });
});

describe("the recommendation for BROWSER_SHARED", () => {
  const report = (more: Partial<BrowserReport>): BrowserReport => ({
    network: "public",
    shared: false,
    fetch_via: "fetch",
    browsers: [],
    ...more,
  });
  const toContext = (browsers: BrowserReport) => ({ browsers }) as Context;
  const result = (status: Result["status"]): Result => ({ name: "a", expected: "", observed: "", status });

  it.each([
    { shared: false, isolation: "ok", status: "info", action: 'set BROWSER_SHARED = "on"' },
    { shared: true, isolation: "ok", status: "info", action: undefined },
    { shared: false, isolation: "failed", status: "info", action: "Keep BROWSER_SHARED off" },
    { shared: true, isolation: "unclear", status: "failed", action: "Keep BROWSER_SHARED off" },
  ] as const)(
    "is '$action' if sharing is $shared and the isolation is $isolation",
    ({ shared, isolation, status, action }) => {
      const recommended = recommendSharing(toContext(report({ shared })), [result("ok"), result(isolation)]);
      expect(recommended.status).toBe(status);
      if (action === undefined) expect(recommended.action).toBeUndefined();
      else expect(recommended.action).toContain(action);
    },
  );

  it("is empty if the variable has no effect", () => {
    const recommended = recommendSharing(toContext(report({ network: "filtered" })), [result("failed")]);
    expect(recommended).toMatchObject({ status: "info", observed: expect.stringContaining("without effect") });
    const onCloudflare = { ...toContext(report({ network: "checked" })), onCloudflare: true };
    expect(recommendSharing(onCloudflare, [])).toMatchObject({ status: "differs" });
  });

  it("depends on capabilities that only a running browser shows", () => {
    const running = { running: true, product: "Chrome/153", intercepts_whole_browser: true, pauses_targets: false };
    const idle = { running: false, product: null, intercepts_whole_browser: null, pauses_targets: null };
    const statuses = (browsers: BrowserReport["browsers"]) =>
      reportCapabilities({ browsers: report({ browsers }) }).map(({ status }) => status);
    expect(statuses([running, idle])).toEqual(["ok", "differs"]);
    expect(statuses([idle])).toEqual(["unclear", "unclear"]);
  });
});

describe("the output", () => {
  const base = { name: "a check", expected: "a text", status: "differs" } as const;
  it("wraps long texts, and removes control sequences", () => {
    const lines = formatResult({ ...base, observed: `\u001b[31m${"word ".repeat(20)}${"x".repeat(60)}` }).split("\n");
    expect(lines).toHaveLength(5);
    expect(lines[0]).toBe(`${"a check".padEnd(32)}${"a text".padEnd(36)}${"word ".repeat(9).trim().padEnd(46)}differs`);
    expect(lines.every((line) => line.length <= 121)).toBe(true);
  });

  it("lists what to do, and counts the results", () => {
    const results: Result[] = [
      { ...base, observed: "", action: "Do something." },
      { ...base, observed: "", status: "ok", action: "Not needed." },
      { ...base, observed: "", status: "failed" },
    ];
    expect(formatSummary(results)).toBe(
      "What to do:\n- a check: Do something.\n\n1 check failed. 1 as expected, 1 with a minor difference, 0 unclear.",
    );
  });

  it("has the headers of a request in lower case", () => {
    expect(readHeaders('{"headers": {"Cf-Worker": "acme.example"}}')).toEqual(new Map([["cf-worker", "acme.example"]]));
    expect(readHeaders("<html>")).toEqual(new Map());
  });
});
