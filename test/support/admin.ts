import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import type { AccountRef } from "../../src/model/account";
import { putResult, putScreenshot } from "../../src/store/objects";
import { newJob } from "./account";
import { ORIGIN, objectOf, randomAddress, refOf } from "./client";

export const TOKEN = "test-admin-token";

export interface AdminResponse {
  status: number;
  headers: Headers;
  data: Record<string, unknown>;
  error: { code: string; message: string };
  text: string;
}

/** Calls the admin API. */
export async function call(
  method: string,
  path: string,
  body?: unknown,
  init: RequestInit = {},
): Promise<AdminResponse> {
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

/** The outcome of a successful job, as the argument of `finish`. */
export const COMPLETED = {
  status: "completed",
  result: '{"text":"é"}',
  extras: null,
  charge: 1,
  processingTimeMs: 1,
  endedAt: Date.now(),
} as const;

/** Adds a completed job, an unfinished job, and objects in R2 to an account. */
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

/** Runs the alarm of an account's object. Returns false if no alarm is set. */
export async function runAlarm(account: AccountRef): Promise<boolean> {
  return await runDurableObjectAlarm(env.ACCOUNT.getByName(account.object));
}

/** Runs the object's alarm until the erasure has ended. Throws after 20 runs. */
export async function finishErasure(account: AccountRef): Promise<void> {
  for (let step = 0; step < 20; step++) if (!(await runAlarm(account))) return;
  throw new Error("The erasure didn't end within 20 alarms.");
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
