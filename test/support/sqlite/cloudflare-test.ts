// Stands in for `cloudflare:test` in Node, for tests of the account's SQL. Accounts are objects in this process, with
// the storage of node-storage.ts.
import { Account } from "../../../src/account/object";
import { env } from "./cloudflare-workers";
import { NodeStorage } from "./node-storage";

/** A Durable Object and its state. `stub` calls the methods of the current instance. */
class LocalObject {
  readonly state: { id: { name: string }; storage: NodeStorage };
  readonly stub: object;
  instance: Account;

  constructor(name: string) {
    this.state = { id: { name }, storage: new NodeStorage() };
    this.instance = this.start();
    this.stub = new Proxy(this, {
      get:
        ({ instance }, method) =>
        async (...args: unknown[]) =>
          // RPC copies the arguments and the result.
          structuredClone(
            await (Reflect.get(instance, method) as (...args: unknown[]) => unknown).apply(
              instance,
              structuredClone(args),
            ),
          ),
    });
  }

  start(): Account {
    const platform = { blockConcurrencyWhile: (work: () => Promise<unknown>) => work(), waitUntil: () => {} };
    this.instance = new Account({ ...this.state, ...platform } as unknown as DurableObjectState, env as unknown as Env);
    return this.instance;
  }
}

const objects = new Map<string, LocalObject>();
const byStub = new WeakMap<object, LocalObject>();

env.ACCOUNT = {
  getByName: (name: string) => {
    const object = objects.get(name) ?? new LocalObject(name);
    objects.set(name, object);
    byStub.set(object.stub, object);
    return object.stub;
  },
};

function objectOf(stub: object): LocalObject {
  const object = byStub.get(stub);
  if (object === undefined) throw new Error("This isn't the stub of an account.");
  return object;
}

/** Calls `work` with the object and its storage. */
export async function runInDurableObject<Value>(
  stub: object,
  work: (account: Account, state: LocalObject["state"]) => Value,
): Promise<Awaited<Value>> {
  const { instance, state } = objectOf(stub);
  return await work(instance, state);
}

/** Replaces the object's instance. The storage stays. */
export async function evictDurableObject(stub: object): Promise<void> {
  objectOf(stub).start();
}
