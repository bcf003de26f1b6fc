import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, expect, inject, it, vi } from "vitest";
import { app } from "../../src/app";
import { runCron } from "../../src/cron";
import { createLink } from "../../src/directory/users";
import { MINUTE_MS } from "../../src/model/limits";
import { createAccount, createClient, ORIGIN, page, read, refOf } from "../support/client";
import { readEmails, toLink } from "../support/emails";
import { listObjects, readEverything } from "../support/stored-text";
import { Visitor, WITH_EMAIL } from "../support/visitor";
import { endJob, expectPosts, receiver } from "../support/webhooks";

/** All secrets of an operator. Each value is unique, so that the test can find it. */
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
  TURNSTILE_SECRET_KEY: "marked-turnstile-secret-11",
  ALERT_WEBHOOK_SECRET: "marked-alert-secret-12",
  BOT_PRIVATE_KEY: "marked-bot-key-13".padEnd(43, "A"),
} as const;

const bindings = { ...env, ...OPERATORS, ...WITH_EMAIL } as Env;
/** The operator's secrets that the test can't replace, because the Durable Objects use them. */
const SHARED = ["SIGNING_SECRET", "ENCRYPTION_KEY", "MAIL_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] as const;
const lines: string[] = [];
const responses: { path: string; text: string }[] = [];
/** Secrets of users and callers. The test adds them as they are created. */
const secrets = new Map<string, string>();
for (const name of SHARED) addSecret(name, env[name]);
for (const mark of JSON.stringify(OPERATORS).match(/marked-[a-z]+-[a-z]+-\d+/g) ?? []) secrets.set(mark, mark);

async function send(path: string, init: RequestInit = {}): Promise<Response> {
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
  responses.push({
    path,
    text: `${JSON.stringify([...copy.headers].filter(([name]) => name !== "set-cookie"))}${await copy.text()}`,
  });
  return response;
}

/** Calls the API with a key. */
function caller(secret: string) {
  return async (method: string, path: string, body?: unknown) =>
    await send(path, {
      method,
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
}

/** Sends requests like a browser, with cookies. */
function browser() {
  const cookies = new Map<string, string>();
  return async (path: string, fields?: Record<string, string>) => {
    const response = await send(path, {
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

function addSecret(name: string, value: string | null | undefined): string {
  if (value == null || value.length < 10) throw new Error(`The secret '${name}' is missing or too short.`);
  secrets.set(name, value);
  return value;
}

async function useKeys(): Promise<void> {
  const accountId = await createAccount();
  const first = addSecret("API key", (await createClient({ accountId })).secret);
  const created = await read(await caller(first)("POST", "/v1/keys", { name: "second" }));
  const call = caller(addSecret("created API key", created.data.key));
  for (const broken of [`${first}x`, first.slice(0, -1), `${first} ${first}`]) await caller(broken)("GET", "/v1/jobs");
  await send("/v1/jobs", { headers: { authorization: `Basic ${first}` } });
  await send(`/v1/jobs/${first}`, { headers: { authorization: `Bearer ${first}` } });

  const settings = await read(await call("PUT", "/v1/webhooks", { url: receiver("ok") }));
  addSecret("webhook secret", settings.data.secret);
  addSecret("webhook secret after", (await read(await call("POST", "/v1/webhooks/rotate"))).data.secret);

  // These requests call outside services that receive a secret. Some requests succeed, and some fail.
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
  await call("DELETE", `/v1/keys/${created.data.id}`);
  await call("GET", "/v1/jobs");
}

async function useDashboard(): Promise<void> {
  const email = `${crypto.randomUUID()}@example.com`;
  const visit = browser();
  const password = addSecret("password", `a marked password ${crypto.randomUUID()}`);
  // This visitor uses the key that the stand-in email service accepts. The test reads the logged emails.
  const withMail = new Visitor({ ...OPERATORS, ...WITH_EMAIL, MAIL_KEY: env.MAIL_KEY ?? "" });
  await withMail.post("/dashboard/sign-up", { email, password });
  const [proof] = await readEmails(email, 1);
  const confirmation = addSecret("link of an email", new URL(toLink(proof), ORIGIN).searchParams.get("token"));
  await withMail.post("/dashboard/verify", { token: confirmation, password });
  await withMail.post("/dashboard/forgot", { email });
  const [, reset] = await readEmails(email, 2);
  addSecret("password reset link", new URL(toLink(reset), ORIGIN).searchParams.get("token"));
  // The email service rejects the operator's key in this request.
  await visit("/dashboard/forgot", { email });
  await visit("/dashboard/sign-in", { email, password: addSecret("wrong password", `wrong ${crypto.randomUUID()}`) });
  await visit("/dashboard/sign-in", { email, password });
  await visit("/dashboard/settings/password", {
    current: password,
    password: addSecret("new password", `new ${password}`),
  });
  await visit("/dashboard/webhooks/endpoints/default");
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
  const token = addSecret("an operator's link", new URL(url).searchParams.get("token"));
  await browser()("/dashboard/link", { token });
  const unused = await createLink(bindings, {
    link: { ...invited, email: "other@example.com" },
    origin: ORIGIN,
    accountId: null,
    actor: "operator",
    now: Date.now(),
  });
  addSecret("an operator's link, unused", new URL(unused).searchParams.get("token"));
}

/** Secrets that may be shown, and the paths whose responses may show them. */
const SHOWN: [secret: RegExp, path: RegExp][] = [
  [/^created API key$/, /^\/v1\/keys$/],
  [/^webhook secret/, /^\/v1\/webhooks(\/rotate)?$/],
];

afterEach(() => vi.restoreAllMocks());

function findSecrets(text: string): string[] {
  return [...secrets]
    .filter(([, value]) => text.includes(value) || text.includes(encodeURIComponent(value)))
    .map(([name]) => name);
}

/** The ids of objects that earlier test files have used. */
let earlierObjects: Set<string>;
beforeAll(async () => {
  earlierObjects = await listObjects();
});

it("shows secrets only to their owner, and stores none in plain text", async () => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void lines.push(words.map(String).join(" ")));
  await useKeys();
  await useDashboard();
  await runCron(bindings, Date.now() + 5 * MINUTE_MS);

  // Checks that there were secrets, log lines and responses to search.
  expect(secrets.size).toBeGreaterThan(20);
  expect(lines.length).toBeGreaterThan(10);
  expect(responses.length).toBeGreaterThan(30);
  expect(findSecrets(`so: ${secrets.get("API key")}`)).toEqual(["API key"]);

  expect(lines.filter((line) => findSecrets(line).length > 0)).toEqual([]);
  const shown = responses.flatMap(({ path, text }) =>
    findSecrets(text)
      .filter((name) => !SHOWN.some(([secret, where]) => secret.test(name) && where.test(path)))
      .map((name) => `${name} at ${path}`),
  );
  expect(shown).toEqual([]);
  const stored = await readEverything(earlierObjects);
  expect(stored.filter(({ place }) => place.startsWith("D1")).length).toBeGreaterThan(10);
  expect(stored.flatMap(({ place, text }) => findSecrets(text).map((secret) => `${secret} in ${place}`))).toEqual([]);
});
