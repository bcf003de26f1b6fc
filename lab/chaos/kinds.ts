import { pages } from "../../test/support/pages.ts";

/** A kind of request and its expected outcome. */
export interface Kind {
  endpoint: "scrape" | "parse" | "serp";
  /** The relative weight of this kind in a plan. */
  share: number;
  /** Returns the request body. `page` returns a URL of the test site that only this job uses. */
  body: (id: string, page: (behavior: string) => string) => Record<string, unknown>;
  /** `completed`, or the error codes that the job may have when it fails. */
  ends: "completed" | readonly string[];
}

const SCHEMA = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
// This HTML is too long for the job's row, so the service stores the request in R2.
const LONG_HTML = `<article><h1>Long</h1>${"<p>The keeper writes each height by hand in a ledger.</p>".repeat(1_500)}</article>`;

const parse = (prompt: string, html: string | undefined) => ({ prompt, html, schema: SCHEMA });

export const KINDS = {
  "scrape, plain": {
    endpoint: "scrape",
    share: 5,
    body: (_, page) => ({ url: page("article") }),
    ends: "completed",
  },
  "scrape, slow": {
    endpoint: "scrape",
    share: 3,
    body: (_, page) => ({ url: page("slow"), formats: ["text"] }),
    ends: "completed",
  },
  "scrape, large result": {
    endpoint: "scrape",
    share: 2,
    body: (_, page) => ({ url: page("large"), formats: ["text", "markdown"] }),
    ends: "completed",
  },
  "scrape, page not found": {
    endpoint: "scrape",
    share: 1,
    body: (_, page) => ({ url: page("missing") }),
    ends: ["target_http_error"],
  },
  "scrape, connection closed": {
    endpoint: "scrape",
    share: 1,
    body: (_, page) => ({ url: page("reset") }),
    ends: ["connection_failed"],
  },
  rendered: {
    endpoint: "scrape",
    share: 3,
    body: (_, page) => ({ url: page("script"), js_render: true }),
    ends: "completed",
  },
  "rendered, slow": {
    endpoint: "scrape",
    share: 2,
    body: (_, page) => ({ url: page("element-late"), wait_for: "#late" }),
    ends: "completed",
  },
  screenshot: {
    endpoint: "scrape",
    share: 3,
    body: (_, page) => ({ url: page("article"), formats: ["screenshot", "text"] }),
    ends: "completed",
  },
  parse: {
    endpoint: "parse",
    share: 3,
    body: (id) => parse(`[[good ${id}]]`, pages.article),
    ends: "completed",
  },
  "parse, slow model": {
    endpoint: "parse",
    share: 2,
    body: (id) => parse(`[[slow ${id}]]`, pages.article),
    ends: "completed",
  },
  "parse, failing once": {
    endpoint: "parse",
    share: 1,
    body: (id) => parse(`[[error-500-once ${id}]]`, pages.article),
    ends: "completed",
  },
  "parse, long request": {
    endpoint: "parse",
    share: 3,
    body: (id) => parse(`[[good ${id}]]`, LONG_HTML),
    ends: "completed",
  },
  "parse, refused": {
    endpoint: "parse",
    share: 1,
    body: (id) => parse(`[[refuse ${id}]]`, pages.article),
    ends: ["model_refused"],
  },
  "serp, Google": {
    endpoint: "serp",
    share: 2,
    body: (id) => ({ query: `harbor cranes ${id}`, num_results: 20 }),
    ends: "completed",
  },
  "serp, Bing": {
    endpoint: "serp",
    share: 2,
    body: (id) => ({ query: `harbor cranes ${id}`, engine: "bing" }),
    ends: "completed",
  },
  "serp, Yandex": {
    endpoint: "serp",
    share: 1,
    body: (id) => ({ query: `harbor cranes ${id}`, engine: "yandex" }),
    ends: "completed",
  },
  "serp, down": {
    endpoint: "serp",
    share: 1,
    body: (id) => ({ query: `[[down ${id}]]`, engine: "bing" }),
    ends: ["serp_unavailable", "blocked_by_target", "target_http_error"],
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
