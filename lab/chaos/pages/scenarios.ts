// The requests that create the crawl or batch under test, and the pages that it must contain.
import type { CrawlSite } from "../../../test/support/crawl-site/site.ts";

export const SCENARIO_NAMES = ["crawl", "batch", "cancel"] as const;
export type ScenarioName = (typeof SCENARIO_NAMES)[number];

export interface Scenario {
  /** The path of the operation after /v1/. */
  path: "crawl" | "batch";
  event: "crawl.completed" | "batch.completed";
  body: Record<string, unknown>;
  /** The URLs of a batch, in the order of the request. Empty for a crawl. */
  urls: string[];
  /** The share of the pages after which the batch is canceled. Null if it isn't canceled. */
  cancelAfter: number | null;
}

/** A limit that a crawl of the site doesn't reach, unless it is caught in a trap. */
const CRAWL_LIMIT = 10_000;
/** Every tenth page of a batch doesn't exist. */
const FAILS_EVERY = 10;

interface Outside {
  site: CrawlSite;
  /** The number of pages of a batch. */
  pages: number;
  webhookUrl: string;
}

export function toScenario(name: ScenarioName, { site, pages, webhookUrl }: Outside): Scenario {
  const scrape = { formats: ["markdown"] };
  if (name === "crawl") {
    const body = { url: `${site.origin}/`, limit: CRAWL_LIMIT, scrape, webhook_url: webhookUrl };
    return { path: "crawl", event: "crawl.completed", body, urls: [], cancelAfter: null };
  }
  const urls = site.pages
    .slice(0, pages)
    .map(({ path }, n) => `${site.origin}${n % FAILS_EVERY === 5 ? `/missing/${1_000 + n}` : path}`);
  return {
    path: "batch",
    event: "batch.completed",
    body: {
      endpoint: "scrape",
      requests: urls.map((url) => ({ url })),
      defaults: scrape,
      webhook_url: webhookUrl,
    },
    urls,
    cancelAfter: name === "cancel" ? 0.5 : null,
  };
}
