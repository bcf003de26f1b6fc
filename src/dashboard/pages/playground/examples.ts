import { toText } from "../../../lib/env";
import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import { toFormValues } from "./form-values";

/** An example request. Its link fills the form. */
export interface Example {
  label: string;
  /** An explanation, if the label isn't enough. */
  note?: string;
  body: Record<string, unknown>;
}

const PRODUCT = {
  url: "https://books.toscrape.com/catalogue/a-light-in-the-attic_1000/index.html",
  prompt: "The book's title, its price in pounds, how many are in stock, and its description.",
  schema: {
    type: "object",
    properties: {
      title: { type: "string" },
      price: { type: "number" },
      in_stock: { type: "integer" },
      description: { type: "string" },
    },
    required: ["title", "price"],
  },
};

const EXAMPLES: { [E in Endpoint]: Example[] } = {
  scrape: [
    { label: "A simple page", body: { url: "https://example.com/" } },
    {
      label: "A long article",
      body: { url: "https://en.wikipedia.org/wiki/Lighthouse", formats: ["markdown", "links"] },
    },
    { label: "A page built by script", body: { url: "https://quotes.toscrape.com/js/", js_render: true } },
    { label: "A screenshot", body: { url: "https://example.com/", formats: ["markdown", "screenshot"] } },
  ],
  parse: [
    { label: "A product page", body: PRODUCT },
    {
      label: "HTML of your own",
      body: {
        html: "<h1>Tide lamp</h1>\n<p>Follows the tide. 19.50 EUR, 4 in stock.</p>",
        prompt: "The product's name, price, currency and stock.",
        schema: {
          type: "object",
          properties: {
            name: { type: "string" },
            price: { type: "number" },
            currency: { type: "string" },
            stock: { type: "integer" },
          },
        },
      },
    },
    {
      label: "A list, without a schema",
      body: { url: "https://news.ycombinator.com/", prompt: "The ten topmost stories: title, address and points." },
    },
  ],
  serp: [
    { label: "A search", body: { query: "lighthouse museums" } },
    {
      label: "From another country",
      body: { query: "müze saatleri", location: "Istanbul, Turkey", language: "tr", num_results: 20 },
    },
    { label: "On a phone, with Bing", body: { query: "weather tomorrow", engine: "bing", device: "mobile" } },
  ],
};

/** The request that makes test mode simulate an outcome. */
const SIMULATED_REQUESTS: { [E in Endpoint]: (outcome: string) => Record<string, unknown> } = {
  scrape: (outcome) => ({ url: `https://${outcome}.test/` }),
  parse: (outcome) => ({ url: `https://${outcome}.test/`, prompt: PRODUCT.prompt, schema: PRODUCT.schema }),
  serp: (outcome) => ({ query: `${outcome}.test` }),
};

/** Outcomes that test mode simulates, by the first part of the target's host or of the query. */
const SIMULATED: [word: string, label: string, note: string][] = [
  ["blocked", "Blocked", "the site shows a block page"],
  ["timeout", "Time-out", "the site doesn't answer"],
  ["dns", "Unknown host", "the name can't be resolved"],
  ["http-404", "Status 404", "any status from 400 to 599"],
  ["slow-7", "Slow", "takes 7 seconds; up to 60 are possible"],
  ["large", "Large", "a result of over 1 MB"],
  ["out-of-credits", "Out of credits", "refused at once"],
  ["rate-limited", "Rate limited", "refused at once"],
];

/** Returns the examples of an endpoint. `local` is the sample page of a local start, or null. */
export function listExamples(endpoint: Endpoint, local: string | null): Example[] {
  if (endpoint !== "scrape" || local === null) return EXAMPLES[endpoint];
  return [{ label: "The local sample page", body: { url: local, js_render: true } }, ...EXAMPLES.scrape];
}

/** Returns the simulated outcomes of test mode, so that a program can be tested with each. */
export function listSimulated(endpoint: Endpoint, mode: Mode): Example[] {
  if (mode === "live") return [];
  return SIMULATED.map(([word, label, note]) => ({ label, note, body: SIMULATED_REQUESTS[endpoint](word) }));
}

/** Returns the address of the playground with this request in its form. */
export function toHref(endpoint: Endpoint, { body }: Example): string {
  const values = toFormValues(endpoint, body);
  values.set("endpoint", endpoint);
  return `/dashboard/playground?${values}`;
}

/** Returns the address of the sample page that a local start serves, or null. */
export function toLocalPage(env: Pick<Env, "ALLOWED_PRIVATE_HOSTS">, origin: string): string | null {
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(origin).hostname)) return null;
  const host = toText(env.ALLOWED_PRIVATE_HOSTS.split(",")[0]);
  return host === null ? null : `http://${host}/`;
}
