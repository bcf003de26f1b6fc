import { createServer } from "node:http";
import { listen } from "../../test/support/loopback.ts";
import { startModels } from "../../test/support/models.ts";
import { TEMPLATE_SCHEMA, templatePage } from "../../test/support/template-site.ts";
import { type Figure, p50, p99, timeInTurn } from "./figures.ts";
import type { Running, World } from "./world.ts";

const GOAL = 1.3;
const ARTICLE_SCHEMA = {
  type: "object",
  properties: { title: { type: "string" }, date_published: { type: "string" } },
  required: ["title", "date_published"],
};
/** The mark `[[template]]` selects the behavior of the stand-in model. */
const LEARNED = { prompt: "The product. [[template]]", schema: TEMPLATE_SCHEMA, strategy: "auto", render: "never" };
/** The pages from which the extractor is learned. */
const LEARNED_PAGES = [1, 2, 3];
const MEASURED_PAGE = 5;

/**
 * Measures parses without a model: of a page that declares its data, and with a learned extractor. The floor is a scrape
 * of the same page. One in twenty uses of the extractor calls a stand-in model to compare the results.
 */
export async function parsePage(world: World): Promise<Figure[]> {
  const models = await startModels();
  const site = await listen(
    createServer(({ url = "" }, response) => {
      response.setHeader("content-type", "text/html; charset=utf-8");
      response.end(productPage(Number(url.slice(1)), world.article.toString()));
    }),
  );
  const ours = await world.startOurs({
    variables: { OPENAI_API_KEY: "key of the bench", OPENAI_BASE_URL: `${models.origin}/v1` },
    hosts: [site, models].map(({ origin }) => new URL(origin).host),
  });
  try {
    const declared = { url: world.declared, render: "never", prompt: "The article.", schema: ARTICLE_SCHEMA };
    for (const number of LEARNED_PAGES) await parseLearned(ours, `${site.origin}/${number}`);
    const url = `${site.origin}/${MEASURED_PAGE}`;
    return [
      await compare(ours, {
        what: "sync parse from the page's own data, compared with a plain scrape",
        url: world.declared,
        parse: () => ours.post("/v1/parse?wait=true", { ...declared, strategy: "page" }, 200),
      }),
      await compare(ours, {
        what: "sync parse with a learned extractor, compared with a plain scrape",
        url,
        parse: () => parseLearned(ours, url),
      }),
    ];
  } finally {
    await ours.stop();
    site.close();
    models.close();
  }
}

interface Comparison {
  what: string;
  url: string;
  /** Returns the body of the response. */
  parse: () => Promise<string>;
}

async function compare(ours: Running, { what, url, parse }: Comparison): Promise<Figure> {
  const { meta } = JSON.parse(await parse());
  if (meta.model_used !== "none") throw new Error(`The parse called a model: ${JSON.stringify(meta)}`);
  const times = await timeInTurn({
    parse,
    scrape: () => ours.post("/v1/scrape?wait=true", { url, formats: ["markdown"] }, 200),
  });
  const ratio = p50(times.parse) / p50(times.scrape);
  return {
    what,
    unit: "ms",
    ours: p50(times.parse),
    floor: p50(times.scrape),
    goal: { text: `at most ${GOAL} times the floor`, met: ratio <= GOAL },
    more: { p99: p99(times.parse), "p99 of the scrape": p99(times.scrape) },
  };
}

function parseLearned(ours: Running, url: string): Promise<string> {
  return ours.post("/v1/parse?wait=true", { ...LEARNED, url }, 200);
}

/** Returns a page of the template, followed by the content of the article, so that both pages have the same size. */
function productPage(number: number, article: string): string {
  const content = article.slice(article.indexOf("<body"), article.indexOf("</body>")).replace(/^<body[^>]*>/, "");
  return templatePage(number, "first").replace("</main>", `</main><section>${content}</section>`);
}
