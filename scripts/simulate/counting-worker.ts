// The product's own Worker, with every call to the platform counted: `npm run count` asks it for the figures. Local alone.

import type { DurableObject } from "cloudflare:workers";
import worker, * as product from "../../src/index";
import { type Around, aroundDatabase } from "./around-database";
import { aroundObject, type ObjectClass } from "./around-object";
import { countOpen } from "./open-jobs";
import type { Statement } from "./statement";

interface Counted {
  statements: Statement[];
  /** Everything else, by its name. */
  calls: Record<string, number>;
  /** Wall time of what runs in Durable Objects, ms, by its name. */
  walls: Record<string, number>;
}

// Handlers and objects share the isolate locally, and so does what counts them.
let counted: Counted = empty();

function empty(): Counted {
  return { statements: [], calls: {}, walls: {} };
}

function count(what: string, times = 1): void {
  counted.calls[what] = (counted.calls[what] ?? 0) + times;
}

/** Counts the call, and keeps each of its statements with what it cost. */
function countingCalls(by: string): Around {
  return async (asked, make) => {
    count(`${by}: D1 call`);
    const results = await make();
    for (const [i, { meta }] of results.entries()) {
      const one = asked[i];
      if (one === undefined) continue;
      counted.statements.push({ by, ...one, rowsRead: meta.rows_read, rowsWritten: meta.rows_written });
    }
    return results;
  };
}

/** Counts each method that is called, under what `name` makes of it and its first argument. */
function countingMethods<T extends object>(target: T, name: (method: string, first: unknown) => string): T {
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function" || typeof property === "symbol") return value;
      return (...values: unknown[]) => {
        count(name(property, values[0]));
        return Reflect.apply(value, target, values);
      };
    },
  });
}

function countingNamespace<T extends DurableObject>(namespace: DurableObjectNamespace<T>, of: string) {
  return {
    getByName: (name: string) =>
      new Proxy(namespace.getByName(name), {
        get:
          (stub, method) =>
          async (values: unknown, ...more: unknown[]) => {
            const startedAt = Date.now();
            const what = `${of}.${String(method)}`;
            count(`call ${what}`);
            try {
              const call = (stub as unknown as Record<string, (...all: unknown[]) => Promise<unknown>>)[String(method)];
              return await call?.(values, ...more);
            } finally {
              counted.walls[what] = (counted.walls[what] ?? 0) + Date.now() - startedAt;
            }
          },
      }),
  };
}

function countingEnv(env: Env, by: string): Env {
  return {
    ...env,
    DB: aroundDatabase(env.DB, countingCalls(by)),
    STORE: countingMethods(env.STORE, (method) => `R2 ${method}`),
    JOBS: countingMethods(env.JOBS, (method) => `queue ${method}`),
    RENDERS: countingMethods(env.RENDERS, (method) => `queue ${method}`),
    KEY_VERIFIER: countingNamespace(env.KEY_VERIFIER, "KeyVerifier"),
    RATE_LIMITER: countingNamespace(env.RATE_LIMITER, "RateLimiter"),
    BROWSER_HOST: countingNamespace(env.BROWSER_HOST, "BrowserHost"),
    WEBHOOK_DELIVERY: countingNamespace(env.WEBHOOK_DELIVERY, "WebhookDelivery"),
  } as unknown as Env;
}

function countingStorage(ctx: DurableObjectState, by: string): DurableObjectState {
  const name = (method: string, first: unknown) =>
    `${by}: storage ${method}${typeof first === "string" ? ` ${first}` : ""}`;
  const kv = countingMethods(ctx.storage.kv, name);
  const storage = countingMethods(ctx.storage, name);
  return new Proxy(ctx, {
    get(_, property) {
      if (property === "storage") {
        return new Proxy(storage, { get: (from, inner) => (inner === "kv" ? kv : Reflect.get(from, inner)) });
      }
      const value: unknown = Reflect.get(ctx, property, ctx);
      return typeof value === "function" ? value.bind(ctx) : value;
    },
  });
}

/** The class, as it is, with an env and a storage that count. */
function counting<T extends ObjectClass>(Base: T, by: string): T {
  const Counting = aroundObject(Base, {
    toEnv: (env) => countingEnv(env, by),
    toContext: (ctx) => countingStorage(ctx, by),
  });
  const alarm = Base.prototype.alarm as ((info?: AlarmInvocationInfo) => Promise<void>) | undefined;
  if (alarm !== undefined) {
    Object.defineProperty(Counting.prototype, "alarm", {
      async value(this: DurableObject<Env>, info?: AlarmInvocationInfo) {
        const startedAt = Date.now();
        const what = `${by}.alarm`;
        count(`call ${what}`);
        try {
          await alarm.call(this, info);
        } finally {
          counted.walls[what] = (counted.walls[what] ?? 0) + Date.now() - startedAt;
        }
      },
    });
  }
  return Counting;
}

export const KeyVerifier = counting(product.KeyVerifier, "KeyVerifier");
export const RateLimiter = counting(product.RateLimiter, "RateLimiter");
export const BrowserHost = counting(product.BrowserHost, "BrowserHost");
export const WebhookDelivery = counting(product.WebhookDelivery, "WebhookDelivery");

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__take") {
      const taken = counted;
      counted = empty();
      return Response.json(taken);
    }
    if (pathname === "/__open") {
      // Nothing of this is counted.
      return Response.json(await countOpen(env.DB, Number(searchParams.get("since"))));
    }
    if (pathname === "/__cron") {
      const controller = { scheduledTime: Number(searchParams.get("at")) } as ScheduledController;
      await worker.scheduled(controller, countingEnv(env, "cron"));
      return Response.json(null);
    }
    count("invocation fetch");
    return await worker.fetch(request, countingEnv(env, "fetch"), ctx);
  },
  async queue(batch, env) {
    count("invocation queue");
    count("queue message delivered", batch.messages.length);
    await worker.queue(batch as Parameters<typeof worker.queue>[0], countingEnv(env, "queue"));
  },
} satisfies ExportedHandler<Env>;
