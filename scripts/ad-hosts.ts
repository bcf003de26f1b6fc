// `node scripts/ad-hosts.ts <entities.json>`: writes src/browser/ad-hosts.json, the hosts that `block_ads` blocks. The
// argument is the file dist/entities.json of the npm package `third-party-web`, which contains statistics of the HTTP
// Archive. Its license is in src/browser/ad-hosts.license.txt. docs/development.md describes an update.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

interface Entity {
  name: string;
  category: string;
  /** Host names. `*.` at the beginning stands for the host and all its subdomains. */
  domains: string[];
  /** The number of pages in the HTTP Archive that use the entity. */
  totalOccurrences?: number;
}

const TARGET = resolve(import.meta.dirname, "../src/browser/ad-hosts.json");
const CATEGORIES: ReadonlySet<string> = new Set(["ad", "analytics", "tag-manager"]);
/** Hosts that fewer pages use aren't blocked, because the browser compares every request with the whole list. */
const MIN_PAGES = 1_500;

/** Companies in these categories whose hosts also serve content, sign-ins, reviews, surveys or forms. */
const WITH_CONTENT: ReadonlySet<string> = new Set([
  ..."Auto Link Maker,Bazaarvoice,Bing Ads,Clerk.io ApS,Constant Contact,Conversion Labs,eBay,Feefo.com,Flockler".split(
    ",",
  ),
  ..."Gigya,LINE Corporation,LinkedIn Ads,LiveRamp Privacy Manager,LongTail Ad Solutions,LoyaltyLion".split(","),
  ..."Net Reviews,Nosto,Okta,Onet,piano,Polldaddy,PowerReviews,Qualtrics,Quora Ads,Reklama,Reviews.co.uk".split(","),
  ..."Reviews.io,rewardStyle.com,Salesforce.com,Snapchat,Stamped.io,SurveyMonkey,Trust Pilot,Unbounce".split(","),
  ..."Usabilla,Yahoo!,Yahoo! JAPAN Ads".split(","),
]);
/** Tools for experiments. Many pages stay hidden until the tool has answered, so blocking it could hide the content. */
const EXPERIMENTS: ReadonlySet<string> = new Set(
  "AB Tasty,Convert Insights,Google Optimize,Kameleoon,Monetate,Optimizely,VWO".split(","),
);
/** Hosts of other companies that serve content, or that pages wait for. */
const KEPT_HOSTS: ReadonlySet<string> = new Set(
  "01net.com adobedtm.com app-us1.com app.link delvenetworks.com limelight.com llnwd.net marketo.com rakuten-static.com".split(
    " ",
  ),
);
/**
 * The advertising and tracking hosts of two groups: companies that also serve content, and common tools in other
 * categories.
 */
const ADDED_HOSTS = [
  ..."ads.linkedin.com ads.yahoo.com alb.reddit.com analytics.tiktok.com analytics.yahoo.com b92.yahoo.co.jp".split(
    " ",
  ),
  ..."bat.bing.com clarity.ms cloudflareinsights.com ct.pinterest.com js-agent.newrelic.com msads.net nr-data.net".split(
    " ",
  ),
  ..."plausible.io q.quora.com sc-static.net snap.licdn.com tr.line.me tr.snapchat.com yads.c.yimg.jp".split(" "),
];

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Usage: node scripts/ad-hosts.ts <entities.json>");
const { version } = JSON.parse(readFileSync(join(dirname(path), "../package.json"), "utf8")) as { version: string };
const entities = JSON.parse(readFileSync(path, "utf8")) as Entity[];
writeFileSync(TARGET, toFile(toHosts(entities), version));

/** Removes each host whose parent domain is also in the list. */
function toHosts(all: readonly Entity[]): string[] {
  const found = all
    .filter(({ category, totalOccurrences = 0 }) => CATEGORIES.has(category) && totalOccurrences >= MIN_PAGES)
    .filter(({ name }) => !WITH_CONTENT.has(name) && !EXPERIMENTS.has(name))
    .flatMap(({ domains }) => domains.map((domain) => domain.replace(/^\*\./, "")));
  const hosts = new Set([...found, ...ADDED_HOSTS].filter((host) => !KEPT_HOSTS.has(host)));
  const hasParent = (host: string) =>
    host.split(".").some((_, i, labels) => i > 0 && hosts.has(labels.slice(i).join(".")));
  return [...hosts].filter((host) => !hasParent(host)).sort();
}

function toFile(hosts: readonly string[], version: string): string {
  const source = `third-party-web ${version}, Copyright (c) 2019 Patrick Hulce, MIT license (ad-hosts.license.txt)`;
  return `${JSON.stringify({ source, hosts }, null, 2)}\n`;
}
