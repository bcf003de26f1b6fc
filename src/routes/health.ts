import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { checkBrowsers } from "../browser/render-client";
import { headersWithoutRate } from "../contract/headers";
import { Alive, type CheckResult, Ready } from "../contract/health";
import { describeErrorResponse } from "../contract/responses";
import { createRouter } from "../http/router";
import { readCallerAddress } from "../keys/caller-address";
import { rateLimited } from "../keys/errors";
import { TimeoutError, withTimeout } from "../lib/async";
import { now } from "../lib/clock";
import { toCallerNetwork } from "../lib/ip-ranges";
import { log, toLogged } from "../lib/log";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { READY_CHECKS_PER_MINUTE, READY_TIMEOUT_MS, SCHEMA_VERSION, SECOND_MS } from "../model/limits";
import { pingStore } from "../store/objects";
import { describeOldSchema, readSchemaVersion } from "../store/schema-version";

/** For load balancers and monitors: no key is asked for. */
export const health = createRouter();

const ALIVE = { success: true as const, data: { status: "alive" as const } };

const aliveRoute = createRoute({
  method: "get",
  path: "/",
  operationId: "getHealth",
  summary: "See whether the service is alive",
  description: "Answers without asking any part of the service. No key is needed.",
  tags: ["Health"],
  security: [],
  responses: {
    200: {
      description: "It is alive.",
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
  summary: "See whether every part of the service answers",
  description: `Asks the database and its schema version, the store and the Durable Objects, each for at most ${READY_TIMEOUT_MS / SECOND_MS} seconds, and checks that the queues are bound. No key is needed. One address may ask ${READY_CHECKS_PER_MINUTE} times a minute.`,
  tags: ["Health"],
  security: [],
  responses: {
    200: {
      description: "Every part that is needed answers.",
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
  // This call is what holds callers to their number, and a Durable Object that answers: the others are asked after it.
  const objects = await ask("durable_objects", () => enter(c));
  let schemaVersion = SCHEMA_VERSION;
  const [database, store, queues, browser] = await Promise.all([
    ask("database", async () => {
      schemaVersion = await readSchemaVersion(env.DB);
    }),
    ask("store", () => pingStore(env.STORE)),
    ask("queues", async () => checkProducers(env)),
    ask("browser", () => askBrowsers(env)),
  ]);
  const needed = { database, store, durable_objects: objects, queues };
  if (schemaVersion < SCHEMA_VERSION || Object.values(needed).some((answer) => answer !== "ok"))
    throw notReady({ ...needed, browser }, schemaVersion);
  return c.json({ success: true as const, data: { status: "ready" as const, browser } }, 200);
});

/** Asking costs something: one address may do it so often. Throws AppError rate_limited. */
async function enter(c: Context<AppEnv>): Promise<void> {
  const network = toCallerNetwork(readCallerAddress(c.env, c.req.raw.headers));
  const rate = await c.env.RATE_LIMITER.getByName(`ready:${network}`).consume(READY_CHECKS_PER_MINUTE);
  if (!rate.allowed) throw rateLimited(rate, `One address may ask ${READY_CHECKS_PER_MINUTE} times a minute.`, now());
}

/** The service that runs browsers, and each browser that runs. */
async function askBrowsers(env: Env): Promise<void> {
  const { pingBrowsers } = await import("../browser/connection");
  await Promise.all([pingBrowsers(env.BROWSER), checkBrowsers(env)]);
}

/** Checks that every queue is bound. A producer can't be asked anything without sending a message. */
function checkProducers({ JOBS, RENDERS, WEBHOOKS, SUMMARIES }: Partial<Env>): void {
  if ([JOBS, RENDERS, WEBHOOKS, SUMMARIES].includes(undefined)) throw new Error("A queue isn't bound.");
}

/** Returns how a part answered. The error of a part that failed is only written to the log. */
async function ask(part: string, work: () => Promise<void>): Promise<CheckResult> {
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

function notReady(parts: Record<string, CheckResult>, schemaVersion: number): AppError {
  const details = Object.entries(parts)
    .filter(([, answer]) => answer !== "ok")
    .map(([path, answer]) => ({
      path,
      message: answer === "failed" ? "failed" : `gave no answer within ${READY_TIMEOUT_MS / SECOND_MS} seconds`,
    }));
  if (schemaVersion < SCHEMA_VERSION) details.push({ path: "database", message: describeOldSchema(schemaVersion) });
  return new AppError("unavailable", "A part of the service isn't ready. 'details' names it.", {
    details,
    headers: { "Retry-After": "5" },
  });
}
