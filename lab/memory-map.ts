// `npm run lab -- memory-map`: measures the memory that the sitemaps of a map need. A server on loopback sends eight
// sitemaps with 48,000 long URLs each. Collects the garbage before each measurement.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { loadSource } from "./eval/source.ts";

interface Source {
  Budget: { prototype: { spend(amount: number): boolean } };
  collectSitemaps(
    sources: object[],
    options: object,
  ): Promise<{ entries: unknown[]; sitemaps: { error: Error | null }[]; isTruncated: boolean }>;
  toResourceOptions(env: object, options: object): object;
}

const SITEMAPS = 8;
const URLS = 48_000;
/** The entries of the sitemaps: the length of the URL, and the title. */
const ENTRIES: readonly (readonly [name: string, chars: number, title: string])[] = [
  ["URLs with 300 characters", 300, ""],
  ["URLs with 900 characters", 900, ""],
  ["URLs with 1,800 characters", 1_800, ""],
  ["titles with 300 Chinese characters", 20, "海".repeat(300)],
];
/** The number of calls of `spend` and `URL.parse` between two measurements. */
const CALLS = 5_000;
const MB = 1024 * 1024;
const MINUTE_MS = 60_000;

const gc = globalThis.gc;
if (gc === undefined) throw new Error("Start this program with --expose-gc.");
const { Budget, collectSitemaps, toResourceOptions } = await loadSource<Source>(
  resolve(import.meta.dirname, ".."),
  ["lib/budget", "site/collect-sitemaps", "site/fetch-resource"]
    .map((file) => `export * from "./src/${file}";`)
    .join("\n"),
);

function measure(): number {
  gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / MB;
}

let [peak, calls] = [0, 0];
function count(): void {
  if (++calls % CALLS === 0) peak = Math.max(peak, measure());
}
const { spend } = Budget.prototype;
Budget.prototype.spend = function (amount) {
  count();
  return spend.call(this, amount);
};
// Collecting the entries of a file calls this function, too.
const { parse } = URL;
URL.parse = (...args) => {
  count();
  return parse(...args);
};

console.log("| 48,000 entries with | entries | truncated | peak, MB |\n|---|---|---|---|");
for (const [name, chars, title] of ENTRIES) {
  const bodies = Array.from({ length: SITEMAPS }, (_, map) => {
    const urls = Array.from(
      { length: URLS },
      (_unused, n) => `<url><loc>/${`${map}-${n}`.padEnd(chars, "a")}</loc>${title && `<title>${title}</title>`}</url>`,
    );
    return gzipSync(`<urlset>${urls.join("")}</urlset>`);
  });
  // The bodies belong to the site, and not to the service.
  const server = createServer((request, response) => response.end(bodies[Number(request.url?.at(-1))])).listen(
    0,
    "127.0.0.1",
  );
  await once(server, "listening");
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const before = measure();
  peak = 0;
  const env = { ALLOWED_PRIVATE_HOSTS: new URL(site).host, USER_AGENT: "lab", FETCH_VIA: "fetch", DNS_RESOLVER: "" };
  const denied = { lists: [], contact: null };
  const { entries, sitemaps, isTruncated } = await collectSitemaps(
    Array.from({ length: SITEMAPS }, (_, map) => ({ url: `${site}/${map}`, isNamed: true })),
    {
      site,
      includeSubdomains: false,
      maxEntries: URLS,
      maxSitemaps: SITEMAPS,
      endsAt: Date.now() + MINUTE_MS,
      fetch: toResourceOptions(env, {
        origin: site,
        proxy: null,
        denied,
        signal: AbortSignal.timeout(MINUTE_MS),
      }),
    },
  );
  peak = Math.max(peak, measure());
  if (entries.length === 0) console.error(sitemaps[0]?.error);
  console.log(`| ${name} | ${entries.length} | ${isTruncated} | ${(peak - before).toFixed(0)} |`);
  server.close();
}
