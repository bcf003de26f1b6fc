import { readLimits } from "../browser/acquire";
import { checkBrowsers } from "../browser/render-client";
import type { CheckResult } from "../contract/health";
import { TimeoutError, withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { toText } from "../lib/env";
import { log, toLogged } from "../lib/log";
import { AppError } from "../model/errors";
import { READY_TIMEOUT_MS, SCHEMA_VERSION, SECOND_MS } from "../model/limits";
import { describeInvalidVariables } from "../model/variables";
import { describeInvalidBotKey } from "../net/bot-auth";
import { rateLimiter } from "../store/namespaces";
import { pingStore } from "../store/objects";
import { describeOldSchema, readSchemaVersion } from "../store/schema-version";

/** The names of the parts that are checked. The service doesn't require the browser. */
export const PART_NAMES = {
  database: "database (D1)",
  store: "object store (R2)",
  durable_objects: "Durable Objects",
  queues: "queue bindings",
  browser: "browser",
} as const;
export type CheckedPart = keyof typeof PART_NAMES;

export interface PartCheck {
  part: CheckedPart;
  result: CheckResult;
  /** The duration of the check in milliseconds. */
  ms: number;
}

/** The duration from which a check of a part counts as slow. */
const SLOW_MS = SECOND_MS;

/** Returns true if the part works, but its check took long. */
export function isSlow({ result, ms }: PartCheck): boolean {
  return result === "ok" && ms >= SLOW_MS;
}

export interface Checks {
  parts: PartCheck[];
  /** The errors in the configuration and in the schema. */
  problems: { path: string; message: string }[];
}

/** Checks all parts in parallel. Throws only the AppErrors of `checkObjects`, which calls a Durable Object. */
export async function checkParts(
  env: Env,
  checkObjects: () => Promise<void> = async () => void (await rateLimiter(env, "health").consume(1)),
): Promise<Checks> {
  let schemaVersion: number = SCHEMA_VERSION;
  // Runs first, because this check also counts the request against the limit of its caller.
  const objects = await check("durable_objects", checkObjects);
  const parts = await Promise.all([
    check("database", async () => {
      schemaVersion = await readSchemaVersion(env.DB);
    }),
    check("store", () => pingStore(env.STORE)),
    objects,
    check("queues", async () => checkProducers(env)),
    check("browser", () => checkBrowser(env)),
  ]);
  const problems = [
    ...missingSecrets(env).map((name) => ({ path: "secrets", message: describeMissingSecret(name) })),
    ...describeIncompletePairs(env).map((message) => ({ path: "secrets", message })),
    ...describeInvalidVariables(env).map((message) => ({ path: "variables", message })),
    ...(schemaVersion < SCHEMA_VERSION ? [{ path: "database", message: describeOldSchema(schemaVersion) }] : []),
  ];
  return { parts, problems };
}

/** Checks the service that starts browsers, and each running browser. Throws if one of them doesn't respond. */
async function checkBrowser(env: Env): Promise<void> {
  await Promise.all([readLimits(env.BROWSER), checkBrowsers(env)]);
}

/** Throws if a queue isn't bound. Any further test would require sending a message. */
function checkProducers({ JOBS, RENDERS, WEBHOOKS, SUMMARIES }: Partial<Env>): void {
  if ([JOBS, RENDERS, WEBHOOKS, SUMMARIES].includes(undefined)) throw new Error("A queue isn't bound.");
}

/** Runs the check of one part. Logs the error of a failed check. Throws only AppError. */
async function check(part: CheckedPart, work: () => Promise<void>): Promise<PartCheck> {
  const startedAt = now();
  const end = (result: CheckResult) => ({ part, result, ms: now() - startedAt });
  try {
    await withTimeout(READY_TIMEOUT_MS, work());
    return end("ok");
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof TimeoutError) return end("timeout");
    log("error", "part_failed", { part, ...toLogged(error) });
    return end("failed");
  }
}

/** Returns the names of the required secrets that aren't set. */
function missingSecrets(env: Env): string[] {
  return (["SIGNING_SECRET", "ENCRYPTION_KEY"] as const).filter((name) => toText(env[name]) === null);
}

function describeMissingSecret(name: string): string {
  return `The secret ${name} isn't set. Run 'npm run deploy', which creates it.`;
}

/** Returns a message for each secret or variable that another one needs, and for each secret with an invalid value. */
function describeIncompletePairs(env: Env): string[] {
  const problems: string[] = [];
  if ((toText(env.TURNSTILE_SITE_KEY) === null) !== (toText(env.TURNSTILE_SECRET_KEY) === null))
    problems.push("Set both TURNSTILE_SITE_KEY and the secret TURNSTILE_SECRET_KEY, or neither.");
  if (toText(env.ALERT_WEBHOOK) !== null && !ALERT_SECRET.test(env.ALERT_WEBHOOK_SECRET?.trim() ?? ""))
    problems.push("ALERT_WEBHOOK needs the secret ALERT_WEBHOOK_SECRET: whsec_ and at least 24 bytes in base64.");
  const botKey = describeInvalidBotKey(env);
  if (botKey !== null) problems.push(botKey);
  return problems;
}

/** Standard Webhooks requires at least 24 bytes. */
const ALERT_SECRET = /^whsec_(?:[A-Za-z0-9+/]{4}){7,}(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{2}==)$/;

const READ_TIMEOUT_MS = 5 * SECOND_MS;

/** Returns the value, or null if it can't be read or written in time. Logs the error. */
export async function readOrNull<Value>(part: string, value: Promise<Value>): Promise<Value | null> {
  try {
    return await withTimeout(READ_TIMEOUT_MS, value);
  } catch (error) {
    log("warn", "health_unreadable", { part, ...toLogged(error) });
    return null;
  }
}
