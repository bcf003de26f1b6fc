import { type Figure, p50, p99, timeInTurn } from "./figures.ts";
import type { World } from "./world.ts";

const GOAL = 1.3;
const SCHEMA = {
  type: "object",
  properties: { title: { type: "string" }, date_published: { type: "string" } },
  required: ["title", "date_published"],
};

/** Measures parses of a page that declares its data, without a model. The floor is a scrape of the same page. */
export async function parsePage(world: World): Promise<Figure[]> {
  const { declared: url } = world;
  const ours = await world.startOurs();
  const parse = { url, render: "never", prompt: "The article.", schema: SCHEMA, strategy: "page" };
  const times = await timeInTurn({
    parse: () => ours.post("/v1/parse?wait=true", parse, 200),
    scrape: () => ours.post("/v1/scrape?wait=true", { url, formats: ["markdown"] }, 200),
  });
  await ours.stop();
  const ratio = p50(times.parse) / p50(times.scrape);
  return [
    {
      what: "sync parse without a model, compared with a plain scrape",
      unit: "ms",
      ours: p50(times.parse),
      floor: p50(times.scrape),
      goal: { text: `at most ${GOAL} times the floor`, met: ratio <= GOAL },
      more: { p99: p99(times.parse), "p99 of the scrape": p99(times.scrape) },
    },
  ];
}
