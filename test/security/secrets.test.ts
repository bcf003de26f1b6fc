import {
  createExecutionContext,
  listDurableObjectIds,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, inject, it, vi } from "vitest";
import { app } from "../../src/app";
import { runCron } from "../../src/cron";
import { createLink } from "../../src/directory/users";
import { MINUTE_MS } from "../../src/model/limits";
import { createAccount, createClient, ORIGIN, page, read, refOf } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import { Visitor, WITH_EMAIL } from "../support/visitor";
import { endJob, expectPosts, receiver } from "../support/webhooks";

/** Every secret of an operator, each with a name of its own in it. */
const OPERATORS = {
  OPENAI_API_KEY: "marked-openai-key-1",
  ANTHROPIC_API_KEY: "marked-anthropic-key-2",
  MAIL_KEY: "marked-mail-key-3",
  PROXIES: JSON.stringify({
    TR: `http://marked-proxy-user-6:marked-proxy-password-7@${inject("proxy")}`,
    FR: "http://marked-proxy-user-6:marked-proxy-password-7@127.0.0.1:1",
    DE: "not a URL with marked-proxy-password-7",
  }),
  SERP_PROVIDER_KEY: "marked-provider-key-8",
  YANDEX_API_KEY: "marked-yandex-key-9",
  GITHUB_CLIENT_SECRET: "marked-github-secret-10",
} as const;

const bindings = { ...env, ...OPERATORS, ...WITH_EMAIL } as Env;
/** The Durable Objects have these: they can't be others here. */
const SHARED = ["SIGNING_SECRET", "ENCRYPTION_KEY", "MAIL_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] as const;
const lines: string[] = [];
const answers: { path: string; text: string }[] = [];
/** Those of people and programs, as they come up. */
const secrets = new Map<string, string>();
for (const name of SHARED) keep(name, env[name]);
for (const mark of JSON.stringify(OPERATORS).match(/marked-[a-z]+-[a-z]+-\d+/g) ?? []) secrets.set(mark, mark);

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const ctx = createExecutionContext();
  const headers = new Headers(init.headers);
  headers.set("cf-connecting-ip", "2001:db8:5ec::1");
  const response = await app.fetch(
    new Request(`${ORIGIN}${path}`, { ...init, headers, redirect: "manual" }),
    bindings,
    ctx,
  );
  await waitOnExecutionContext(ctx);
  const copy = response.clone() as Response;
  answers.push({
    path,
    text: `${JSON.stringify([...copy.headers].filter(([name]) => name !== "set-cookie"))}${await copy.text()}`,
  });
  return response;
}

/** As a program does it. */
function caller(secret: string) {
  return async (method: string, path: string, body?: unknown) =>
    await ask(path, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** As a browser does it. */
function browser() {
  const cookies = new Map<string, string>();
  return async (path: string, fields?: Record<string, string>) => {
    const response = await ask(path, {
      headers: { origin: ORIGIN, cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
      ...(fields === undefined ? {} : { method: "POST", body: new URLSearchParams(fields) }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
      if (/session_token|known/.test(name) && value.length > 20) secrets.set(`${name} ${secrets.size}`, value);
    }
    return response;
  };
}

function keep(name: string, value: string | null | undefined): string {
  if (value == null || value.length < 10) throw new Error(`There was no ${name}.`);
  secrets.set(name, value);
  return value;
}

async function useKeys(): Promise<void> {
  const accountId = await createAccount();
  const first = keep("API key", (await createClient({ accountId })).secret);
  const made = await read(await caller(first)("POST", "/v1/keys", { name: "second" }));
  const call = caller(keep("API key that was made", made.data.key));
  for (const broken of [`${first}x`, first.slice(0, -1), `${first} ${first}`]) await caller(broken)("GET", "/v1/jobs");
  await ask("/v1/jobs", { headers: { authorization: `Basic ${first}` } });
  await ask(`/v1/jobs/${first}`, { headers: { authorization: `Bearer ${first}` } });

  const settings = await read(await call("PUT", "/v1/webhooks", { url: receiver("ok") }));
  keep("webhook secret", settings.data.secret);
  keep("webhook secret after", (await read(await call("POST", "/v1/webhooks/rotate"))).data.secret);

  // What succeeds, and what is refused by whoever is shown a secret.
  await call("POST", "/v1/scrape?wait=true", { url: page("article") });
  for (const country of ["TR", "FR", "DE"])
    await call("POST", "/v1/scrape?wait=true", { url: page("article"), proxy_country: country });
  for (const behavior of ["good", "error-401", "garbage"])
    for (const model of [env.OPENAI_MODEL, env.ANTHROPIC_MODEL])
      await call("POST", "/v1/parse?wait=true", {
        html: `<p>[[${behavior} ${crypto.randomUUID()}]]</p>`,
        prompt: "p",
        model,
      });
  const pushed = receiver("ok");
  await endJob(pushed, { account: await refOf(accountId), bindings });
  await expectPosts(pushed, 1);
  await call("DELETE", `/v1/keys/${made.data.id}`);
  await call("GET", "/v1/jobs");
}

async function useDashboard(): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`;
  const visit = browser();
  const password = keep("password", `a marked password ${crypto.randomUUID()}`);
  // With a mail service that takes the key, so that there are emails.
  const withMail = new Visitor({ ...OPERATORS, ...WITH_EMAIL, MAIL_KEY: env.MAIL_KEY ?? "" });
  await withMail.post("/dashboard/sign-up", { email, password });
  const [proof] = await readEmails(email, 1);
  const confirmation = keep("link of an email", new URL(toLink(proof), ORIGIN).searchParams.get("token"));
  await withMail.post("/dashboard/verify", { token: confirmation, password });
  await withMail.post("/dashboard/forgot", { email });
  const [, reset] = await readEmails(email, 2);
  keep("link to a new password", new URL(toLink(reset), ORIGIN).searchParams.get("token"));
  // With one that refuses it.
  await visit("/dashboard/forgot", { email });
  await visit("/dashboard/sign-in", { email, password: keep("wrong password", `wrong ${crypto.randomUUID()}`) });
  await visit("/dashboard/sign-in", { email, password });
  await visit("/dashboard/settings/password", { current: password, password: keep("new password", `new ${password}`) });
  await visit("/dashboard/webhooks");
  for (const path of ["", "/keys", "/settings", "/jobs", "/playground", "/plan"]) await visit(`/dashboard${path}`);
  await visit("/dashboard/auth/callback/github?code=x&state=y");

  const invited = { kind: "sign-in" as const, email: `${crypto.randomUUID()}@example.com`, name: "Invited" };
  const url = await createLink(bindings, {
    link: invited,
    origin: ORIGIN,
    accountId: null,
    actor: "operator",
    now: Date.now(),
  });
  const token = keep("an operator's link", new URL(url).searchParams.get("token"));
  await browser()("/dashboard/link", { token });
  const unused = await createLink(bindings, {
    link: { ...invited, email: "other@example.com" },
    origin: ORIGIN,
    accountId: null,
    actor: "operator",
    now: Date.now(),
  });
  keep("an operator's link, unused", new URL(unused).searchParams.get("token"));
}

/** Who may be shown what: once, or as often as its owner asks. */
const SHOWN: [secret: RegExp, path: RegExp][] = [
  [/^API key that was made$/, /^\/v1\/keys$/],
  [/^webhook secret/, /^\/v1\/webhooks(\/rotate)?$/],
];

afterEach(() => vi.restoreAllMocks());

function found(text: string): string[] {
  return [...secrets]
    .filter(([, value]) => text.includes(value) || text.includes(encodeURIComponent(value)))
    .map(([name]) => name);
}

async function inTables(): Promise<string[]> {
  const { results: tables } = await env.DB.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
  ).all<{ name: string }>();
  expect(tables.length).toBeGreaterThan(10);
  const rows = await Promise.all(
    tables.map(async ({ name }) => ({ name, rows: (await env.DB.prepare(`SELECT * FROM "${name}"`).all()).results })),
  );
  return rows.flatMap(({ name, rows }) => found(JSON.stringify(rows)).map((secret) => `${secret} in ${name}`));
}

async function inObjects(): Promise<string[]> {
  const { objects } = await env.STORE.list();
  const texts = await Promise.all(objects.map(async ({ key }) => `${key} ${await (await env.STORE.get(key))?.text()}`));
  return texts.flatMap((text) => found(text).map((secret) => `${secret} in ${text.slice(0, 60)}`));
}

/** Of keys, addresses and accounts. */
async function inDurableObjects(): Promise<string[]> {
  const namespaces = { keys: env.KEY_VERIFIER, addresses: env.RATE_LIMITER, accounts: env.ACCOUNT };
  const holding: string[] = [];
  for (const [name, namespace] of Object.entries(namespaces) as [string, DurableObjectNamespace][]) {
    for (const id of await listDurableObjectIds(namespace)) {
      const kept = await runInDurableObject(namespace.get(id), async (_, { storage }) => {
        const tables = storage.sql.exec<{ name: string }>(
          "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '_cf_%'",
        );
        const rows = [...tables].map(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray());
        return JSON.stringify([[...(await storage.list())], rows]);
      });
      holding.push(...found(kept).map((secret) => `${secret} in ${name}`));
    }
  }
  return holding;
}

it("tells no secret to anybody but its owner, and keeps none in the clear", async () => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void lines.push(words.map(String).join(" ")));
  await useKeys();
  await useDashboard();
  await runCron(bindings, Date.now() + 5 * MINUTE_MS);

  // Else there was nothing that could have told one.
  expect(secrets.size).toBeGreaterThan(20);
  expect(lines.length).toBeGreaterThan(10);
  expect(answers.length).toBeGreaterThan(30);
  expect(found(`so: ${secrets.get("API key")}`)).toEqual(["API key"]);

  expect(lines.filter((line) => found(line).length > 0)).toEqual([]);
  const told = answers.flatMap(({ path, text }) =>
    found(text)
      .filter((name) => !SHOWN.some(([secret, where]) => secret.test(name) && where.test(path)))
      .map((name) => `${name} at ${path}`),
  );
  expect(told).toEqual([]);
  expect(await inTables()).toEqual([]);
  expect(await inObjects()).toEqual([]);
  expect(await inDurableObjects()).toEqual([]);
});
