import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { Alive, type Answer, NotReady, type Parts, Ready } from "../contract/health";
import type { AppEnv } from "../env";
import { AppError } from "../errors";
import { toCallerNetwork } from "../keys/addresses";
import { readCallerAddress } from "../keys/caller-address";
import { rateLimited } from "../keys/refusals";
import { now, sleep } from "../lib/clock";
import { log, toLogged } from "../lib/log";
import { READY_ANSWER_MS, READY_CHECKS_PER_MINUTE, SECOND_MS } from "../limits";
import { pingDatabase, pingStore } from "../store/ping";
import { pingBrowsers } from "../upstream/browser/connection";
import { createRouter, errorResponses } from "./http";

/** For load balancers and monitors: no key is asked for. */
export const health = createRouter();

const NAMES = {
  database: "the database",
  store: "the store",
  durable_objects: "Durable Objects",
  queues: "the queues",
} as const satisfies Record<Exclude<keyof Parts, "browser">, string>;

const aliveRoute = createRoute({
  method: "get",
  path: "/health",
  operationId: "getHealth",
  summary: "See whether the service is alive",
  description: "Answered without asking any part of the service.",
  tags: ["Health"],
  security: [],
  responses: { 200: { description: "It is alive", content: { "application/json": { schema: Alive } } } },
});

health.openapi(aliveRoute, (c) => {
  c.header("Cache-Control", "no-store");
  return c.json({ success: true as const, data: { status: "alive" as const } }, 200);
});

const readyRoute = createRoute({
  method: "get",
  path: "/health/ready",
  operationId: "getReadiness",
  summary: "See whether every part of the service answers",
  description: `Each part is asked, and has ${READY_ANSWER_MS / SECOND_MS} seconds. ${READY_CHECKS_PER_MINUTE} times a minute from one address.`,
  tags: ["Health"],
  security: [],
  responses: {
    200: { description: "Every part answers that is needed", content: { "application/json": { schema: Ready } } },
    ...errorResponses("rate_limited"),
    503: { description: "What doesn't answer", content: { "application/json": { schema: NotReady } } },
  },
});

health.openapi(readyRoute, async (c) => {
  c.header("Cache-Control", "no-store");
  const { env } = c;
  // This call is what holds callers to their number, and a Durable Object that answers: the others are asked after it.
  const durable_objects = await ask("durable_objects", () => enter(c));
  const [database, store, queues, browser] = await Promise.all([
    ask("database", () => pingDatabase(env.DB)),
    ask("store", () => pingStore(env.STORE)),
    ask("queues", async () => checkProducers(env)),
    ask("browser", () => pingBrowsers(env.BROWSER)),
  ]);
  const parts: Parts = { database, store, durable_objects, queues, browser };
  const missing = Object.entries(NAMES).filter(([part]) => parts[part as keyof Parts] !== "ok");
  if (missing.length === 0) return c.json({ success: true as const, data: { status: "ready" as const, parts } }, 200);
  c.set("errorCode", "unavailable");
  const message = `No answer from ${missing.map(([, name]) => name).join(", ")}.`;
  c.header("Retry-After", "5");
  return c.json(
    {
      success: false as const,
      error: { code: "unavailable", message, retryable: true },
      data: { status: "not_ready" as const, parts },
    },
    503,
  );
});

/** Asking costs something: one address may do it so often. Throws AppError rate_limited. */
async function enter(c: Context<AppEnv>): Promise<void> {
  const network = toCallerNetwork(readCallerAddress(c.env, c.req.raw.headers));
  const rate = await c.env.ADDRESS_GATE.getByName(`ready:${network}`).take(READY_CHECKS_PER_MINUTE);
  if (!rate.allowed) throw rateLimited(rate, `One address may ask ${READY_CHECKS_PER_MINUTE} times a minute.`, now());
}

/** A producer can't be asked anything without sending: that it is bound has to do. */
function checkProducers({ JOBS, RENDERS }: Partial<Env>): void {
  if (JOBS === undefined || RENDERS === undefined) throw new Error("A queue isn't bound.");
}

/** How a part answered. What it said when it failed is for the log. */
async function ask(part: keyof Parts, work: () => Promise<void>): Promise<Answer> {
  const answered = new AbortController();
  const timeout = sleep(READY_ANSWER_MS, answered.signal)
    .catch(() => undefined)
    .then(() => "timeout" as const);
  try {
    return await Promise.race([work().then(() => "ok" as const), timeout]);
  } catch (error) {
    if (error instanceof AppError) throw error;
    log("error", "part_failed", { part, ...toLogged(error) });
    return "failed";
  } finally {
    answered.abort();
  }
}
