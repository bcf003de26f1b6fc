import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { readLimits } from "../browser/acquire";
import { checkBrowsers } from "../browser/render-client";
import { headersWithoutRate } from "../contract/headers";
import { Alive, type CheckResult, Ready } from "../contract/health";
import { describeErrorResponse } from "../contract/responses";
import { createRouter } from "../http/router";
import { readCallerAddress } from "../keys/caller-address";
import { rateLimited } from "../keys/errors";
import { TimeoutError, withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { toText } from "../lib/env";
import { toCallerNetwork } from "../lib/ip-ranges";
import { log, toLogged } from "../lib/log";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { READY_CHECKS_PER_MINUTE, READY_TIMEOUT_MS, SCHEMA_VERSION, SECOND_MS } from "../model/limits";
import { describeInvalidVariables } from "../model/variables";
import { rateLimiter } from "../store/namespaces";
import { pingStore } from "../store/objects";
import { describeOldSchema, readSchemaVersion } from "../store/schema-version";

/** The health checks for load balancers and monitors. They don't require a key. */
export const health = createRouter();

const ALIVE = { success: true as const, data: { status: "alive" as const } };

const aliveRoute = createRoute({
  method: "get",
  path: "/",
  operationId: "getHealth",
  summary: "Check if the service is alive",
  description: "Responds without checking any part of the service. Requires no key.",
  tags: ["Health"],
  security: [],
  responses: {
    200: {
      description: "The service is alive.",
      headers: headersWithoutRate(),
      content: { "application/json": { schema: Alive, example: ALIVE } },
    },
  },
});

health.openapi(aliveRoute, (c) => {
  c.header("Cache-Control", "no-store");
  return c.json(ALIVE, 200);
});

const readyRoute = createRoute({
  method: "get",
  path: "/ready",
  operationId: "getReadiness",
  summary: "Check if every part of the service is ready",
  description: `Checks the secrets and variables, the database and its schema version, the object store, the Durable Objects and the queue bindings, each for at most ${READY_TIMEOUT_MS / SECOND_MS} seconds. Also reports the browser, which the service doesn't require. Requires no key. Each IP address is limited to ${READY_CHECKS_PER_MINUTE} requests per minute.`,
  tags: ["Health"],
  security: [],
  responses: {
    200: {
      description: "Every required component is ready.",
      headers: headersWithoutRate(),
      content: {
        "application/json": { schema: Ready, example: { success: true, data: { status: "ready", browser: "ok" } } },
      },
    },
    429: describeErrorResponse(429, ["rate_limited"], headersWithoutRate("Retry-After")),
    500: describeErrorResponse(500, ["internal_error"], headersWithoutRate()),
    503: describeErrorResponse(503, ["unavailable"], headersWithoutRate("Retry-After")),
  },
});

health.openapi(readyRoute, async (c) => {
  c.header("Cache-Control", "no-store");
  const { env } = c;
  // This check runs first, because it counts the request against the caller's rate limit. It also shows that Durable
  // Objects respond.
  const objects = await check("durable_objects", () => consumeRateLimit(c));
  let schemaVersion = SCHEMA_VERSION;
  const [database, store, queues, browser] = await Promise.all([
    check("database", async () => {
      schemaVersion = await readSchemaVersion(env.DB);
    }),
    check("store", () => pingStore(env.STORE)),
    check("queues", async () => checkProducers(env)),
    check("browser", () => checkBrowser(env)),
  ]);
  const required = { database, store, durable_objects: objects, queues };
  const problems = [
    ...missingSecrets(env).map((name) => ({ path: "secrets", message: describeMissingSecret(name) })),
    ...describeInvalidVariables(env).map((message) => ({ path: "variables", message })),
    ...(schemaVersion < SCHEMA_VERSION ? [{ path: "database", message: describeOldSchema(schemaVersion) }] : []),
  ];
  if (problems.length > 0 || Object.values(required).some((result) => result !== "ok"))
    throw notReady({ ...required, browser }, problems);
  return c.json({ success: true as const, data: { status: "ready" as const, browser } }, 200);
});

/** Counts the check against the limit of the caller's network. Throws AppError `rate_limited`. */
async function consumeRateLimit(c: Context<AppEnv>): Promise<void> {
  const network = toCallerNetwork(readCallerAddress(c.env, c.req.raw.headers));
  const rate = await rateLimiter(c.env, `ready:${network}`).consume(READY_CHECKS_PER_MINUTE);
  if (rate.allowed) return;
  throw rateLimited(rate, `Each IP address is limited to ${READY_CHECKS_PER_MINUTE} checks per minute.`, now());
}

/** Checks the service that starts browsers, and each running browser. Throws if one of them doesn't respond. */
async function checkBrowser(env: Env): Promise<void> {
  await Promise.all([readLimits(env.BROWSER), checkBrowsers(env)]);
}

/** Throws if a queue isn't bound. A queue can't be tested further without sending a message. */
function checkProducers({ JOBS, RENDERS, WEBHOOKS, SUMMARIES }: Partial<Env>): void {
  if ([JOBS, RENDERS, WEBHOOKS, SUMMARIES].includes(undefined)) throw new Error("A queue isn't bound.");
}

/** Runs the check of one part and returns its result. Logs the error of a failed check. Throws only AppError. */
async function check(part: string, work: () => Promise<void>): Promise<CheckResult> {
  try {
    await withTimeout(READY_TIMEOUT_MS, work());
    return "ok";
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof TimeoutError) return "timeout";
    log("error", "part_failed", { part, ...toLogged(error) });
    return "failed";
  }
}

function notReady(parts: Record<string, CheckResult>, problems: { path: string; message: string }[]): AppError {
  const details = Object.entries(parts)
    .filter(([, result]) => result !== "ok")
    .map(([path, result]) => ({
      path,
      message: result === "failed" ? "failed" : `didn't respond within ${READY_TIMEOUT_MS / SECOND_MS} seconds`,
    }));
  return new AppError("unavailable", "The service isn't ready. 'details' lists the parts that failed.", {
    details: [...details, ...problems],
    headers: { "Retry-After": "5" },
  });
}

/** Returns the names of the required secrets that aren't set. */
function missingSecrets(env: Env): string[] {
  return (["SIGNING_SECRET", "ENCRYPTION_KEY"] as const).filter((name) => toText(env[name]) === null);
}

function describeMissingSecret(name: string): string {
  return `The secret ${name} isn't set. Run 'npm run deploy', which creates it.`;
}
