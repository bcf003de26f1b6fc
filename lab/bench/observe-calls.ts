type Call = (...args: unknown[]) => unknown;

/** Runs one call of a binding. `name` is the binding and the method, such as `ACCOUNT.createJob`. */
export type Observer = (name: string, call: () => unknown) => Promise<unknown>;

type Namespace = DurableObjectNamespace<Rpc.DurableObjectBranded | undefined>;

const NAMESPACES = ["ACCOUNT", "BROWSER_HOST", "CRAWL", "KEY_VERIFIER", "RATE_LIMITER"] as const;
const QUEUES = ["JOBS", "RENDERS", "SUMMARIES", "WEBHOOKS"] as const;

/** Returns the environment whose calls to Durable Objects, queues, R2 and D1 go through `observe`. */
export function observeCalls(env: Env, observe: Observer): Env {
  const copy = { ...env } as unknown as Record<string, object>;
  for (const name of NAMESPACES) copy[name] = observeObjects(env[name] as unknown as Namespace, name, observe);
  for (const name of QUEUES) copy[name] = observeMethods(env[name], name, observe);
  copy.STORE = observeMethods(env.STORE, "STORE", observe);
  copy.DB = observeDatabase(env.DB, observe);
  return copy as unknown as Env;
}

function observeObjects(namespace: Namespace, name: string, observe: Observer): Namespace {
  return new Proxy(namespace, {
    get: (target, method) => {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== "function") return value;
      if (method !== "getByName") return value.bind(target);
      return (...args: Parameters<Namespace["getByName"]>) => observeMethods(target.getByName(...args), name, observe);
    },
  });
}

function observeDatabase<DB extends D1Database | D1DatabaseSession>(db: DB, observe: Observer): DB {
  const originals = new WeakMap<object, D1PreparedStatement>();
  const observeStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const observed = new Proxy(statement, {
      get: (target, method) =>
        method === "bind"
          ? (...values: unknown[]) => observeStatement(target.bind(...values))
          : Reflect.get(observeMethods(target, "DB", observe), method),
    });
    originals.set(observed, statement);
    return observed;
  };
  return new Proxy(db, {
    get: (target, method) => {
      if (method === "prepare") return (sql: string) => observeStatement(target.prepare(sql));
      if (method === "withSession" && "withSession" in target) {
        return (...args: Parameters<D1Database["withSession"]>) =>
          observeDatabase(target.withSession(...args), observe);
      }
      if (method !== "batch") return Reflect.get(observeMethods(target, "DB", observe), method);
      return (statements: D1PreparedStatement[]) =>
        observe("DB.batch", () => target.batch(statements.map((each) => originals.get(each) ?? each)));
    },
  });
}

function observeMethods<T extends object>(target: T, name: string, observe: Observer): T {
  return new Proxy(target, {
    get: (_, method) => {
      const value: unknown = Reflect.get(target, method);
      if (typeof value !== "function") return value;
      // Calls the method on `target` instead of with `value.apply`. On an RPC stub, even `apply` is a remote method.
      return (...args: unknown[]) =>
        observe(`${name}.${String(method)}`, () => (target as Record<string | symbol, Call>)[method]?.(...args));
    },
  });
}
