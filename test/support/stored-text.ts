// Reads everything that the service has stored, so that a test can search it.
import { listDurableObjectIds, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";

/** A stored text and its location: a table, an object or a file. */
export interface StoredText {
  place: string;
  text: string;
}

const NAMESPACES: Record<string, DurableObjectNamespace> = {
  keys: env.KEY_VERIFIER,
  addresses: env.RATE_LIMITER,
  accounts: env.ACCOUNT,
};

/** The ids of the Durable Objects that exist. */
export async function listObjects(): Promise<Set<string>> {
  const lists = await Promise.all(Object.values(NAMESPACES).map((namespace) => listDurableObjectIds(namespace)));
  return new Set(lists.flat().map(String));
}

/** Reads all tables of D1, all objects of R2, and the storage of all Durable Objects that aren't in `except`. */
export async function readEverything(except: ReadonlySet<string>): Promise<StoredText[]> {
  return [...(await readDatabase()), ...(await readStore()), ...(await readObjects(except))];
}

async function readDatabase(): Promise<StoredText[]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
  ).all<{ name: string }>();
  return await Promise.all(
    tables.map(async ({ name }) => ({
      place: `D1 ${name}`,
      text: JSON.stringify((await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results),
    })),
  );
}

async function readStore(): Promise<StoredText[]> {
  const texts: StoredText[] = [];
  let cursor: string | undefined;
  do {
    const page = await env.STORE.list(cursor === undefined ? {} : { cursor });
    for (const { key } of page.objects) {
      const object = await env.STORE.get(key);
      texts.push({
        place: `R2 ${key}`,
        text: `${key} ${JSON.stringify(object?.customMetadata)} ${await object?.text()}`,
      });
    }
    cursor = page.truncated ? page.cursor : undefined;
  } while (cursor !== undefined);
  return texts;
}

async function readObjects(except: ReadonlySet<string>): Promise<StoredText[]> {
  const texts: StoredText[] = [];
  for (const [name, namespace] of Object.entries(NAMESPACES))
    for (const id of await listDurableObjectIds(namespace))
      if (!except.has(String(id))) texts.push({ place: name, text: await readStorage(namespace.get(id)) });
  return texts;
}

async function readStorage(stub: DurableObjectStub): Promise<string> {
  return await runInDurableObject(stub, async (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
    );
    const rows = [...tables].map(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray());
    return JSON.stringify([[...(await storage.list())], rows], (_, value) =>
      value instanceof ArrayBuffer ? new TextDecoder("latin1").decode(value) : value,
    );
  });
}
