import { expect, it } from "vitest";
import { toScriptedOutcome } from "../../../src/endpoints/shared/mocks";
import { ERRORS } from "../../../src/model/errors";

const PLAIN = { kind: "plain" };

it.each([
  [
    "blocked",
    {
      code: "blocked_by_target",
      message: "blocked.test returned a block page (a bot challenge) instead of its content.",
    },
  ],
  [
    "timeout",
    { code: "target_timeout", message: "timeout.test did not send its complete response within 30 seconds." },
  ],
  ["dns", { code: "dns_failure", message: "The name dns.test could not be resolved." }],
  ["http-404", { code: "target_http_error", message: "http-404.test responded with status 404.", retryable: false }],
  ["http-429", { code: "target_http_error", message: "http-429.test responded with status 429.", retryable: true }],
  ["http-500", { code: "target_http_error", message: "http-500.test responded with status 500.", retryable: true }],
  ["http-503", { code: "target_http_error", message: "http-503.test responded with status 503.", retryable: true }],
])("returns the scripted error of %s", (word, failure) => {
  const script = { kind: "fails", ...failure };
  expect(toScriptedOutcome({ url: `https://${word}.test/a?b=c` })).toEqual(script);
  expect(toScriptedOutcome({ url: `http://${word}.test` })).toEqual(script);
  expect(toScriptedOutcome({ query: word })).toEqual(script);
  expect(toScriptedOutcome({ query: `${word}.test` })).toEqual(script);
  expect(ERRORS).toHaveProperty(failure.code);
});

it.each([
  ["slow-7", { kind: "slow", seconds: 7 }],
  ["slow-0", { kind: "slow", seconds: 0 }],
  ["slow-61", { kind: "slow", seconds: 60 }],
  ["slow-99999999999999999999", { kind: "slow", seconds: 60 }],
  ["large", { kind: "large" }],
  ["login", { kind: "page", outcome: "login" }],
  ["soft-404", { kind: "page", outcome: "soft_404" }],
  ["needs-rendering", { kind: "page", outcome: "needs_rendering" }],
  ["out-of-credits", { kind: "refused", code: "insufficient_credits" }],
  ["rate-limited", { kind: "refused", code: "rate_limited" }],
])("returns the scripted outcome of %s", (word, script) => {
  expect(toScriptedOutcome({ url: `https://${word}.test/` })).toEqual(script);
  expect(toScriptedOutcome({ query: word })).toEqual(script);
});

it.each([
  ["a name in capitals", "https://BLOCKED.Test/"],
  ["a trailing dot", "https://blocked.test./"],
  ["a port", "https://blocked.test:8443/"],
])("recognizes a target with %s", (_, url) => {
  expect(toScriptedOutcome({ url })).toMatchObject({ kind: "fails", code: "blocked_by_target" });
});

it.each([" Blocked ", "BLOCKED.TEST", "blocked.test."])("recognizes the query %j", (query) => {
  expect(toScriptedOutcome({ query })).toMatchObject({ kind: "fails", code: "blocked_by_target" });
});

it.each([
  "https://example.com/",
  "https://unknown.test/",
  "https://www.blocked.test/",
  "https://blocked.test.example.com/",
  "https://blocked.example/",
  "https://example.com/blocked.test",
  "https://http-399.test/",
  "https://http-600.test/",
  "https://http-4040.test/",
  "https://xhttp-404.test/",
  "https://xslow-3.test/",
  "https://slow-.test/",
  "https://slow-1.5.test/",
  "https://constructor.test/",
  "no address",
])("returns no scripted outcome for the target %s", (url) => {
  expect(toScriptedOutcome({ url })).toEqual(PLAIN);
});

it.each(["coffee", "how to get blocked", "blocked by google", "http-200", ""])(
  "returns no scripted outcome for the query %j",
  (query) => {
    expect(toScriptedOutcome({ query })).toEqual(PLAIN);
  },
);

it("returns no scripted outcome for a parse request with html", () => {
  expect(toScriptedOutcome({})).toEqual(PLAIN);
});
