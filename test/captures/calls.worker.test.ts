import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { validateBody } from "../../src/endpoints/validate";
import { submitRequest } from "../../src/jobs/submit";
import { toPrices } from "../../src/model/prices";
import { callerOf, openObject, withFailingAccounts } from "../support/account";
import { ORIGIN, page } from "../support/client";

/** Runs a synchronous scrape. Returns the calls of the account's object and of R2. */
async function callsOf(caller: ReturnType<typeof callerOf>, body: Record<string, unknown>): Promise<string[]> {
  const calls: string[] = [];
  const store = new Proxy(env.STORE, {
    get: (target, name: keyof R2Bucket) => {
      calls.push(`R2 ${name}`);
      return (target[name] as (...args: unknown[]) => unknown).bind(target);
    },
  });
  const accounts = withFailingAccounts((method) => {
    calls.push(method);
    return null;
  });
  const request = validateBody("scrape", body, { env, mode: "live", origin: ORIGIN, prices: toPrices(env) });
  const waits: Promise<unknown>[] = [];
  await submitRequest({ ...accounts, STORE: store }, request, {
    caller,
    origin: ORIGIN,
    idempotencyKey: null,
    until: Date.now() + 20_000,
    disconnected: new AbortController().signal,
    waitUntil: (promise) => void waits.push(promise),
  });
  await Promise.all(waits);
  return calls;
}

it("captures add no call to a request without them, one R2 write if a page is kept, and one call for max_age", async () => {
  const caller = callerOf(await openObject());
  const url = page("article");
  expect(await callsOf(caller, { url })).toEqual(["createJob", "finish"]);
  expect(await callsOf(caller, { url, capture: true })).toEqual(["createJob", "R2 put", "finish"]);
  expect(await callsOf(caller, { url, max_age: 60 })).toEqual(["createJob", "findCapture", "R2 get", "finish"]);
});
