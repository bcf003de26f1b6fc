import { describe, expect, it } from "vitest";
import guide from "../../docs/api/errors.md?raw";
import { AppError, causeOf, ERRORS, type ErrorCode } from "../../src/model/errors";

/** The codes that the status table of the API guide lists, by status. */
const LISTED = new Map(
  [...guide.matchAll(/^\| (\d{3}) \| (.*`.*) \|$/gm)].map(([, status, codes = ""]) => [
    Number(status),
    [...codes.matchAll(/`(\w+)`/g)].map(([, code = ""]) => code),
  ]),
);

/** The codes after which the same request may succeed. */
const RETRYABLE = [
  "rate_limited",
  "unavailable",
  "dns_failure",
  "connection_failed",
  "blocked_by_target",
  "proxy_unavailable",
  "model_failed",
  "serp_unavailable",
  "target_timeout",
  "job_timeout",
  "render_failed",
  "internal_error",
];

const CODES = Object.keys(ERRORS) as ErrorCode[];

describe("an error code", () => {
  // The guide doesn't list `cancelled`, because a synchronous request can't be canceled.
  it.each(CODES.filter((code) => code !== "cancelled"))("has the status that the API guide lists: %s", (code) => {
    expect(LISTED.get(new AppError(code, "").status)).toContain(code);
  });

  it("has status 409 if the job was canceled", () => {
    expect(new AppError("cancelled", "").status).toBe(409);
  });

  it("of an error that depends on the URL has the status of a job's error by default", () => {
    expect(new AppError("invalid_target", "").status).toBe(422);
    expect(new AppError("proxy_unavailable", "").status).toBe(502);
    expect(new AppError("invalid_target", "", { status: 400 }).status).toBe(400);
  });

  it("is retryable if the same request may succeed later", () => {
    expect(CODES.filter((code) => new AppError(code, "").retryable)).toEqual(RETRYABLE);
  });
});

describe("an error", () => {
  it("has no optional property by default", () => {
    expect({ ...new AppError("not_found", "There is no job.") }).toEqual({
      name: "AppError",
      code: "not_found",
      status: 404,
      retryable: false,
      details: undefined,
      headers: {},
      jobId: undefined,
    });
  });

  it("has the given properties", () => {
    const cause = new Error("The target closed the connection.");
    const error = new AppError("target_http_error", "Status 503.", {
      status: 503,
      retryable: true,
      details: [{ path: "url", message: "is wrong" }],
      headers: { "Retry-After": "5" },
      jobId: "job-1",
      cause,
    });
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe("Status 503.");
    expect(error.cause).toBe(cause);
    expect({ ...error }).toMatchObject({
      status: 503,
      retryable: true,
      details: [{ path: "url", message: "is wrong" }],
      headers: { "Retry-After": "5" },
      jobId: "job-1",
    });
    expect(new AppError("unavailable", "", { retryable: false }).retryable).toBe(false);
  });

  it("never repeats a secret that the caller sent in the wrong place", () => {
    const secret = "sk_live_abcdefghij";
    const { message, details } = new AppError("invalid_request", `There is no job '${secret}'.`, {
      details: [{ path: secret, message: `is not ${secret}` }],
    });
    expect(message).toBe("There is no job 'sk_live_…'.");
    expect(details).toEqual([{ path: "sk_live_…", message: "is not sk_live_…" }]);
  });
});

it("an error contains no secret in any of its texts", () => {
  const secret = `sk_live_${"a1".repeat(19)}`;
  const { message, hint, details } = new AppError("invalid_request", `It is ${secret}.`, {
    hint: `Use ${secret}.`,
    details: [{ path: `headers.${secret}`, message: `is ${secret}` }],
  });
  expect(JSON.stringify([message, hint, details])).not.toContain(secret);
});

describe("the cause of an error code", () => {
  it.each([
    ["scrape", "blocked_by_target", "target"],
    ["serp", "blocked_by_target", "outside"],
    ["serp", "internal_error", "service"],
    ["serp", "cancelled", "customer"],
    ["scrape", "ok", null],
    ["scrape", "toString", null],
  ])("of a %s that ended with %s is %s", (endpoint, code, cause) => {
    expect(causeOf(code, endpoint)).toBe(cause);
  });
});
