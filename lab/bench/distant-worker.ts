// The service with delayed calls to D1 or to the accounts' Durable Objects, which simulates a distant database. Only
// the bench uses this Worker.
import worker, * as product from "../../src/index";

/** The delays in milliseconds that are added to each call. */
interface DistantEnv extends Env {
  D1_AWAY_MS: string;
  ACCOUNT_AWAY_MS: string;
}

type Call = (...args: unknown[]) => unknown;

const distantEnvs = new WeakMap<Env, Env>();

/**
 * Returns the environment with delayed bindings. Each `env` always gets the same copy, because the service caches data
 * by binding.
 */
function toDistant(env: Env): Env {
  const known = distantEnvs.get(env);
  if (known !== undefined) return known;
  const { D1_AWAY_MS, ACCOUNT_AWAY_MS } = env as DistantEnv;
  const DB = delayDatabase(env.DB, Number(D1_AWAY_MS));
  const distant = { ...env, DB, ACCOUNT: delayObjects(env.ACCOUNT, Number(ACCOUNT_AWAY_MS)) };
  distantEnvs.set(env, distant);
  return distant;
}

function delayDatabase<DB extends D1Database | D1DatabaseSession>(db: DB, ms: number): DB {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const delayStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const delayed = new Proxy(statement, {
      get: (target, name) =>
        name === "bind"
          ? (...values: unknown[]) => delayStatement(target.bind(...values))
          : delayMethod(target, name, ms),
    });
    originals.set(delayed, statement);
    return delayed;
  };
  return new Proxy(db, {
    get: (target, name) => {
      if (name === "prepare") return (sql: string) => delayStatement(target.prepare(sql));
      if (name === "withSession" && "withSession" in target) {
        return (...args: Parameters<D1Database["withSession"]>) => delayDatabase(target.withSession(...args), ms);
      }
      if (name !== "batch") return delayMethod(target, name, ms);
      return async (statements: D1PreparedStatement[]) => {
        await sleep(ms);
        return await target.batch(statements.map((statement) => originals.get(statement) ?? statement));
      };
    },
  });
}

function delayObjects(namespace: Env["ACCOUNT"], ms: number): Env["ACCOUNT"] {
  return new Proxy(namespace, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "getByName") return value.bind(target);
      return (...args: Parameters<typeof target.getByName>) =>
        new Proxy(target.getByName(...args), { get: (stub, method) => delayMethod(stub, method, ms) });
    },
  });
}

function delayMethod(target: object, name: string | symbol, ms: number): unknown {
  const value: unknown = Reflect.get(target, name);
  if (typeof value !== "function") return value;
  return async (...args: unknown[]) => {
    await sleep(ms);
    // Calls the method on `target` instead of with `value.apply`. On an RPC stub, even `apply` is a remote method.
    return await (target as Record<string | symbol, Call>)[name]?.(...args);
  };
}

async function sleep(ms: number): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
}

export class KeyVerifier extends product.KeyVerifier {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, toDistant(env));
  }
}

export { Account, BrowserHost, Crawl, RateLimiter } from "../../src/index";

export default {
  fetch: (request, env, ctx) => worker.fetch(request, toDistant(env), ctx),
  queue: (batch, env, ctx) => worker.queue(batch as Parameters<typeof worker.queue>[0], toDistant(env), ctx),
  scheduled: (controller, env) => worker.scheduled(controller, toDistant(env)),
} satisfies ExportedHandler<Env, unknown>;
