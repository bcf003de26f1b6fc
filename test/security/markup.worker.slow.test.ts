import { env } from "cloudflare:workers";
import { isTag } from "domhandler";
import { getAttributeValue, getElementsByTagName } from "domutils";
import { parseDocument } from "htmlparser2";
import { describe, expect, it } from "vitest";
import { dashboard } from "../../src/dashboard/app";
import { createLink } from "../../src/directory/users";
import { sqlIn } from "../support/account";
import { type Client, createClient, ORIGIN, read, refOf } from "../support/client";
import { accountIdOf, Visitor } from "../support/visitor";

/** All elements and attributes in hostile text contain this name, so that the test can find them in a page. */
const MARK = "pwned";

/**
 * Markup that tries to break out of an element's text, a quoted attribute, a comment, a script, a text area and a
 * title.
 */
const MARKUP = [
  `"><img src=x id=${MARK} onerror=${MARK}()>`,
  `'><svg onload=${MARK}()>`,
  `--></script></style></textarea></title><${MARK}-element ${MARK}=1>`,
  `\`onmouseover=${MARK}()`,
  `&lt;i id=${MARK}&gt;`,
].join(" ");
const SCRIPT_URL = `javascript:${MARK}()//`;
const URLS = [
  SCRIPT_URL,
  ` JaVa\tScript:${MARK}()`,
  `data:text/html,<b id=${MARK}>`,
  `vbscript:${MARK}`,
  `//${MARK}.example/x`,
];

const MARKDOWN = [
  `# ${MARKUP}`,
  `[${MARKUP}](${SCRIPT_URL}) [x](<${URLS[1]}>) ![${MARKUP}](${URLS[2]} "${MARKUP}")`,
  `[ref][r]\n\n[r]: ${SCRIPT_URL} "${MARKUP}"`,
  `<${SCRIPT_URL}> <img src=x onerror=${MARK}()> <details open ontoggle=${MARK}()>`,
  `| ${MARKUP} |\n| --- |\n| ${MARKUP} |`,
  `\`\`\`${MARKUP}\n${MARKUP}\n\`\`\``,
  `- [ ] ${MARKUP}`,
].join("\n\n");

interface HostileJob {
  endpoint: "scrape" | "parse" | "serp";
  request: Record<string, unknown>;
  result: unknown;
  meta?: unknown;
}

/** Hostile results, as a page, a model or a search engine could produce them. */
const JOBS: HostileJob[] = [
  {
    endpoint: "scrape",
    request: {
      url: `https://example.com/?q=${MARKUP}`,
      formats: [
        "markdown",
        "html",
        "text",
        "screenshot",
        "metadata",
        "links",
        "images",
        "raw_html",
        "clean_html",
        "pdf",
      ],
    },
    result: {
      markdown: MARKDOWN,
      html: MARKUP,
      text: MARKUP,
      raw_html: MARKUP,
      clean_html: MARKUP,
      screenshot_url: URLS[0],
      pdf_url: URLS[1],
      metadata: {
        title: MARKUP,
        canonical_url: SCRIPT_URL,
        favicon: URLS[1],
        open_graph: { image: URLS[2], [MARKUP]: SCRIPT_URL },
      },
      links: URLS.map((url) => ({ url, text: MARKUP, rel: MARKUP })),
      images: URLS.map((url) => ({ url, alt: MARKUP, width: MARKUP })),
    },
  },
  {
    endpoint: "parse",
    request: { html: MARKUP, prompt: MARKUP, schema: { type: "object", description: MARKUP } },
    result: { [MARKUP]: [MARKUP, { [SCRIPT_URL]: SCRIPT_URL }], list: URLS },
    meta: {
      model_used: MARKUP,
      evidence: { [`/${MARKUP}/0`]: { quote: MARKUP, verified: false } },
      unverified: [`/${MARKUP}/0`, MARKUP],
    },
  },
  {
    endpoint: "serp",
    request: { query: MARKUP, location: "Germany" },
    result: {
      organic: URLS.map((url, i) => ({ position: i + 1, title: MARKUP, url, description: MARKUP, snippet: MARKUP })),
      total_results: 1,
      search_time_ms: 1,
    },
    meta: { source: MARKUP, pages_fetched: 1, total_results_known: true },
  },
];

/** Creates an admin whose account has hostile text everywhere that the dashboard shows text. */
async function createHostileAccount(): Promise<{ visitor: Visitor; ids: string[] }> {
  const email = env.ADMIN_EMAILS.toLowerCase().split(", ").at(-1) ?? "";
  const link = { kind: "sign-in" as const, email, name: MARKUP };
  const url = await createLink(env, { link, origin: ORIGIN, accountId: null, actor: MARKUP, now: Date.now() });
  const visitor = new Visitor();
  const agent = { "user-agent": MARKUP };
  await visitor.post("/dashboard/link", { token: new URL(url).searchParams.get("token") ?? "" }, agent);
  const accountId = await accountIdOf({ visitor, email });
  await visitor.post("/dashboard/mode", { mode: "test" });
  const client = await createClient({ accountId, mode: "test" });
  await client.call("POST", "/v1/keys", { name: MARKUP.slice(0, 100) });
  await client.call("PUT", "/v1/webhooks", { url: `https://example.org/?q=${MARKUP}` });
  const ids = [accountId, client.keyId];
  for (const job of JOBS) ids.push(await endJob(client, job));
  ids.push(await failJob(client));
  const attempt = { at: 1, status_code: 500, duration_ms: 1, error: MARKUP, response: MARKUP };
  for (const id of ids.slice(2)) {
    await sqlIn(
      await refOf(accountId),
      `INSERT INTO deliveries (mode, id, job_id, event, endpoint_id, url, host, origin, status, attempts, earlier_attempts,
         created_at)
       VALUES ('test', ?1, ?1, 'job.failed', 'default', ?2, 'example.org', ?3, 'abandoned', ?4, ?4, ?5)`,
      ...[id, `https://example.org/${MARKUP}`, ORIGIN, JSON.stringify([attempt]), Date.now()],
    );
  }
  await env.DB.batch([
    env.DB.prepare("UPDATE accounts SET name = ?2 WHERE id = ?1").bind(accountId, MARKUP),
    env.DB.prepare("UPDATE users SET name = ?2 WHERE email = ?1").bind(email, MARKUP),
    env.DB.prepare(
      "UPDATE sessions SET user_agent = ?2, ip_address = ?2 WHERE user_id = (SELECT id FROM users WHERE email = ?1)",
    ).bind(email, MARKUP),
    env.DB.prepare(
      "INSERT INTO audit_log (actor, action, account_id, detail, created_at) VALUES (?1, 'key.create', ?2, ?3, 1)",
    ).bind(MARKUP, accountId, JSON.stringify({ mode: "live", name: MARKUP, [MARKUP]: MARKUP })),
    env.DB.prepare(
      "INSERT INTO users (id, name, email, email_verified, created_at, updated_at) VALUES ('other', ?1, ?2, 0, '2026-01-01', '2026-01-01')",
    ).bind(MARKUP, `${MARKUP}@example.com`),
    env.DB.prepare("INSERT INTO memberships VALUES ('other', ?1, 'member', 1)").bind(accountId),
  ]);
  return { visitor, ids };
}

async function endJob(client: Client, { endpoint, request, result, meta = {} }: HostileJob): Promise<string> {
  const { job_id } = await read(await client.call("POST", `/v1/${endpoint}?wait=true`, request));
  const account = await refOf(client.accountId);
  const receiver = `https://example.org/${MARKUP}`;
  await sqlIn(
    account,
    "UPDATE jobs SET result_in = 'payload', meta = ?2, webhook_url = ?3 WHERE id = ?1",
    ...[job_id, JSON.stringify(meta), receiver],
  );
  await sqlIn(
    account,
    `INSERT INTO payloads (mode, id, result) VALUES ('test', ?1, ?2)
     ON CONFLICT DO UPDATE SET result = excluded.result, evidence = NULL`,
    ...[job_id, JSON.stringify(result)],
  );
  return job_id;
}

async function failJob(client: Client): Promise<string> {
  const { job_id } = await read(await client.scrape({ url: "https://dns.test/" }));
  const setMessage = "UPDATE jobs SET error = json_set(error, '$.message', ?2) WHERE id = ?1";
  await sqlIn(await refOf(client.accountId), setMessage, job_id, MARKUP);
  return job_id;
}

const { visitor, ids } = await createHostileAccount();

const VIEWS = [
  "markdown",
  "source",
  "html",
  "text",
  "screenshot",
  "metadata",
  "links",
  "images",
  "raw_html",
  "clean_html",
  "pdf",
  "data",
  "json",
  "results",
  MARKUP,
];
/** Query parameters that the dashboard's pages read. Each one contains markup, which pages must show as text. */
const REFLECTED = new URLSearchParams(
  [
    "status",
    "endpoint",
    "offset",
    "done",
    "to",
    "error",
    "search",
    "q",
    "token",
    "before",
    "account",
    "from",
    "url",
    "query",
    "prompt",
    "mode",
    "tab",
  ].map((name) => [name, MARKUP]),
);

/** The paths of all dashboard pages. Path parameters are replaced with each of the ids. */
const PATHS = [...new Set(dashboard.routes.filter(({ method }) => method === "GET").map(({ path }) => path))]
  // Results, payloads and exports are downloads, not pages.
  .filter((path) => !path.includes("*") && !/\/(?:result(?:\/\w+)?|payload|export)$/.test(path))
  .flatMap((path) => (path.includes(":") ? ids.map((id) => path.replace(/:\w+/, id)) : [path]))
  .flatMap((path) =>
    /\/jobs\/[^/]+$/.test(path) ? VIEWS.map((view) => `${path}?view=${encodeURIComponent(view)}`) : [path],
  )
  .flatMap((path) => (path.includes("?") ? [path] : [path, `${path}?${REFLECTED}`]))
  .concat(
    ids.map((id) => `/dashboard/playground?job=${id}`),
    ids.map((id) => `/dashboard/playground/answer?job=${id}`),
  )
  .concat(
    ids.map((id) => `/dashboard/playground?from=${id}`),
    [`/dashboard/admin?search=${MARK}`],
  );

const URL_ATTRIBUTES = [
  "href",
  "src",
  "action",
  "formaction",
  "data",
  "poster",
  "srcset",
  "ping",
  "xlink:href",
  "manifest",
  "background",
  "cite",
];
const OWN_URL = /^(?:\/(?!\/)|#|\?|$)/;

/** Returns the elements and attributes that hostile text created. */
function findInjections(html: string): string[] {
  const elements = getElementsByTagName("*", parseDocument(html), true).filter(isTag);
  return elements.flatMap((element) => {
    const found: string[] = [];
    if (element.name.includes(MARK)) found.push(`<${element.name}>`);
    if (["iframe", "object", "embed", "base", "style"].includes(element.name)) found.push(`<${element.name}>`);
    if (element.name === "script" && !/^\/dashboard\/[\w.-]+$/.test(getAttributeValue(element, "src") ?? ""))
      found.push("<script>");
    if (element.name === "meta" && getAttributeValue(element, "http-equiv") !== undefined)
      found.push("<meta http-equiv>");
    for (const [name, value] of Object.entries(element.attribs)) {
      if (/^on/i.test(name) || name === "style" || name === "srcdoc" || name.includes(MARK))
        found.push(`<${element.name} ${name}>`);
      if (name === "id" && value === MARK) found.push(`<${element.name} id>`);
      if (!URL_ATTRIBUTES.includes(name) || OWN_URL.test(value)) continue;
      // The only URLs to other sites are http(s) links with noreferrer.
      const isLink = element.name === "a" && name === "href" && /^https?:\/\//.test(value);
      const isPlain = isLink && (new URL(value).origin === ORIGIN || /noreferrer/.test(element.attribs.rel ?? ""));
      if (!isPlain) found.push(`<${element.name} ${name}="${value.slice(0, 60)}">`);
    }
    return found;
  });
}

describe("hostile text", () => {
  it("is detected by this test if it turns into markup", () => {
    expect(findInjections(`<p>${MARKUP}</p>`)).toEqual(
      expect.arrayContaining(["<img onerror>", "<img id>", "<svg onload>", `<${MARK}-element>`]),
    );
    expect(findInjections(`<a href="${SCRIPT_URL}">x</a><img src="https://x.example/">`)).toHaveLength(2);
    expect(findInjections('<a href="//x.example">x</a>')).toHaveLength(1);
  });

  it("stays text on every page of the dashboard", async () => {
    const seen = new Set<string>();
    for (const path of PATHS) {
      const response = await visitor.get(path);
      const html = await response.text();
      expect([path, response.status < 500, findInjections(html)]).toEqual([path, true, []]);
      if (html.includes(MARK) && response.ok) seen.add(path.split(/[?]/)[0]?.replace(/[0-9a-f-]{36}/, ":id") ?? "");
    }
    // Checks that these pages showed the hostile text. Otherwise, the test would prove nothing.
    expect([...seen].sort()).toEqual(
      expect.arrayContaining([
        "/dashboard/admin",
        "/dashboard/admin/accounts/:id",
        "/dashboard/admin/audit",
        "/dashboard/jobs",
        "/dashboard/jobs/:id",
        "/dashboard/keys",
        "/dashboard/playground",
        "/dashboard/playground/answer",
        "/dashboard/settings",
        "/dashboard/webhooks",
        "/dashboard/webhooks/deliveries/:id",
      ]),
    );
  });

  it("stays text when a form is shown again with errors", async () => {
    const fields = Object.fromEntries(
      [
        "email",
        "name",
        "url",
        "query",
        "prompt",
        "schema",
        "html",
        "wait_for",
        "location",
        "language",
        "credits",
        "plan",
        "allowed_ips",
        "webhook_url",
        "token",
        "to",
        "rate_per_minute",
      ].map((name) => [name, MARKUP]),
    );
    const forms = [...new Set(dashboard.routes.filter(({ method }) => method === "POST").map(({ path }) => path))]
      .filter((path) => !path.includes("*") && !/sign-out|\/mode|revoke|rotate|remove|suspension/.test(path))
      .map((path) => path.replace(/:\w+/, ids[0] ?? ""));
    for (const path of forms) {
      const html = await (await visitor.post(path, fields)).text();
      expect([path, findInjections(html)]).toEqual([path, []]);
    }
  });

  it("is sent as a file download in the full result", async () => {
    for (const id of ids.slice(2, 5)) {
      const response = await visitor.get(`/dashboard/jobs/${id}/result`);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("content-disposition")).toMatch(/^attachment;/);
      expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });
});
