// The tables of a crawl, without its Durable Object's calls.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { choosePages } from "../../src/crawl/choose-pages";
import { Frontier } from "../../src/crawl/frontier";
import { Hosts } from "../../src/crawl/hosts";
import { MIGRATIONS } from "../../src/crawl/migrations";
import type { CrawlState } from "../../src/crawl/state";
import { applyReport } from "../../src/crawl/visit";
import type { CrawlOptions, PageReport, ReportReply } from "../../src/model/crawl";
import { migrate } from "../../src/store/object-schema";
import { openObject } from "./account";

export const HOST = "shop.example";
/** The report of a page without text and links. */
export const FOUND = {
  kind: "found",
  url: null,
  canonical: null,
  hash: null,
  links: [] as string[],
  nofollow: false,
} as const;

export interface CrawlTables {
  frontier: Frontier;
  hosts: Hosts;
  state: CrawlState;
  /** Returns the numbers of the pages that start at this time (ms). */
  startAt: (now: number) => number[];
  report: (now: number, report: PageReport) => ReportReply | null;
}

/** Runs `work` with the tables of a new crawl that has found these URLs. */
export async function withTables(
  urls: string[],
  work: (tables: CrawlTables) => void,
  more: Partial<CrawlOptions> = {},
): Promise<void> {
  const account = await openObject();
  const stub = env.CRAWL.getByName(crypto.randomUUID());
  await runInDurableObject(stub, (_, { storage }) => {
    migrate(storage, MIGRATIONS);
    const [frontier, hosts] = [new Frontier(storage.sql), new Hosts(storage.sql)];
    const options: CrawlOptions = {
      url: `https://${HOST}/`,
      limit: 1_000,
      maxDepth: null,
      includePaths: [],
      excludePaths: [],
      allowSubdomains: false,
      sitemap: "skip",
      delayMs: null,
      robots: "ignore",
      ...more,
    };
    const state: CrawlState = {
      account,
      mode: "live",
      id: "crawl",
      options,
      origin: "https://api.example",
      price: { rendered: false, credits: 1, plan: { method: "plain", lines: [{ item: "scrape", credits: 1 }] } },
      nextNumber: 1,
      accepted: 0,
      hasSitemaps: true,
      finalUrl: null,
      omitted: 0,
      note: null,
      endedAt: null,
    };
    runSteps(frontier.add(urls, 1, { options, finalUrl: null }));
    work({
      frontier,
      hosts,
      state,
      startAt: (now) => {
        const before = state.nextNumber;
        choosePages({ frontier, hosts, state }, now);
        return Array.from({ length: state.nextNumber - before }, (_unused, i) => before + i);
      },
      report: (now, report) => runSteps(applyReport({ frontier, hosts, state, now }, report)),
    });
  });
}

/** Executes all steps in one transaction. Returns the result. */
export function runSteps<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
