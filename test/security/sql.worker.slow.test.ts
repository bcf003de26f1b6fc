import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { sqlIn, stubOf } from "../support/account";
import { type Client, createClient, read, refOf } from "../support/client";
import { signUp } from "../support/visitor";

declare global {
  interface ImportMeta {
    /** Vite's `import.meta.glob`: the matching files by path. */
    glob<T>(pattern: string, options: { query: "?raw"; import: "default"; eager: true }): Record<string, T>;
  }
}

const sources = import.meta.glob<string>("../../src/**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

/** The expressions that SQL statements may contain besides constants. None comes from a caller. */
const ALLOWED_EXPRESSIONS: Record<string, string[]> = {
  // These expressions are table names, column names and conditions that come from the code.
  "store/accounts.ts": ["condition", 'sets.join(", ")', "isVerified"],
  "store/account-periods.ts": ["table"],
  "store/audit.ts": ["condition", "selected"],
  "store/keys.ts": ["where", "condition", "found", "old", "endedAt", 'toActive("?2")', 'toActive("?3")'],
  "store/key-changes.ts": ["columns", 'toActive("?2")'],
  "store/outbox.ts": ["dueAt"],
  "store/users.ts": ["table", "condition"],
  "account/batches/batch-list.ts": ["indexed"],
  "account/batches/feed.ts": ["page", "jobs"],
  "account/storage/transaction.ts": ["table", 'sets.join(", ")'],
  "account/retention/archive.ts": ["table"],
  "account/deliveries/delivery-attempts.ts": ["condition"],
  "account/deliveries/deliveries.ts": ["ids", "stage"],
  "account/jobs/lists.ts": [
    "columns",
    "part",
    "matches",
    'this.#select("id", "")',
    'this.#select("id", this.#matches)',
    'this.#select("1", "")',
    'this.#select("id, key_id, endpoint, status, code, outcome, subject, metadata, batch_id", "")',
    "aggregate",
    "rows",
  ],
  "account/deliveries/redelivery.ts": ["source", 'selects.join(" UNION ALL ")'],
  "account/retention/retention.ts": ["those", "condition", "CURSORS[mode]"],
  "account/lifecycle/sealed-values.ts": [
    "from.owner",
    "from.column",
    "from.rows ?? from.table",
    "to.table",
    "to.rows",
    "to.column",
    "to.owner",
    "isUnfinished",
  ],
  "account/deliveries/webhook-settings.ts": ["stage", "due", "ABANDONED"],
  "crawl/frontier.ts": ["condition"],
  "directory/directory-export.ts": ['KEY_COLUMNS.join(", ")'],
  "directory/erase.ts": ["ofMembers", "emails"],
  "account/lifecycle/transfer.ts": [
    "columns",
    "table",
    "condition",
    'key.map(() => "?").join(", ")',
    'names.join(", ")',
    'names.map(() => "?").join(", ")',
  ],
};

const SQL = /\b(?:SELECT|INSERT INTO|INSERT OR|UPDATE \S+ SET|DELETE FROM|WHERE|ORDER BY)\b/;

/** Returns the interpolated expressions of all template literals that contain SQL. */
function interpolations(source: string): string[] {
  const texts = [...source.matchAll(/`[^`]*`/g)].map(([text]) => text).filter((text) => SQL.test(text));
  return texts.flatMap((text) => [...text.matchAll(/\$\{([^}]*)\}/g)].map(([, expression = ""]) => expression));
}

const FOLDERS = /\/src\/(?:store|account|directory|crawl|oauth)\//;
const stores = Object.entries(sources).flatMap(([path, source]) => {
  const [, name] = /src\/((?:store|account|directory|crawl|oauth)\/.+)$/.exec(path) ?? [];
  return name !== undefined && SQL.test(source) ? [{ name, source }] : [];
});

describe("SQL statements", () => {
  it("are only written in the folders of data", () => {
    expect(stores.length).toBeGreaterThan(25);
    const elsewhere = Object.entries(sources).filter(
      ([path, source]) =>
        !FOLDERS.test(path) &&
        /\.(?:prepare|exec)(?:<[^>]*>)?\(\s*[`"'](?:SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(source),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });

  it.each(stores)("contain only constants and numbered parameters: $name", ({ name, source }) => {
    const constants = interpolations(source).filter((expression) => /^[A-Z][A-Z_]+$/.test(expression));
    const others = interpolations(source).filter((expression) => !constants.includes(expression));
    expect([...new Set(others)].filter((expression) => !ALLOWED_EXPRESSIONS[name]?.includes(expression))).toEqual([]);
    // A constant must be defined in the tested file, in a file next to it, in store/, in a lower folder of account/, or in
    // the limits.
    for (const constant of constants) {
      expect(source).toMatch(
        new RegExp(
          `const ${constant}\\b|import \\{[^}]*\\b${constant}\\b[^}]*\\} from "(?:(?:\\.\\./)+(?:model/(?:limits|delivery)|store/[\\w-]+)|\\.\\./(?:storage|retention)/[\\w-]+|\\./[\\w-]+)"`,
        ),
      );
    }
    // SQL must not be concatenated.
    expect(source).not.toMatch(/(?:SELECT|INSERT|UPDATE|DELETE|WHERE)[^`]*?["'`]\s*\+|\.concat\(/);
    // The name of the table is a constant. The names of the columns are those of an object literal.
    for (const [, begin] of source.matchAll(/\btx\.(?:insert|update)\((\S)/g)) expect(begin).toBe('"');
    // Every other call of `prepare` must pass a string literal.
    for (const [, begin] of source.matchAll(/\.prepare\((?!sql\))\s*(?:\w+ === null\s*\?\s*)?(\S)/g))
      expect(begin).toMatch(/[`"]/);
  });

  it.each(Object.keys(ALLOWED_EXPRESSIONS))("contain all allowed expressions: %s", (name) => {
    const source = stores.find((each) => each.name === name)?.source ?? "";
    for (const expression of ALLOWED_EXPRESSIONS[name] ?? []) expect(interpolations(source)).toContain(expression);
  });
});

const INJECTIONS = [
  "'; DROP TABLE jobs; --",
  "' OR '1'='1",
  "x') ON CONFLICT DO UPDATE SET scopes = '[\"keys\"]'; --",
  '"; DELETE FROM ledger; --',
  "?1 ?2 :name @name $name",
  "%_\\",
  "\\'; VACUUM; --",
  "a\u0000b",
  "/* */ -- ;",
] as const;

const count = async (table: string) => await env.DB.prepare(`SELECT COUNT(*) AS n FROM ${table}`).first<number>("n");

async function storedRequest({ accountId }: Client, id: string): Promise<Record<string, string>> {
  const job = await stubOf(await refOf(accountId)).get({ mode: "test", id });
  return JSON.parse(job?.request ?? "{}");
}

describe.each(INJECTIONS)("%s", (text) => {
  it("is stored unchanged as a text", async () => {
    const client = await createClient({ mode: "test" });
    const before = await count("accounts");
    const start = async (endpoint: string, body: Record<string, unknown>, init?: RequestInit) =>
      await read(await client.call("POST", `/v1/${endpoint}?wait=true`, body, init));

    const named = await read(await client.call("POST", "/v1/keys", { name: text }));
    const { data } = await (await client.call("GET", "/v1/keys")).json<{
      data: { name: string; scopes: string[] }[];
    }>();
    expect(data.map(({ name }) => name)).toContain(text);
    expect(named.success).toBe(true);

    expect((await storedRequest(client, (await start("serp", { query: text })).job_id)).query).toBe(text.trim());
    const { job_id: parsed } = await start("parse", {
      html: text,
      prompt: text,
      schema: { type: "object", description: text },
    });
    expect(await storedRequest(client, parsed)).toMatchObject({
      html: text,
      prompt: text,
      schema: { description: text },
    });
    const url = `https://example.com/${text}`;
    expect((await storedRequest(client, (await start("scrape", { url })).job_id)).url).toBe(url);

    const receiver = `https://example.org/?q=${encodeURIComponent(text)}`;
    const set = await client.call("PUT", "/v1/webhooks", { url: receiver });
    expect((await read(set)).data.url).toBe(new URL(receiver).href);

    const found = await read(await client.call("GET", `/v1/jobs?q=${encodeURIComponent(text.trim())}`));
    expect(found.success).toBe(true);
    for (const query of ["status", "endpoint", "code", "from", "to", "cursor", "limit", "offset", "job_id"]) {
      const path = query === "job_id" ? "/v1/webhooks/deliveries" : "/v1/jobs";
      const response = await client.call("GET", `${path}?${query}=${encodeURIComponent(text)}`);
      const rows = await response.json<{ data?: unknown[] }>();
      expect([query, response.status, rows.data ?? []]).toEqual([query, query === "job_id" ? 200 : 400, []]);
    }
    const id = encodeURIComponent(text);
    for (const [method, path] of [
      ["GET", `/v1/jobs/${id}`],
      ["DELETE", `/v1/keys/${id}`],
      ["POST", `/v1/webhooks/deliveries/${id}/redeliver`],
    ] as const)
      expect([path, (await client.call(method, path)).status]).toEqual([path, 404]);

    expect(await count("accounts")).toBe(before);
    const tables = await sqlIn(await refOf(client.accountId), "SELECT COUNT(*) AS jobs FROM jobs");
    expect(tables).toEqual([{ jobs: 3 }]);
  });

  it("works as an Idempotency-Key", async () => {
    const key = text.replaceAll("\u0000", "");
    const client = await createClient({ mode: "test" });
    const start = async (idempotencyKey: string) => {
      const init = { headers: { "idempotency-key": idempotencyKey } };
      return (await read(await client.call("POST", "/v1/serp?wait=true", { query: "tides" }, init))).job_id;
    };
    const first = await start(key);
    expect(await start(key)).toBe(first);
    expect(await start("another")).not.toBe(first);
  });

  it("matches no user in the dashboard and changes nothing", async () => {
    const { visitor } = await signUp();
    const before = await count("users");
    for (const path of ["/dashboard/sign-in", "/dashboard/forgot"])
      expect((await visitor.post(path, { email: text, password: text })).status).toBeLessThan(500);
    for (const path of ["/dashboard/link", "/dashboard/reset", "/dashboard/verify"])
      expect((await visitor.post(path, { token: text, password: `a long password ${text}` })).status).toBeLessThan(500);
    for (const [name, status] of [
      ["q", 200],
      ["key_id", 200],
      ["job", 200],
      ["status", 400],
      ["endpoint", 400],
      ["from", 400],
    ] as const)
      expect([name, (await visitor.get(`/dashboard/jobs?${name}=${encodeURIComponent(text)}`)).status]).toEqual([
        name,
        status,
      ]);
    expect(await count("users")).toBe(before);
  });
});
