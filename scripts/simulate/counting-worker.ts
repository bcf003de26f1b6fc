// The product's own Worker, with every call to the platform counted: `npm run count` asks it for the figures. Local alone.

import type { DurableObject } from "cloudflare:workers";
import worker, * as product from "../../src/index";
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

class CountingStatement {
  readonly raw: D1PreparedStatement;
  readonly #by: string;
  readonly #sql: string;
  readonly #values: unknown[];

  constructor(raw: D1PreparedStatement, by: string, sql: string, values: unknown[] = []) {
    this.raw = raw;
    this.#by = by;
    this.#sql = sql;
    this.#values = values;
  }

  bind(...values: unknown[]): CountingStatement {
    return new CountingStatement(this.raw.bind(...values), this.#by, this.#sql, values);
  }

  async all(): Promise<D1Result> {
    count(`${this.#by}: D1 call`);
    const result = await this.raw.all();
    this.note(result);
    return result;
  }

  async run(): Promise<D1Result> {
    return await this.all();
  }

  async first(column?: string): Promise<unknown> {
    const [row] = (await this.all()).results as Record<string, unknown>[];
    if (row === undefined) return null;
    return column === undefined ? row : row[column];
  }

  note({ meta }: D1Result): void {
    counted.statements.push({
      by: this.#by,
      sql: this.#sql,
      values: this.#values,
      rowsRead: meta.rows_read,
      rowsWritten: meta.rows_written,
    });
  }
}

function countingDatabase(db: D1Database | D1DatabaseSession, by: string): D1Database {
  const counting = {
    withSession: (start?: string) => ("withSession" in db ? countingDatabase(db.withSession(start), by) : counting),
    prepare: (sql: string) => new CountingStatement(db.prepare(sql), by, sql),
    async batch(statements: CountingStatement[]): Promise<D1Result[]> {
      count(`${by}: D1 call`);
      const results = await db.batch(statements.map(({ raw }) => raw));
      for (const [i, result] of results.entries()) statements[i]?.note(result);
      return results;
    },
  };
  return counting as unknown as D1Database;
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
    DB: countingDatabase(env.DB, by),
    STORE: countingMethods(env.STORE, (method) => `R2 ${method}`),
    JOBS: countingMethods(env.JOBS, (method) => `queue ${method}`),
    RENDERS: countingMethods(env.RENDERS, (method) => `queue ${method}`),
    KEY_GATE: countingNamespace(env.KEY_GATE, "KeyGate"),
    ADDRESS_GATE: countingNamespace(env.ADDRESS_GATE, "AddressGate"),
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

type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>;

/** The class, as it is, with an env and a storage that count. */
function counting<T extends ObjectClass>(Base: T, by: string): T {
  const Counting = class extends (Base as ObjectClass) {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, countingEnv(env, by));
      Object.defineProperty(this, "ctx", { value: countingStorage(ctx, by) });
    }
  };
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
  return Counting as unknown as T;
}

export const KeyGate = counting(product.KeyGate, "KeyGate");
export const AddressGate = counting(product.AddressGate, "AddressGate");
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
      // Nothing of this is counted: whether the jobs and their deliveries are over.
      const since = Number(searchParams.get("since"));
      const open = await env.DB.prepare(
        `SELECT (SELECT COUNT(*) FROM jobs WHERE ended_at IS NULL AND created_at >= ?1)
           + (SELECT COUNT(*) FROM deliveries WHERE wake_at IS NOT NULL AND created_at >= ?1) AS open`,
      )
        .bind(since)
        .first<number>("open");
      return Response.json(open);
    }
    if (pathname === "/__sweep") {
      const controller = { scheduledTime: Number(searchParams.get("at")) } as ScheduledController;
      await worker.scheduled(controller, countingEnv(env, "sweep"));
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
