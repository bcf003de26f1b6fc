import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import type { AccountRef } from "../../src/model/account";
import { putResult, putScreenshot } from "../../src/store/objects";
import { newJob } from "./account";
import { ORIGIN, objectOf, randomAddress, refOf } from "./client";

export const TOKEN = "admin-token-of-the-tests";

export interface Reply {
  status: number;
  headers: Headers;
  data: Record<string, unknown>;
  error: { code: string; message: string };
  text: string;
}

/** Calls the admin API. */
export async function call(method: string, path: string, body?: unknown, init: RequestInit = {}): Promise<Reply> {
  const response = await exports.default.fetch(`${ORIGIN}/admin/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    ...init,
    headers: { authorization: `Bearer ${TOKEN}`, "cf-connecting-ip": randomAddress(), ...init.headers },
  });
  const text = await response.text();
  const json = text.startsWith("{") && !text.includes("\n") ? JSON.parse(text) : {};
  return { status: response.status, headers: response.headers, data: json.data, error: json.error, text };
}

/** How a job ends well. */
export const COMPLETED = {
  status: "completed",
  result: '{"text":"é"}',
  extras: null,
  charge: 1,
  processingTimeMs: 1,
  endedAt: Date.now(),
} as const;

/** An account with one ended and one unfinished job, and objects in R2. */
export async function populate(accountId: string) {
  const [account, object] = await Promise.all([refOf(accountId), objectOf(accountId)]);
  const [done, waiting] = [newJob(account, { waiting: true, subject: "https://a.example/" }), newJob(account)];
  await object.createJob(done);
  await putResult(env.STORE, done.id, 1, "{}");
  await putScreenshot(env.STORE, done.id, 1, new Uint8Array([1, 2, 3]));
  await object.finish(done, 1, COMPLETED);
  await object.createJob(waiting);
  return { account, done, waiting };
}

/** Runs the alarm of an account's object. Returns false if none was set. */
export async function runAlarm(account: AccountRef): Promise<boolean> {
  return await runDurableObjectAlarm(env.ACCOUNT.getByName(account.object));
}

/** Runs the alarm of an object that is being erased until all is deleted. */
export async function finishErasure(account: AccountRef): Promise<void> {
  for (let step = 0; step < 20; step++) if (!(await runAlarm(account))) return;
  throw new Error("The erasure doesn't end.");
}

export async function tablesOf(account: AccountRef): Promise<string[]> {
  return await runInDurableObject(env.ACCOUNT.getByName(account.object), (_, { storage }) =>
    storage.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'")
      .toArray()
      .map(({ name }) => name)
      .filter((name) => !name.startsWith("_cf_")),
  );
}
