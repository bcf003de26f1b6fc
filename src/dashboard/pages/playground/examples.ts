import { toText } from "../../../lib/env";
import type { Mode } from "../../../model/api-key";
import type { Endpoint } from "../../../model/endpoint";
import { toValues } from "./values";

/** A request that a click puts into the form. */
export interface Example {
  label: string;
  /** In words, where the label doesn't say it all. */
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

const EXAMPLES: Record<Endpoint, Example[]> = {
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

/** What a test key's targets and queries play. */
const SCRIPTED: [word: string, label: string, note: string][] = [
  ["blocked", "Blocked", "the site shows a wall"],
  ["timeout", "Time-out", "the site doesn't answer"],
  ["dns", "Unknown host", "the name can't be resolved"],
  ["http-404", "Status 404", "any status from 400 to 599 can stand there"],
  ["slow-7", "Slow", "takes 7 seconds; up to 60 can stand there"],
  ["large", "Large", "a result of over 1 MB"],
  ["out-of-credits", "Out of credits", "refused at once"],
  ["rate-limited", "Rate limited", "refused at once"],
];

/** Requests that do something. `local` is the address of a page on the machine that the service runs on, if there is one. */
export function listExamples(endpoint: Endpoint, local: string | null): Example[] {
  if (endpoint !== "scrape" || local === null) return EXAMPLES[endpoint];
  return [{ label: "The sample page of this machine", body: { url: local, js_render: true } }, ...EXAMPLES.scrape];
}

/** In test mode: outcomes that are played, so that a program can be tried against each. */
export function listScripted(endpoint: Endpoint, mode: Mode): Example[] {
  if (mode === "live") return [];
  return SCRIPTED.map(([word, label, note]) => ({ label, note, body: toScripted(endpoint, word) }));
}

function toScripted(endpoint: Endpoint, word: string): Record<string, unknown> {
  if (endpoint === "serp") return { query: `${word}.test` };
  const url = `https://${word}.test/`;
  return endpoint === "parse" ? { url, prompt: PRODUCT.prompt, schema: PRODUCT.schema } : { url };
}

/** The playground with this request in its form. */
export function toHref(endpoint: Endpoint, { body }: Example): string {
  const values = toValues(endpoint, body);
  values.set("endpoint", endpoint);
  return `/dashboard/playground?${values}`;
}

/** The page that the local start serves beside the service: without it there may be nothing that can be reached. */
export function toLocalPage(env: Pick<Env, "ALLOWED_PRIVATE_HOSTS">, origin: string): string | null {
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(origin).hostname)) return null;
  const host = toText(env.ALLOWED_PRIVATE_HOSTS.split(",")[0]);
  return host === null ? null : `http://${host}/`;
}
