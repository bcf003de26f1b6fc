import { toText } from "../../../lib/env";
import type { Mode } from "../../../model/api-key";
import type { Operation } from "./operations";

/** An example request. Its link fills the form. */
export interface Example {
  label: string;
  /** An explanation of the label, shown as a tooltip. */
  note?: string;
  body: Record<string, unknown>;
}

const PRODUCT = {
  url: "https://books.toscrape.com/catalogue/a-light-in-the-attic_1000/index.html",
  prompt: "The book's title and its price in pounds.",
  schema: {
    type: "object",
    properties: {
      title: { type: "string" },
      price: { type: "number" },
    },
    required: ["title", "price"],
  },
};

const EXAMPLES: { [O in Operation]: Example[] } = {
  scrape: [
    { label: "Simple page", body: { url: "https://example.com/" } },
    {
      label: "Long article",
      body: { url: "https://en.wikipedia.org/wiki/Lighthouse", formats: ["markdown", "links"] },
    },
    { label: "Page built by scripts", body: { url: "https://quotes.toscrape.com/js/", render: "always" } },
    { label: "Screenshot", body: { url: "https://example.com/", formats: ["markdown", "screenshot"] } },
  ],
  parse: [
    { label: "Product page", body: PRODUCT },
    {
      label: "Your own HTML",
      body: {
        html: "<h1>Tide lamp</h1>\n<p>Follows the tide. 19.50 EUR, 4 in stock.</p>",
        prompt: "The product's name, price and currency.",
        schema: {
          type: "object",
          properties: {
            name: { type: "string" },
            price: { type: "number" },
            currency: { type: "string" },
          },
        },
      },
    },
    {
      label: "List without a schema",
      body: { url: "https://news.ycombinator.com/", prompt: "The first ten stories: title, URL and points." },
    },
  ],
  serp: [
    { label: "Simple search", body: { query: "lighthouse museums" } },
    {
      label: "Search in another country",
      body: { query: "müze saatleri", location: "Istanbul, Turkey", language: "tr", num_results: 20 },
    },
    { label: "Mobile search with Bing", body: { query: "weather tomorrow", engine: "bing", device: "mobile" } },
  ],
  map: [
    { label: "Site", body: { url: "https://books.toscrape.com/" } },
    { label: "Pages about a subject", body: { url: "https://hono.dev/", search: "cloudflare workers", limit: 50 } },
    { label: "Only sitemaps", body: { url: "https://www.cloudflare.com/", sitemap: "only" } },
  ],
  batch: [
    {
      label: "Two pages",
      body: {
        endpoint: "scrape",
        requests: [{ url: "https://example.com/" }, { url: "https://www.iana.org/" }],
        defaults: { formats: ["markdown"] },
      },
    },
    {
      label: "Product data",
      body: {
        endpoint: "parse",
        requests: [
          { url: PRODUCT.url },
          { url: "https://books.toscrape.com/catalogue/tipping-the-velvet_999/index.html" },
        ],
        defaults: { prompt: PRODUCT.prompt, schema: PRODUCT.schema },
      },
    },
  ],
  crawl: [
    {
      label: "Small site",
      body: { url: "https://quotes.toscrape.com/", limit: 10, scrape: { formats: ["markdown"] } },
    },
    {
      label: "Documentation",
      body: {
        url: "https://hono.dev/docs/",
        limit: 20,
        include_paths: ["/docs/*"],
        scrape: { formats: ["markdown", "metadata"] },
      },
    },
  ],
};

/** The outcomes that test mode simulates. `word` is the first label of the target's host name, or begins the query. */
const SIMULATED: [word: string, label: string, note: string, change?: string][] = [
  ["blocked", "Block page", "The site shows a block page."],
  ["timeout", "Timeout", "The site doesn't respond in time."],
  ["dns", "Unknown host", "The host name can't be resolved."],
  ["http-404", "Status 404", "The site responds with 404.", "to simulate any status from 400 to 599"],
  ["soft-404", "Missing page", "The page says that it doesn't exist.", "to simulate any outcome, such as login"],
  ["slow-7", "Slow job", "The job takes 7 seconds.", "to simulate a delay of up to 60 seconds"],
  ["large", "Large result", "The result is larger than 1 MB."],
  ["out-of-credits", "No credits", "The request is refused with 402."],
  ["rate-limited", "Rate limit", "The request is refused with 429."],
];

/** Returns the examples of an operation. `local` is the URL of `npm start`'s sample page, or null if there is none. */
export function listExamples(operation: Operation, local: string | null): Example[] {
  if (operation !== "scrape" || local === null) return EXAMPLES[operation];
  return [{ label: "Local sample page", body: { url: local, render: "always" } }, ...EXAMPLES.scrape];
}

/** Returns the simulated outcomes of an endpoint. Empty in live mode, and for batches and crawls. */
export function listSimulated(operation: Operation, mode: Mode): Example[] {
  if (mode === "live" || operation === "batch" || operation === "crawl") return [];
  const parameter = operation === "serp" ? "query" : "URL";
  return SIMULATED.map(([word, label, note, change]) => {
    const target = `${word}.test`;
    const body = operation === "serp" ? { query: target } : { url: target };
    return {
      label,
      note: change === undefined ? note : `${note} Change the number in the ${parameter} ${change}.`,
      body: operation === "parse" ? { ...body, prompt: "The title." } : body,
    };
  });
}

/** Returns the URL of the sample page that `npm start` serves, or null if the service isn't local. */
export function toLocalPage(env: Pick<Env, "ALLOWED_PRIVATE_HOSTS">, origin: string): string | null {
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(origin).hostname)) return null;
  const host = toText(env.ALLOWED_PRIVATE_HOSTS.split(",")[0]);
  return host === null ? null : `http://${host}/`;
}
