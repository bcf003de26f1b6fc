import { type Figure, p50, p99, timeInTurn } from "./figures.ts";
import type { World } from "./world.ts";

const GOAL = 1.3;
const ARTICLE_SCHEMA = {
  type: "object",
  properties: { title: { type: "string" }, date_published: { type: "string" } },
  required: ["title", "date_published"],
};

/** Measures a parse of a page that declares its data, without a model. The floor is a scrape of the same page. */
export async function parsePage(world: World): Promise<Figure[]> {
  const ours = await world.startOurs();
  try {
    const url = world.declared;
    const request = { url, render: "never", prompt: "The article.", schema: ARTICLE_SCHEMA, strategy: "page" };
    const parse = () => ours.post("/v1/parse?wait=true", request, 200);
    const { meta } = JSON.parse(await parse());
    if (meta.model_used !== "none") throw new Error(`The parse called a model: ${JSON.stringify(meta)}`);
    const times = await timeInTurn({
      parse,
      scrape: () => ours.post("/v1/scrape?wait=true", { url, formats: ["markdown"] }, 200),
    });
    const ratio = p50(times.parse) / p50(times.scrape);
    return [
      {
        what: "sync parse from the page's own data, compared with a plain scrape",
        unit: "ms",
        ours: p50(times.parse),
        floor: p50(times.scrape),
        goal: { text: `at most ${GOAL} times the floor`, met: ratio <= GOAL },
        more: { p99: p99(times.parse), "p99 of the scrape": p99(times.scrape) },
      },
    ];
  } finally {
    await ours.stop();
  }
}
