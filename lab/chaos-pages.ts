// `npm run lab -- chaos-pages`: crawls a site with traps, or runs a batch, while the service is killed and started
// again. Then checks that each page was scraped once and that counts, credits and events add up. Uses loopback only.
// Exits with 1 if a check fails.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readCommandLine } from "../scripts/options.ts";
import { killBrowsers } from "../scripts/processes.ts";
import { CERTIFICATE } from "../test/support/certificate.ts";
import { startCrawlSite } from "../test/support/crawl-site/site.ts";
import { type Product, startProduct } from "../test/support/product.ts";
import { type Receiver, startReceiver } from "../test/support/receiver.ts";
import type { ShownBatch } from "./chaos/pages/api.ts";
import { findViolations } from "./chaos/pages/checks.ts";
import { drive } from "./chaos/pages/drive.ts";
import { readOptions, USAGE } from "./chaos/pages/options.ts";
import { toScenario } from "./chaos/pages/scenarios.ts";
import { checkCrawl, checkRequests, countRepeated } from "./chaos/pages/site-checks.ts";
import { readState } from "./chaos/state.ts";

const CACHE = resolve(import.meta.dirname, "../.cache");
const WEBHOOK_PATH = "/chaos/ok";
const EVENT_MS = 90_000;
const POLL_MS = 200;
/**
 * The time for which the check watches for additional requests after the end. The running pages of a canceled batch
 * stop within 20 seconds.
 */
const QUIET_MS = 3_000;
const CANCELED_QUIET_MS = 25_000;
/**
 * The number of a crawl's requests per page of the site. It is above 1, because a crawl also requests URLs of traps.
 */
const REQUESTS_PER_PAGE = 1.2;

const chosen = readCommandLine(USAGE, () => readOptions(process.argv.slice(2)));
const temporary = mkdtempSync(join(tmpdir(), "extraction-pages-"));
const state = join(temporary, "state");
let running: Product | null = null;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end(1));

await main().then(end, (error) => {
  console.error(error);
  return end(1);
});

/** Kills the service and its browsers, removes the temporary folder and exits. Keeps the log after a failure. */
async function end(code: number): Promise<never> {
  await kill();
  mkdirSync(CACHE, { recursive: true });
  if (code !== 0 && running !== null) writeFileSync(join(CACHE, "chaos-pages.log"), running.output());
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}

async function kill(): Promise<void> {
  await running?.kill();
  await killBrowsers((commandLine) => commandLine.includes(`--user-data-dir=${temporary}`));
}

async function main(): Promise<number> {
  console.log(`${chosen.kind}, ${chosen.pages} pages, ${chosen.kills} kills, seed ${chosen.seed}`);
  const receiver = await startReceiver(CERTIFICATE);
  const site = await startCrawlSite({ pages: chosen.pages });
  const scenario = toScenario(chosen.kind, {
    site,
    pages: chosen.pages,
    webhookUrl: `${receiver.origin}${WEBHOOK_PATH}`,
  });
  const start = async () => {
    running = await startProduct({
      state,
      temporary,
      allowedHosts: [...site.hosts, receiver.host].join(),
      env: { NODE_EXTRA_CA_CERTS: CERTIFICATE.file },
    });
    return running;
  };
  const requests = chosen.pages * (chosen.kind === "crawl" ? REQUESTS_PER_PAGE : 1);
  const { api, id, kills, seconds, final, canceled } = await drive({
    ...chosen,
    scenario,
    requests,
    log: site.log,
    start,
    kill,
  });
  const last = site.log.all.length;
  await awaitEvent(receiver);
  await sleep(canceled === null ? QUIET_MS : CANCELED_QUIET_MS);
  const path = `${scenario.path}/${id}`;
  const pages = await api.readPages(path);
  const shown = (await api.send<{ data: { balance: number; reserved: number } }>("GET", "usage")).data;
  const ended = await api.send<ShownBatch>("GET", `${path}?limit=1`);
  await kill();
  const stored = readState(state);
  const posts = receiver.posts(WEBHOOK_PATH);
  const jobs = stored.jobs.filter(({ batch_id }) => batch_id === id);
  const violations = [
    ...findViolations({ scenario, id, final: ended, canceled, pages, state: stored, shown, posts }),
    ...(chosen.kind === "crawl" ? checkCrawl(site, pages) : []),
    ...checkRequests(site, pages, jobs),
  ];
  const figures = {
    kills: kills.length,
    seconds: Math.round(seconds),
    "pages of the site": site.pages.length,
    "pages of the crawl or batch": pages.length,
    "requests to the site": site.log.all.length,
    "requests after the end": site.log.all.length - last,
    "repeated requests to real pages": countRepeated(site),
    "pages with more than one run": jobs.filter(({ run }) => run > 1).length,
    "pages with three attempts": jobs.filter(({ attempts }) => attempts >= 3).length,
    "concurrent requests": site.log.maxInFlight,
    "events at the end": posts.length,
    violations: violations.length,
  };
  console.table(figures);
  console.log(JSON.stringify({ ...final, traps: site.log.countTraps() }, null, 2));
  if (violations.length === 0) console.log("All checks passed.");
  else console.table(violations.slice(0, 100));
  mkdirSync(CACHE, { recursive: true });
  const report = { ...chosen, figures, final, killedAfter: kills, traps: site.log.countTraps(), violations };
  writeFileSync(join(CACHE, `chaos-pages-${chosen.kind}.json`), `${JSON.stringify(report, null, 2)}\n`);
  site.close();
  receiver.close();
  return violations.length === 0 ? 0 : 1;
}

async function awaitEvent(receiver: Receiver): Promise<void> {
  const until = Date.now() + EVENT_MS;
  while (receiver.posts(WEBHOOK_PATH).length === 0 && Date.now() < until) await sleep(POLL_MS);
}
