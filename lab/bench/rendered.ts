import { totalOf } from "./cpu.ts";
import { type Figure, p50, p99, ROUNDS, rateInTurn, timeInTurn } from "./figures.ts";
import { chooseCount, SELECTED } from "./selection.ts";
import type { World } from "./world.ts";

const SINGLE_RATIO = 0.75;
const RATE_RATIO = 0.95;
const SLICES = chooseCount("BENCH_SLICES", { short: 2, full: 4 });
/** The numbers of parallel renders. */
const CONNECTIONS = SELECTED.length > 0 ? [1, 4, 8] : [8];
const AWAY_RATIO = 1.3;
const AWAY_ROUNDS = 20;

/**
 * The variables of the deployed service, with shared browsers. The browser can't reach a private network, so pages need
 * no proxy, and only documents and private hosts are intercepted.
 */
const DEPLOYED = { BROWSER_PROXY: "", BROWSER_NETWORK: "public", BROWSER_SHARED: "on" };

/**
 * Measures rendered scrapes with the configuration of `npm start` and with the deployed one. The floor is `page.goto` and
 * `content()` in a new page. The last figures are next to a floor that isolates its pages, as the service does: each is in
 * a new context with its own cookies and storage. All use a warm browser. Only a full run has the last figures.
 */
export async function rendered(world: World): Promise<Figure[]> {
  const local = await measureRenders(world, { name: "npm start", url: world.target, variables: {} });
  const deployed = await measureRenders(world, { name: "deployed", url: world.publicTarget, variables: DEPLOYED });
  if (SELECTED.length === 0) return [...local, ...deployed];
  const isolated = await measureRenders(world, {
    name: "deployed, isolated floor",
    url: world.publicTarget,
    variables: DEPLOYED,
    isIsolated: true,
  });
  return [...local, ...deployed, ...isolated];
}

interface Configuration {
  name: string;
  /** The URL of the page. */
  url: string;
  variables: Record<string, string>;
  /** True if the floor opens each page in a new context. */
  isIsolated?: boolean;
}

async function measureRenders(
  world: World,
  { name, url, variables, isIsolated = false }: Configuration,
): Promise<Figure[]> {
  const [ours, bare] = [await world.startOurs({ variables }), await world.startBare()];
  const render = (formats: string[]) => ours.post("/v1/scrape?wait=true", { url, js_render: true, formats }, 200);
  const floor = () => bare.get(`/render?url=${encodeURIComponent(url)}&isolated=${isIsolated}`);
  const figures: Figure[] = [];
  for (const format of ["html", "markdown"]) {
    const times = await timeInTurn({ ours: () => render([format]), floor });
    figures.push({
      what: `${name}: sync scrape, rendered, ${format}`,
      unit: "ms",
      ours: p50(times.ours),
      floor: p50(times.floor),
      ...(format === "html" && {
        goal: { text: `≤ ${SINGLE_RATIO} × floor`, met: p50(times.ours) <= p50(times.floor) * SINGLE_RATIO },
      }),
      more: { p99: p99(times.ours), "floor p99": p99(times.floor) },
    });
  }
  for (const connections of CONNECTIONS) {
    const count = Math.max(connections * 2, ROUNDS / 2);
    const sides = await rateInTurn(
      { ours: () => render(["html"]), floor },
      { slices: SLICES, count: Math.ceil(count), connections },
    );
    const { ours: our, floor: bare } = sides;
    const cpu = our.cpu !== null && bare.cpu !== null ? { ours: our.cpu, floor: bare.cpu } : null;
    if (connections > 1) {
      figures.push({
        what: `${name}: rendered, html, ${connections} in parallel`,
        unit: "/s",
        ours: our.rate,
        floor: bare.rate,
        goal: { text: `≥ ${RATE_RATIO} × floor`, met: our.rate >= bare.rate * RATE_RATIO },
        more: { "p50 ms": p50(our.times), "p99 ms": p99(our.times) },
      });
    }
    if (cpu === null) continue;
    figures.push({
      what: `${name}: CPU time per render, ${connections} in parallel`,
      unit: "ms",
      ours: totalOf(cpu.ours),
      floor: totalOf(cpu.floor),
      more: {
        ...cpu.ours,
        ...Object.fromEntries(Object.entries(cpu.floor).map(([kind, ms]) => [`floor ${kind}`, ms])),
      },
    });
  }
  await Promise.all([ours.stop(), bare.stop()]);
  return figures;
}

/**
 * Measures rendered scrapes when the browser is 0, 20 and 60 ms away from the Durable Object, as on Cloudflare. The page
 * has 30 scripts and 8 chained fetches. The floor is bare puppeteer at the same distance.
 */
export async function renderedAway(world: World): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const browserRttMs of [0, 20, 60]) {
    const ours = await world.startOurs({ browserRttMs, variables: DEPLOYED });
    const bare = await world.startBare({ browserRttMs });
    const url = world.application;
    const times = await timeInTurn(
      {
        ours: () => ours.post("/v1/scrape?wait=true", { url, js_render: true, formats: ["html"] }, 200),
        floor: () => bare.get(`/render?url=${encodeURIComponent(url)}`),
      },
      Math.min(ROUNDS, AWAY_ROUNDS),
    );
    figures.push({
      what: `rendered, browser ${browserRttMs} ms away`,
      unit: "ms",
      ours: p50(times.ours),
      floor: p50(times.floor),
      goal: { text: `at most ${AWAY_RATIO} × the floor`, met: p50(times.ours) <= p50(times.floor) * AWAY_RATIO },
    });
    await Promise.all([ours.stop(), bare.stop()]);
  }
  return figures;
}
