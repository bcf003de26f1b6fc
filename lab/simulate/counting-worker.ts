// The service with bindings that count every platform call. `npm run lab -- count` runs it in the local runtime and
// reads the counts.
import type { DurableObject } from "cloudflare:workers";
import worker, * as product from "../../src/index";
import type { Counts } from "./measured";

// The counts of all handlers and Durable Objects. In the local runtime, they share one isolate and therefore this
// variable.
let counts: Omit<Counts, "running"> = { calls: {}, rows: {}, walls: {} };
let running = 0;

function add(kind: keyof typeof counts, name: string, amount = 1): void {
  counts[kind][name] = (counts[kind][name] ?? 0) + amount;
}

async function track<T>(work: () => Promise<T>): Promise<T> {
  running++;
  try {
    return await work();
  } finally {
    running--;
  }
}

/**
 * Returns a proxy that calls `onCall` before each method. The methods run on `target` itself, because bindings require
 * that.
 */
function hooked<T extends object>(target: T, onCall: (method: string, values: unknown[]) => void): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...values: unknown[]) => {
        onCall(String(name), values);
        return Reflect.apply(value, target, values);
      };
    },
  });
}

/** Returns a proxy of `target` that replaces some properties. */
function replacing<T extends object>(target: T, properties: Record<string, unknown>): T {
  return new Proxy(target, {
    get(_, name) {
      if (typeof name === "string" && name in properties) return properties[name];
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

const statements = new WeakMap<object, D1PreparedStatement>();

function countStatement(statement: D1PreparedStatement, by: string): D1PreparedStatement {
  const counted = replacing(statement, {
    bind: (...values: unknown[]) => countStatement(statement.bind(...values), by),
    ...Object.fromEntries(
      (["all", "first", "run", "raw"] as const).map((method) => [
        method,
        (...values: unknown[]) => {
          add("calls", `D1 ${by}`);
          return Reflect.apply(statement[method], statement, values);
        },
      ]),
    ),
  });
  statements.set(counted, statement);
  return counted;
}

function countDatabase<T extends D1Database | D1DatabaseSession>(db: T, by: string): T {
  return replacing(db, {
    prepare: (sql: string) => countStatement(db.prepare(sql), by),
    batch: (batch: D1PreparedStatement[]) => {
      add("calls", `D1 ${by}`);
      return db.batch(batch.map((counted) => statements.get(counted) ?? counted));
    },
    withSession: (start?: string) => ("withSession" in db ? countDatabase(db.withSession(start), by) : db),
  });
}

function countQueue(queue: Queue, name: string): Queue {
  return hooked(queue, (method, [first]) => {
    add("calls", `queue ${name}`, method === "sendBatch" ? (first as unknown[]).length : 1);
  });
}

type Method = (...values: unknown[]) => Promise<unknown>;

function countNamespace(namespace: DurableObjectNamespace, of: string): DurableObjectNamespace {
  const getByName = (name: string, options?: DurableObjectNamespaceGetDurableObjectOptions) => {
    const stub = namespace.getByName(name, options);
    return new Proxy(stub, {
      get:
        (_, method) =>
        async (values: unknown, ...more: unknown[]) => {
          const what = `${of}.${String(method)}`;
          const startedAt = Date.now();
          add("calls", what);
          try {
            return await track(
              async () => await (stub as unknown as Record<string, Method>)[String(method)]?.(values, ...more),
            );
          } finally {
            add("walls", what, Date.now() - startedAt);
          }
        },
    });
  };
  return replacing(namespace, { getByName });
}

/** Returns the environment with counting bindings. `by` is the handler or the class that makes the calls. */
function countEnv(env: Env, by: string): Env {
  return {
    ...env,
    DB: countDatabase(env.DB, by),
    STORE: hooked(env.STORE, (method) => add("calls", `R2 ${method}`)),
    JOBS: countQueue(env.JOBS, "jobs"),
    RENDERS: countQueue(env.RENDERS, "renders"),
    WEBHOOKS: countQueue(env.WEBHOOKS, "webhooks"),
    SUMMARIES: countQueue(env.SUMMARIES, "summaries"),
    ACCOUNT: countNamespace(env.ACCOUNT as DurableObjectNamespace, "Account"),
    KEY_VERIFIER: countNamespace(env.KEY_VERIFIER as DurableObjectNamespace, "KeyVerifier"),
    RATE_LIMITER: countNamespace(env.RATE_LIMITER as DurableObjectNamespace, "RateLimiter"),
    BROWSER_HOST: countNamespace(env.BROWSER_HOST as DurableObjectNamespace, "BrowserHost"),
  } as Env;
}

/** Storage methods that Cloudflare bills as one written row. */
const ROW_METHODS = ["put", "delete", "setAlarm"];

function countStorage(storage: DurableObjectStorage, of: string): DurableObjectStorage {
  const onCall = (method: string) => {
    if (ROW_METHODS.includes(method)) add("rows", `${of}: ${method}`);
  };
  const exec = (query: string, ...values: unknown[]) => {
    // `exec` runs the first step of a statement. A statement that writes needs only this step, so `rowsWritten` is
    // final.
    const cursor = storage.sql.exec(query, ...values);
    if (cursor.rowsWritten > 0) add("rows", `${of}: ${toLabel(query)}`, cursor.rowsWritten);
    return cursor;
  };
  return replacing(hooked(storage, onCall), {
    kv: hooked(storage.kv, onCall),
    sql: replacing(storage.sql, { exec }),
  });
}

/** Returns the verb and the table of a statement that writes, such as `UPDATE jobs`. */
function toLabel(query: string): string {
  const [, verb = "", table = ""] =
    /\b(INSERT|REPLACE|UPDATE|DELETE)\b(?: OR \w+)?(?: INTO| FROM)?\s+(\w+)/i.exec(query) ?? [];
  return `${verb} ${table}`.trim() || "other";
}

type ObjectClass = new (ctx: DurableObjectState, env: Env) => DurableObject<Env>;

/** Returns a subclass with a counting environment and a counting storage. */
function counting<T extends ObjectClass>(Base: T, of: string): T {
  const Counting = class extends (Base as ObjectClass) {
    constructor(ctx: DurableObjectState, env: Env) {
      super(ctx, countEnv(env, of));
      // The base constructor requires the runtime's own state object, so the counting storage is set afterward.
      Object.defineProperty(this, "ctx", { value: replacing(ctx, { storage: countStorage(ctx.storage, of) }) });
    }

    /** Runs the alarm handler, because the runtime doesn't allow RPC calls of `alarm`. */
    async runAlarm(): Promise<void> {
      await this.alarm?.();
    }
  };
  return Counting as unknown as T;
}

export const Account = counting(product.Account, "Account");
export const KeyVerifier = counting(product.KeyVerifier, "KeyVerifier");
export const RateLimiter = counting(product.RateLimiter, "RateLimiter");
export const BrowserHost = counting(product.BrowserHost, "BrowserHost");
export * from "../../src/index";

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/__counts") return Response.json({ ...counts, running } satisfies Counts);
    if (pathname === "/__reset") {
      counts = { calls: {}, rows: {}, walls: {} };
      return Response.json(null);
    }
    if (pathname === "/__alarm") {
      const stub = env.ACCOUNT.getByName(searchParams.get("object") ?? "");
      await (stub as unknown as Record<string, Method>).runAlarm?.();
      return Response.json(null);
    }
    add("calls", "invocation");
    return await track(async () => await worker.fetch(request, countEnv(env, "fetch"), ctx));
  },
  async queue(batch, env, ctx) {
    // Doesn't count summaries, because their number doesn't depend on jobs. Each key and account sends one every 15
    // minutes.
    if (!batch.queue.endsWith("-summaries")) add("calls", "invocation");
    await track(async () => await worker.queue(batch, countEnv(env, batch.queue), ctx));
  },
  async scheduled(controller, env) {
    await worker.scheduled(controller, countEnv(env, "cron"));
  },
} satisfies ExportedHandler<Env>;
