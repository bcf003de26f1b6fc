import { startCrawlSite } from "../../test/support/crawl-site/site.ts";
import { type Figure, load, p50 } from "./figures.ts";
import { chooseCount } from "./selection.ts";
import type { Running, World } from "./world.ts";

const PAGES = chooseCount("BENCH_PAGES", { short: 200, full: 400 });
const CRAWL_ROUNDS = chooseCount("BENCH_CRAWLS", { short: 1, full: 5 });
/** A crawl requests this number of pages of a host at a time. */
const PER_HOST = 2;
/** The plan's concurrency. A batch leaves one of these slots free. */
const CONCURRENT_JOBS = 9;
const WAIT_S = 30;
const WARM_UP_PAGES = 50;
const OPTIONS = { formats: ["markdown"] };

/** The rates of one comparison, in pages per second. Each round measures all of them. */
type Rates = { ours: number[]; loop: number[] };

/**
 * Compares a crawl and a batch with a loop of synchronous scrapes of the same pages. Both sides request the same number
 * of pages at a time. The crawl ignores robots.txt and doesn't wait between its requests.
 */
export async function crawl(world: World): Promise<Figure[]> {
  const site = await startCrawlSite({ pages: PAGES, hasTraps: false });
  const urls = site.pages.map(({ path }) => `${site.origin}${path}`);
  const ours = await world.startOurs({ hosts: site.hosts, concurrentJobs: CONCURRENT_JOBS });
  const crawls: Rates = { ours: [], loop: [] };
  const batches: Rates = { ours: [], loop: [] };
  const perBatch = CONCURRENT_JOBS - 1;
  try {
    await runLoop(ours, urls.slice(0, WARM_UP_PAGES), PER_HOST);
    await runCrawl(ours, urls, WARM_UP_PAGES);
    await runBatch(ours, urls.slice(0, WARM_UP_PAGES));
    for (let round = 0; round < CRAWL_ROUNDS; round++) {
      const rates: [Rates, [keyof Rates, () => Promise<number>][]][] = [
        [
          crawls,
          [
            ["ours", () => runCrawl(ours, urls)],
            ["loop", () => runLoop(ours, urls, PER_HOST)],
          ],
        ],
        [
          batches,
          [
            ["ours", () => runBatch(ours, urls)],
            ["loop", () => runLoop(ours, urls, perBatch)],
          ],
        ],
      ];
      for (const [into, sides] of rates) {
        for (const [name, run] of round % 2 === 0 ? sides : sides.toReversed()) {
          const seconds = await run();
          into[name].push(urls.length / seconds);
          console.error(`round ${round + 1}, ${into === crawls ? "crawl" : "batch"}, ${name}: ${seconds.toFixed(1)} s`);
        }
      }
    }
  } finally {
    await ours.stop();
    site.close();
  }
  return [
    toFigure(`crawl of ${urls.length} pages, ${PER_HOST} at a time (baseline: a loop of scrapes)`, crawls),
    toFigure(`batch of ${urls.length} pages, ${perBatch} at a time (baseline: a loop of scrapes)`, batches),
  ];
}

function toFigure(what: string, { ours, loop }: Rates): Figure {
  const ratios = ours.map((rate, round) => rate / (loop[round] ?? Number.NaN));
  return {
    what,
    unit: "/s",
    ours: p50(ours),
    floor: p50(loop),
    goal: { text: "at least as fast as the loop", met: p50(ratios) >= 1 },
    more: {
      "median ratio": p50(ratios),
      "lowest ratio": Math.min(...ratios),
    },
  };
}

interface Ended {
  status: string;
  counts: { total: number; completed: number };
}

/** Crawls the site. Returns the time in seconds. Throws if a page is missing. */
async function runCrawl(ours: Running, urls: string[], limit = urls.length + 1): Promise<number> {
  const body = { url: urls[0], limit, robots: "ignore", sitemap: "skip", scrape: OPTIONS };
  return await timeToEnd(ours, { path: "crawl", body, pages: Math.min(limit, urls.length) });
}

async function runBatch(ours: Running, urls: string[]): Promise<number> {
  const body = { endpoint: "scrape", requests: urls.map((url) => ({ url })), defaults: OPTIONS };
  return await timeToEnd(ours, { path: "batch", body, pages: urls.length });
}

async function timeToEnd(
  ours: Running,
  { path, body, pages }: { path: "crawl" | "batch"; body: Record<string, unknown>; pages: number },
): Promise<number> {
  const start = performance.now();
  const created = JSON.parse(await ours.post(`/v1/${path}`, body, 202));
  const id: string = created[`${path}_id`];
  for (;;) {
    const { status, counts }: Ended = JSON.parse(await ours.get(`/v1/${path}/${id}?wait=${WAIT_S}&limit=1`));
    if (status !== "completed" && status !== "failed") continue;
    const seconds = (performance.now() - start) / 1_000;
    if (counts.completed !== pages) throw new Error(`The ${path} has unexpected pages: ${JSON.stringify(counts)}`);
    return seconds;
  }
}

/** Sends one synchronous request per page. Returns the time in seconds. */
async function runLoop(ours: Running, urls: string[], connections: number): Promise<number> {
  const left = [...urls];
  const scrape = () => ours.post("/v1/scrape?wait=true", { url: left.shift(), ...OPTIONS }, 200);
  return (await load(scrape, { count: urls.length, connections })).seconds;
}
