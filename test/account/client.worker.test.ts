import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { type CallOptions, callAccount, callAccountOrGone } from "../../src/account/client";
import { INVALID_API_KEY_MESSAGE } from "../../src/keys/secret";
import { openObject, withFailingAccounts } from "../support/account";

vi.spyOn(console, "warn").mockImplementation(() => {});

/**
 * Calls a Durable Object. For each entry of `errors`, one call fails with this error; later calls succeed. Returns the
 * number of calls and the outcome.
 */
async function callFailing(errors: object[], options: CallOptions = {}) {
  const account = await openObject();
  let calls = 0;
  const outcome = await callAccount(
    withFailingAccounts(() => null),
    account,
    async (stub) => {
      const error = errors[calls++];
      if (error !== undefined) throw Object.assign(new Error("The object can't be reached."), error);
      return (await stub.getBatch({ mode: "live", id: "unknown" })).kind;
    },
    options,
  ).catch((error: unknown) => error);
  return { calls, outcome };
}

const retryable = { retryable: true };
const unavailable = { code: "unavailable", status: 503, retryable: true, headers: { "Retry-After": "5" } };

describe("a call to an account's Durable Object", () => {
  it("is retried after a retryable error", async () => {
    expect(await callFailing([retryable])).toEqual({ calls: 2, outcome: "missing" });
    expect(await callFailing([retryable, retryable])).toEqual({ calls: 3, outcome: "missing" });
  });

  it("is retried if a deployment reset the Durable Object", async () => {
    expect(await callFailing([{ durableObjectReset: true }])).toEqual({ calls: 2, outcome: "missing" });
  });

  it("is retried with retryAlways after every error except an overload", async () => {
    const always = { retryAlways: true };
    expect(await callFailing([{}, {}], always)).toEqual({ calls: 3, outcome: "missing" });
    expect(await callFailing([{}, {}, {}], always)).toMatchObject({ calls: 3, outcome: unavailable });
    expect(await callFailing([{}, { overloaded: true }], always)).toMatchObject({ calls: 2, outcome: unavailable });
  });

  it.each([
    ["after two retries", [retryable, retryable, retryable], 3],
    ["immediately, if the error isn't retryable", [{}], 1],
    ["immediately, if the Durable Object is overloaded", [{ ...retryable, overloaded: true }], 1],
  ])("ends with 503 and a Retry-After %s", async (_, errors, calls) => {
    const failed = await callFailing(errors);
    expect(failed).toMatchObject({ calls, outcome: unavailable });
  });

  it("for an unknown account ends with the error for an invalid key", async () => {
    const unknown = { ...(await openObject()), object: crypto.randomUUID() };
    await expect(callAccount(env, unknown, (stub) => stub.keyCredits())).rejects.toMatchObject({
      ...{ code: "invalid_api_key", status: 401, message: INVALID_API_KEY_MESSAGE },
      headers: { "WWW-Authenticate": "Bearer" },
    });
    expect(await callAccountOrGone(env, unknown, (stub) => stub.keyCredits())).toEqual({ kind: "gone" });
  });
});
