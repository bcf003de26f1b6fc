import { z } from "@hono/zod-openapi";
import { EXAMPLE_JOB_ID, Pagination } from "./common";

export const ExtractorId = z.string().openapi({ description: "The id of the extractor.", example: EXAMPLE_JOB_ID });

export const Extractor = z
  .object({
    id: ExtractorId,
    host: z.string().openapi({ description: "The host of the pages that the extractor reads." }),
    properties: z.array(z.string()).openapi({ description: "The first 20 properties of the schema." }),
    status: z.enum(["learning", "active"]).openapi({
      description: "`learning` until enough pages were parsed. Only an `active` extractor is used.",
    }),
    learned_from: z
      .number()
      .int()
      .openapi({ description: "The number of parses that the extractor was learned from." }),
    uses: z.number().int().openapi({ description: "The number of pages for which the extractor was used." }),
    misses: z.number().int().openapi({
      description: "The number of uses without a certain result. A language model read these pages.",
    }),
    hit_rate: z
      .number()
      .nullable()
      .openapi({ description: "The share of uses that weren't misses, from 0 to 1. Null if there is no use." }),
    checks: z.number().int().openapi({ description: "The number of uses that were compared with a language model." }),
    last_drift: z.object({ reason: z.string(), at: z.iso.datetime() }).nullable().openapi({
      description:
        "Why the extractor last had to be learned again, or that a page had a new layout. Null if that never happened.",
    }),
    created_at: z.iso.datetime(),
    learned_at: z.iso
      .datetime()
      .nullable()
      .openapi({ description: "When the extractor became active. Null while it is learning." }),
    last_used_at: z.iso.datetime(),
  })
  .openapi("Extractor");
export type Extractor = z.infer<typeof Extractor>;

export const ExtractorWithRules = Extractor.extend({
  rules: z
    .array(
      z.object({
        pointer: z.string().openapi({
          description: "A JSON pointer into the data, with `*` for the items of a list.",
          example: "/reviews/*/author",
        }),
        places: z.array(z.object({ address: z.string(), reading: z.string() })).openapi({
          description: "The places of the page that show the value. All of them must have the same value.",
        }),
      }),
    )
    .openapi({
      description: "The rules of the extractor, for people to read. Their form can change in later versions.",
    }),
}).openapi("ExtractorWithRules");
export type ExtractorWithRules = z.infer<typeof ExtractorWithRules>;

export const ExtractorList = z
  .object({ success: z.literal(true), data: z.array(Extractor), pagination: Pagination })
  .openapi("ExtractorList");

export const ExtractorResponse = z
  .object({ success: z.literal(true), data: ExtractorWithRules })
  .openapi("ExtractorResponse");

export const EXTRACTOR_EXAMPLE: ExtractorWithRules = {
  id: EXAMPLE_JOB_ID,
  host: "example.com",
  properties: ["name", "price"],
  status: "active",
  learned_from: 3,
  uses: 120,
  misses: 6,
  hit_rate: 0.95,
  checks: 6,
  last_drift: null,
  created_at: "2026-11-20T09:30:00.000Z",
  learned_at: "2026-11-20T09:31:00.000Z",
  last_used_at: "2026-11-26T12:00:00.000Z",
  rules: [
    { pointer: "/name", places: [{ address: "path:body>main>h1", reading: "text" }] },
    { pointer: "/price", places: [{ address: "label:price|dd", reading: "number:.0/1" }] },
  ],
};
