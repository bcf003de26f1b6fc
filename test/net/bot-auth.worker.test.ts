import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { createPublicKey, verify } from "node:crypto";
import { afterEach, describe, expect, inject, it, vi } from "vitest";
import { app } from "../../src/app";
import { newWebhookSecret } from "../../src/lib/crypto";
import { newId } from "../../src/lib/id";
import { importBotKey, toSignatureHeaders } from "../../src/net/bot-auth";
import { fetchRobots, fetchSitemap, toResourceOptions } from "../../src/site/fetch-resource";
import { send } from "../../src/webhooks/send";
import { ORIGIN, page, read, site } from "../support/client";
import { run } from "../support/run-endpoint";
import { receiver } from "../support/webhooks";

/** The key `test-key-ed25519` of RFC 9421, appendix B.1.4. */
const SEED = "n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU";
const PUBLIC = { kty: "OKP", crv: "Ed25519", x: "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs" };
/** The thumbprint of this key in draft-meunier-web-bot-auth-architecture, appendix A. */
const KEY_ID = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";
const BOT = { BOT_PRIVATE_KEY: SEED, PUBLIC_URL: ORIGIN };
const PATH = "/.well-known/http-message-signatures-directory";

afterEach(() => vi.restoreAllMocks());

/** Verifies a signature over the components with the public key. Returns its parameters. */
function check(headers: Record<string, string | undefined>, components: [name: string, value: string][]) {
  const [, list, parameters] = /^sig1=\((.*?)\)(;.*)$/.exec(headers["signature-input"] ?? "") ?? [];
  expect(list).toBe(components.map(([name]) => name).join(" "));
  const lines = [...components, ['"@signature-params"', `(${list})${parameters}`]];
  const base = lines.map(([name, value]) => `${name}: ${value}`).join("\n");
  const [, signature = ""] = /^sig1=:(.*):$/.exec(headers.signature ?? "") ?? [];
  const key = createPublicKey({ key: PUBLIC, format: "jwk" });
  expect(verify(null, Buffer.from(base), key, Buffer.from(signature, "base64"))).toBe(true);
  return Object.fromEntries(
    (parameters ?? "").split(";").map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at), part.slice(at + 1).replaceAll('"', "")];
    }),
  );
}

function checkRequest(headers: Record<string, string | undefined>, host: string) {
  expect(headers["signature-agent"]).toBe(`"${ORIGIN}"`);
  return check(headers, [
    ['"@authority"', host],
    ['"signature-agent"', `"${ORIGIN}"`],
  ]);
}

/** Scrapes a page that echoes the request. Returns the headers of the request. */
async function echo(
  bindings: Record<string, string>,
  request: Record<string, unknown> = {},
  url = page("echo"),
): Promise<Record<string, string>> {
  const { data } = await run("scrape", { url, formats: ["text"], ...request }, { bindings });
  return JSON.parse(String(data.text)).headers;
}

/** Records the signatures of all requests that `fetch` sends. */
function recordSignatures(): (string | null)[] {
  const signatures: (string | null)[] = [];
  const original = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    signatures.push(new Request(input as RequestInfo, init as RequestInit).headers.get("signature-agent"));
    return await original(input, init);
  });
  return signatures;
}

it("signs as in RFC 9421, appendix B.2.6", async () => {
  const { privateKey, id } = await importBotKey(SEED);
  expect(id).toBe(KEY_ID);
  const components: [string, string][] = [
    ['"date"', "Tue, 20 Apr 2021 02:07:55 GMT"],
    ['"@method"', "POST"],
    ['"@path"', "/foo"],
    ['"@authority"', "example.com"],
    ['"content-type"', "application/json"],
    ['"content-length"', "18"],
  ];
  const parameters = ';created=1618884473;keyid="test-key-ed25519"';
  const headers = new Headers(await toSignatureHeaders(privateKey, components, parameters));
  expect(headers.get("signature-input")).toBe(
    'sig1=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  );
  expect(headers.get("signature")).toBe(
    "sig1=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:",
  );
});

describe("a plain request", () => {
  it.each([
    ["with FETCH_VIA fetch", { FETCH_VIA: "fetch" }, {}],
    ["with FETCH_VIA socket", { FETCH_VIA: "socket" }, {}],
    [
      "through a proxy",
      { PROXIES: JSON.stringify({ DE: `http://ok:secret@${inject("proxy")}` }) },
      { proxy_country: "DE" },
    ],
  ])("is signed %s", async (_, bindings, request) => {
    const headers = await echo({ ...BOT, ...bindings }, request);
    const { created, expires, nonce, ...parameters } = checkRequest(headers, new URL(site).host);
    expect(parameters).toMatchObject({ keyid: KEY_ID, alg: "ed25519", tag: "web-bot-auth" });
    expect(Number(expires) - Number(created)).toBe(300);
    expect(Buffer.from(nonce ?? "", "base64").length).toBe(64);
    const other = await echo({ ...BOT, ...bindings }, request);
    expect(other["signature-input"]).not.toBe(headers["signature-input"]);
  });

  it("is signed for the host of each redirect", async () => {
    const other = page("echo").replace("127.0.0.1", "localhost");
    const from = page("redirect").replace("localhost", "127.0.0.1");
    const headers = await echo(BOT, {}, `${from}?to=${encodeURIComponent(other)}`);
    checkRequest(headers, new URL(other).host);
  });

  it("keeps a customer's own signature and gets no other one", async () => {
    const own = { "Signature-Input": "own=()", Signature: "own=:AA==:" };
    const headers = await echo(BOT, { headers: own });
    expect([headers["signature-input"], headers.signature]).toEqual(["own=()", "own=:AA==:"]);
    expect(headers).not.toHaveProperty("signature-agent");
  });

  it.each([
    ["without a key", { BOT_PRIVATE_KEY: "" }],
    ["with a broken key", { BOT_PRIVATE_KEY: "broken" }],
    ["without PUBLIC_URL", { PUBLIC_URL: "" }],
  ])("isn't signed %s", async (_, bindings) => {
    const headers = await echo({ ...BOT, ...bindings });
    expect(Object.keys(headers).filter((name) => name.startsWith("signature"))).toEqual([]);
  });
});

it("signs requests for robots.txt and sitemaps", async () => {
  const { whole } = inject("mappedSites");
  const context = { origin: ORIGIN, proxy: null, denied: { lists: [], contact: null } };
  const options = toResourceOptions({ ...env, ...BOT }, { ...context, signal: new AbortController().signal });
  const signatures = recordSignatures();
  const { robots } = await fetchRobots(whole, options);
  await fetchSitemap(robots.sitemaps[0] ?? "", options);
  expect(signatures).toEqual([`"${ORIGIN}"`, `"${ORIGIN}"`]);
});

it("signs neither webhooks nor searches", async () => {
  const signatures = recordSignatures();
  const event = { id: newId(), url: receiver("ok"), body: "{}", attempt: 1, origin: ORIGIN, accountId: newId() };
  const secrets = { current: newWebhookSecret(), previous: null };
  const sent = await send({ ...env, ...BOT }, { ...event, secrets });
  await sent.response?.body?.cancel();
  expect(signatures).toEqual([null]);
  await run("serp", { query: "tea", engine: "bing" }, { bindings: BOT });
  expect(new Set(signatures)).toEqual(new Set([null]));
  expect(signatures.length).toBeGreaterThan(1);
});

describe("the key directory", () => {
  const open = async (bindings: Record<string, string>, origin = ORIGIN) =>
    await app.fetch(new Request(`${origin}${PATH}`), { ...env, ...bindings }, createExecutionContext());

  it.each([ORIGIN, "https://other.example"])(
    "is signed for the host of PUBLIC_URL if %s is requested",
    async (origin) => {
      const response = await open(BOT, origin);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe("application/http-message-signatures-directory+json");
      expect(await response.json()).toEqual({ keys: [{ ...PUBLIC, kid: KEY_ID, use: "sig" }] });
      const authority = new URL(ORIGIN).host;
      const parameters = check(Object.fromEntries(response.headers), [['"@authority";req', authority]]);
      expect(parameters).toMatchObject({ keyid: KEY_ID, alg: "ed25519", tag: "http-message-signatures-directory" });
      // Verifiers may use a cached directory, so its signature must be valid for longer.
      const maxAge = Number(/max-age=(\d+)/.exec(response.headers.get("cache-control") ?? "")?.[1]);
      expect(Number(parameters.expires) - Number(parameters.created)).toBeGreaterThan(maxAge);
    },
  );

  it.each([
    ["without a key", { BOT_PRIVATE_KEY: "" }],
    ["with a broken key", { BOT_PRIVATE_KEY: "broken" }],
    ["without PUBLIC_URL", { PUBLIC_URL: "" }],
  ])("isn't found %s", async (_, bindings) => {
    const response = await open({ ...BOT, ...bindings });
    expect([response.status, (await read(response)).error.code]).toEqual([404, "not_found"]);
  });
});
