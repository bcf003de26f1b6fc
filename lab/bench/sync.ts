import { loadConversion } from "../eval/conversions.ts";
import { type Figure, p50, p99, ROUNDS, time, timeInTurn, WARM_UP } from "./figures.ts";
import { PROJECT, type World } from "./world.ts";

const GOAL_MS = 15;
const MAX_DOOR_RATIO = 1.05;

/** Measures synchronous scrapes. The floor is a Worker that only fetches the page and returns its bytes. */
export async function sync(world: World): Promise<Figure[]> {
  const { target: url } = world;
  const [ours, bare] = [await world.startOurs(), await world.startBare()];
  const conversionMs = await timeConversion(world);
  const figures: Figure[] = [];
  for (const [formats, ownMs] of [
    ["html", 0],
    ["markdown", conversionMs],
  ] as const) {
    const times = await timeInTurn({
      ours: () => ours.post("/v1/scrape?wait=true", { url, formats: [formats] }, 200),
      floor: () => bare.get(`/fetch?url=${encodeURIComponent(url)}`),
    });
    const over = p50(times.ours) - p50(times.floor) - ownMs;
    figures.push({
      what: `sync scrape, plain, ${formats}`,
      unit: "ms",
      ours: p50(times.ours),
      floor: p50(times.floor),
      goal: { text: `at most ${GOAL_MS} ms slower than the floor plus the conversion`, met: over <= GOAL_MS },
      more: { p99: p99(times.ours), "conversion ms": ownMs, "over the floor and the conversion ms": over },
    });
  }
  figures.push(await timeDoor(ours, url));
  await Promise.all([ours.stop(), bare.stop()]);
  return figures;
}

/** Measures a scrape as a client of Firecrawl sends it, next to the same scrape of our own interface. */
async function timeDoor(ours: Awaited<ReturnType<World["startOurs"]>>, url: string): Promise<Figure> {
  const same = { url, formats: ["markdown", "metadata"], render: "auto", block_ads: true };
  const times = await timeInTurn({
    ours: () => ours.post("/firecrawl/v2/scrape", { url }, 200),
    floor: () => ours.post("/v1/scrape?wait=true", same, 200),
  });
  const [door, native] = [p50(times.ours), p50(times.floor)];
  return {
    ...{ what: "sync scrape with Firecrawl's interface, next to our own", unit: "ms", ours: door, floor: native },
    goal: { text: `at most ${MAX_DOOR_RATIO} times our own`, met: door <= native * MAX_DOOR_RATIO },
  };
}

/** Measures the median time (ms) of converting the same page in this process. */
async function timeConversion({ article, target: url }: World): Promise<number> {
  const { decodeHtml, convertHtml } = await loadConversion(PROJECT);
  const options = { url, markdown: true, text: false, onlyMainContent: true };
  const convert = async () => convertHtml(decodeHtml(article, "text/html; charset=utf-8"), options);
  for (let round = 0; round < WARM_UP; round++) await convert();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await time(convert));
  return p50(times);
}
