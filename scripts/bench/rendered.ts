import { type Figure, p50, p99, ROUNDS, rateInTurn, timeInTurn } from "./figures.ts";
import type { World } from "./world.ts";

/** Times vary by a few percent between runs, so a time that is 5% longer still counts as "no slower". */
const NO_SLOWER = 1.05;
const AWAY_RATIO = 1.3;
const AWAY_ROUNDS = 20;

/** Measures rendered scrapes. The floor is `page.goto` and `content()` in a new page. Both use a warm browser. */
export async function rendered(world: World): Promise<Figure[]> {
  const { target: url } = world;
  const [ours, bare] = [await world.startOurs(), await world.startBare()];
  const render = (formats: string[]) => ours.post("/v1/scrape?wait=true", { url, js_render: true, formats }, 200);
  const floor = () => bare.get(`/render?url=${encodeURIComponent(url)}`);
  const figures: Figure[] = [];
  for (const format of ["html", "markdown"]) {
    const times = await timeInTurn({ ours: () => render([format]), floor });
    figures.push({
      what: `sync scrape, rendered, ${format}`,
      unit: "ms",
      ours: p50(times.ours),
      floor: p50(times.floor),
      ...(format === "html" && {
        goal: { text: "no slower than the floor (± 5%)", met: p50(times.ours) <= p50(times.floor) * NO_SLOWER },
      }),
      more: { p99: p99(times.ours), "floor p99": p99(times.floor) },
    });
  }
  for (const connections of [4, 8]) {
    const sides = await rateInTurn(
      { ours: () => render(["html"]), floor },
      { slices: 4, count: Math.max(connections * 2, ROUNDS / 2), connections },
    );
    figures.push({
      what: `rendered, html, ${connections} in parallel`,
      unit: "/s",
      ours: sides.ours.rate,
      floor: sides.floor.rate,
      goal: { text: "no slower than the floor (± 5%)", met: sides.ours.rate * NO_SLOWER >= sides.floor.rate },
      more: { "p50 ms": p50(sides.ours.times), "p99 ms": p99(sides.ours.times) },
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
    const ours = await world.startOurs({ browserRttMs, variables: { BROWSER_PROXY: "", BROWSER_NETWORK: "public" } });
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
