import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readArguments } from "../../scripts/listen/arguments";
import { formatEvent, formatRefused } from "../../scripts/listen/format";
import type { Received } from "../../scripts/listen/receiver";
import { verifySignatures } from "../../scripts/listen/verify";
import { newWebhookSecret } from "../../src/lib/crypto";
import { signatureHeaders } from "../../src/webhooks/signature";

const ID = "0199b2c0-91f3-7d02-8f44-2b7d6e1a0c55";
const BODY = JSON.stringify({
  ...{ event: "job.completed", job_id: ID, status: "completed", endpoint: "scrape" },
  result: { markdown: "Łeba ".repeat(200) },
  meta: { processing_time_ms: 214, credits_used: 1 },
});
const secrets = { live: newWebhookSecret(), test: newWebhookSecret() };

/** Returns a request as Node receives it, with names of headers in lower case. */
async function sign(secret: string, { previous = null as string | null, sentAt = Date.now(), body = BODY } = {}) {
  const signed = await signatureHeaders({ id: ID, body, secrets: { current: secret, previous } }, sentAt);
  const headers: Record<string, string> = { "x-webhook-id": ID, "x-webhook-attempt": "1" };
  for (const [name, value] of Object.entries(signed)) headers[name.toLowerCase()] = value;
  return { headers, body: Buffer.from(body) };
}

describe("the signatures of a received request", () => {
  it.each(["live", "test"] as const)("are verified with the secret of %s jobs", async (mode) => {
    expect(verifySignatures(await sign(secrets[mode]), secrets)).toEqual({
      mode,
      body: { ok: true, text: "verified" },
      standard: { ok: true, text: "verified" },
    });
  });

  it("are verified with the previous secret after a rotation", async () => {
    const request = await sign(newWebhookSecret(), { previous: secrets.live });
    expect(verifySignatures(request, secrets)).toEqual({
      mode: "live",
      body: { ok: true, text: "verified with the previous secret" },
      standard: { ok: true, text: "verified" },
    });
  });

  it.each([
    ["a changed body", { body: Buffer.from(`${BODY} `) }, "doesn't match the body", "doesn't match the id, the time"],
    ["no headers", { headers: {} }, "the header is missing", "a webhook-* header is missing"],
    [
      "invalid headers",
      {
        headers: { "x-webhook-signature": "é", "webhook-id": "1", "webhook-timestamp": "x", "webhook-signature": "y" },
      },
      "the header isn't sha256=",
      "webhook-timestamp isn't a number",
    ],
  ])("are refused with the reason for %s", async (_, change, body, standard) => {
    const verified = verifySignatures({ ...(await sign(secrets.live)), ...change }, secrets);
    expect(verified.mode).toBeNull();
    expect(verified.body).toEqual({ ok: false, text: expect.stringContaining(`not verified: `) });
    expect(verified.body.text).toContain(body);
    expect(verified.standard.text).toContain(standard);
  });

  it("are refused for a request that is more than five minutes old, which the signature of the body can't show", async () => {
    for (const [sentAt, reason] of [
      [Date.now() - 302_000, "webhook-timestamp is more than 5 minutes old"],
      [Date.now() + 302_000, "webhook-timestamp is more than 5 minutes in the future"],
    ] as const) {
      const { mode, body, standard } = verifySignatures(await sign(secrets.live, { sentAt }), secrets);
      expect([mode, body.ok, standard]).toEqual(["live", true, { ok: false, text: `not verified: ${reason}` }]);
    }
  });

  it("say what to do about a secret that isn't standard base64", async () => {
    const old = { ...secrets, live: `whsec_${"-_".repeat(21)}8` };
    const { body, standard } = verifySignatures(await sign(old.live), old);
    expect([body.ok, standard.ok]).toEqual([true, false]);
    expect(standard.text).toContain("POST /v1/webhooks/rotate");
  });
});

describe("the printed text", () => {
  const received = async (body = BODY): Promise<Received> => ({
    ...(await sign(secrets.live, { body })),
    ...{ at: new Date("2026-11-23T00:58:12.123Z"), method: "POST", path: "/", status: 500 },
  });
  const format = (request: Received, full = false) =>
    formatEvent(request, verifySignatures({ ...request, body: request.body ?? Buffer.alloc(0) }, secrets), { full });

  it("has the time, the event, the job, the result of the verification, the response and a preview", async () => {
    const lines = format(await received()).split("\n");
    expect(lines.slice(0, 10)).toEqual([
      "2026-11-23T00:58:12.123Z  job.completed  attempt 1",
      "  mode                 live",
      `  job                  ${ID}`,
      "  status               completed (scrape, 214 ms, 1 credit)",
      `  X-Webhook-ID         ${ID}`,
      "  X-Webhook-Signature  verified",
      "  webhook-signature    verified (Standard Webhooks)",
      "  response             500",
      `  body                 ${Buffer.byteLength(BODY).toLocaleString("en")} bytes`,
      expect.stringMatching(/^ {2}\{"event":"job\.completed","job_id":/),
    ]);
    expect(lines).toHaveLength(13);
    expect(lines.at(-1)).toMatch(/ …$/);
  });

  it("has the error of a failed job", async () => {
    const error = { code: "dns_failure", message: "The name dns.test could not be resolved." };
    const body = JSON.stringify({ event: "job.failed", job_id: ID, status: "failed", endpoint: "scrape", error });
    const text = format(await received(body)).replace(/\n {23}/, " ");
    expect(text).toContain("failed (scrape): dns_failure: The name dns.test could not be resolved.");
  });

  it("has the whole JSON with --full", async () => {
    const text = format(await received(), true);
    expect(JSON.parse(text.slice(text.indexOf("{")))).toEqual(JSON.parse(BODY));
  });

  it("describes a request that isn't an event", async () => {
    const refused = { ...(await received()), method: "GET", path: "/favicon.ico", body: null, status: 405 };
    expect(formatRefused(refused)).toBe(
      "2026-11-23T00:58:12.123Z  GET /favicon.ico was refused with 405: webhooks use\nPOST.",
    );
  });

  it("has at most 80 columns and no control characters for any request", async () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary", maxLength: 400 }),
      fc.constant("\u001b[31m\u009b\u202e漢字".repeat(60)),
    );
    const request = await received();
    fc.assert(
      fc.property(anyText, anyText, fc.boolean(), (text, header, isJson) => {
        const body = Buffer.from(isJson ? JSON.stringify({ event: text, job_id: text, status: text }) : text);
        const headers = { "x-webhook-id": header, "x-webhook-attempt": header, "x-webhook-signature": header };
        const output = [format({ ...request, headers, body }), formatRefused({ ...request, path: text, body: null })];
        for (const line of output.join("\n").split("\n")) {
          expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
          const columns = [...line].reduce(
            (sum, character) => sum + (character >= "\u1100" && character !== "…" ? 2 : 1),
            0,
          );
          expect(columns).toBeLessThanOrEqual(80);
        }
      }),
    );
  });
});

describe("the arguments of npm run listen", () => {
  it("have defaults", () => {
    expect(readArguments([])).toEqual({
      ...{ replace: false, port: 8789, status: 200, full: false, persistTo: ".wrangler/state" },
    });
  });

  it.each([
    [["--port", "0"], "--port must be a whole number from 1 to 65535, but is '0'."],
    [["--status", "99"], "--status must be a whole number from 200 to 599, but is '99'."],
    [["--status=fail"], "--status must be a whole number from 200 to 599, but is 'fail'."],
    [["--colour"], "Unknown option '--colour'"],
    [["now"], "Unexpected argument 'now'"],
    [["--full=yes"], "does not take an argument"],
  ])("%j are refused", (argv, message) => {
    expect(() => readArguments(argv)).toThrow(message);
  });
});
