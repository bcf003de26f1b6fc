import { z } from "@hono/zod-openapi";
import { component, int, text } from "./fields";

const words = text.optional();

/** Returns the schema of an optional text with a description. */
const described = (description: string) => text.optional().openapi({ description });

const address = described("It can be a redirect of the engine.");
const website = described("The URL of the entity's own website.");
export const snippet = described("The text that the block shows.");
const rating = z.number().optional().openapi({ description: "The average rating." });
const reviews = described("The number of reviews as shown, such as `1.2K`.");
const date = described("The date as shown, such as `3 days ago`.");
const price = described("The price as shown, with its currency.");

/** Returns the schema of a block that is a list. */
export function list<Shape extends z.ZodRawShape>(name: string, shape: Shape) {
  return z.array(component(name, { position: int, ...shape }));
}

export const Sitelink = component("SerpSitelink", { title: text, url: address });

const VIDEO = {
  title: text,
  url: address,
  source: words,
  channel: described("The name of the channel or author."),
  date,
  duration: described("The length as shown, such as `11:57`."),
};

/** The schemas of the parts of a result page besides its organic results. */
const BLOCKS = {
  answer: component("SerpAnswer", {
    type: z
      .enum(["featured_snippet", "dictionary", "currency", "other"])
      .openapi({ description: "The kind of answer. `featured_snippet` is a quote from the page at `url`." }),
    text,
    title: words,
    url: address,
    source: words,
    items: z.array(text).optional().openapi({ description: "The items of an answer that is a list." }),
  }),
  ai_overview: component("SerpAiOverview", {
    text,
    sources: z.array(component("SerpAiSource", { title: text, url: address, source: words, snippet })),
    complete: z.boolean().openapi({ description: "False if the page has only the beginning of the text." }),
  }),
  people_also_ask: list("SerpQuestion", {
    question: text.openapi({ description: "The only field that every item has." }),
    snippet: described("The answer. Engines often load it only on a click."),
    title: words,
    url: address,
  }),
  related_searches: list("SerpRelatedSearch", { query: text, url: address }),
  knowledge_graph: component("SerpKnowledgeGraph", {
    title: text,
    type: described("The kind of entity as shown, such as `Software company`."),
    description: words,
    source: component("SerpKnowledgeSource", { name: text, url: text }).optional(),
    website,
    rating,
    reviews,
    facts: z.array(component("SerpFact", { name: text, value: text })),
  }),
  ads: list("SerpAd", {
    block_position: z
      .enum(["top", "bottom", "right"])
      .openapi({ description: "The place of the ad: above, below or to the right of the organic results." }),
    title: text,
    url: text.openapi({ description: "The advertiser's URL, or the engine's click address." }),
    displayed_url: described("The address as shown."),
    description: words,
    sitelinks: z.array(Sitelink).optional(),
  }),
  local: list("SerpPlace", {
    title: text,
    rating,
    reviews,
    type: described("The kind of business as shown."),
    address: described("The postal address as shown."),
    phone: described("The phone number as shown."),
    hours: described("The opening hours as shown, such as `Open 24 hours`."),
    website,
    price,
  }),
  top_stories: list("SerpStory", { title: text, url: address, source: words, date }),
  images: list("SerpImage", {
    title: words,
    url: described("The URL of the page with the picture."),
    source: words,
    thumbnail: described("The URL of the picture in the size shown."),
  }),
  videos: list("SerpVideo", VIDEO),
  short_videos: list("SerpShortVideo", VIDEO),
  shopping: list("SerpProduct", {
    title: text,
    price,
    source: words,
    url: address,
    rating,
    reviews,
    is_ad: z.boolean().optional().openapi({ description: "True if the engine marks the product as an ad." }),
  }),
  perspectives: list("SerpPerspective", { title: text, url: address, source: words, author: words, date }),
  spelling: component("SerpSpelling", {
    corrected: text.openapi({ description: "The query with the engine's spelling." }),
    original: described("The query with its original spelling."),
    applied: z.boolean().openapi({ description: "True if the results are those of the corrected query." }),
  }),
  filters: list("SerpFilter", { name: text, url: address }),
};

export const BlockName = z.enum(Object.keys(BLOCKS) as (keyof typeof BLOCKS)[]).openapi("SerpBlockName");
export type BlockName = z.infer<typeof BlockName>;

/** The blocks of a result page. A block that isn't on the page is omitted. */
export const SerpBlocks = z
  .object(BLOCKS)
  .partial()
  .extend({
    block_positions: z
      .record(text, int)
      .optional()
      .openapi({ description: "The number of organic results above each block, in the order of the page." }),
  });
export type SerpBlocks = z.infer<typeof SerpBlocks>;
