import { z } from "@hono/zod-openapi";
import { ENGINE_NAMES } from "../model/engine";
import {
  MAX_LANGUAGE_CHARS,
  MAX_LOCATION_CHARS,
  MAX_QUERY_CHARS,
  SERP_RESULTS_DEFAULT,
  SERP_RESULTS_MAX,
} from "../model/limits";
import { JobMeta, WebhookUrl } from "./common";

const EngineName = z.enum(ENGINE_NAMES).openapi("Engine");

export const SerpRequest = z
  .strictObject({
    query: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_QUERY_CHARS, `must have at most ${MAX_QUERY_CHARS} characters`),
    engine: EngineName.default("google"),
    location: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_LOCATION_CHARS, `must have at most ${MAX_LOCATION_CHARS} characters`)
      .optional()
      .openapi({
        description: "Where the search is made: an ISO code, a country's English name, a city, or `City, Country`.",
        example: "Istanbul, Turkey",
      }),
    language: z
      .string()
      .max(MAX_LANGUAGE_CHARS, `must have at most ${MAX_LANGUAGE_CHARS} characters`)
      .refine(isLanguageTag, "must be a BCP 47 language tag, such as tr or en-US")
      .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
      .optional()
      .openapi({ description: "BCP 47: the results' and the page's language.", example: "tr" }),
    num_results: z
      .int("must be a whole number")
      .min(1, `must be from 1 to ${SERP_RESULTS_MAX}`)
      .max(SERP_RESULTS_MAX, `must be from 1 to ${SERP_RESULTS_MAX}`)
      .default(SERP_RESULTS_DEFAULT)
      .openapi({ description: "The engine's pages are walked until there are so many, or no more." }),
    device: z.enum(["desktop", "mobile"]).default("desktop"),
    webhook_url: WebhookUrl.optional(),
  })
  .openapi("SerpRequest");
export type SerpRequest = z.infer<typeof SerpRequest>;

export const SerpData = z
  .object({
    organic: z.array(
      z.object({
        position: z.number().int(),
        title: z.string(),
        url: z.string(),
        description: z.string(),
        snippet: z.string().openapi({ description: "The text as it stands; `description` is without its date." }),
      }),
    ),
    total_results: z.number().openapi({ description: "0 where `meta.total_results_known` is false." }),
    search_time_ms: z.number(),
  })
  .openapi("SerpData");
export type SerpData = z.infer<typeof SerpData>;

export const SerpMeta = JobMeta.extend({
  pages_fetched: z.number().int(),
  total_results_known: z.boolean().openapi({ description: "False: the engine doesn't say, and total_results is 0." }),
  source: z
    .string()
    .optional()
    .openapi({ description: "The source of the results, such as plain, browser or the name of a search API." }),
  partial: z.literal(true).optional().openapi({ description: "A later page didn't come: there would have been more." }),
  unresolved: z.number().int().optional().openapi({
    description: "So many results still have the engine's redirect as their address.",
  }),
}).openapi("SerpMeta");
export type SerpMeta = z.infer<typeof SerpMeta>;

export const SerpResponse = z
  .object({
    success: z.literal(true),
    data: SerpData,
    meta: SerpMeta,
    job_id: z.string(),
  })
  .openapi("SerpResponse");

export const SerpHealth = z
  .object({
    success: z.literal(true),
    data: z.object({
      enabled: z.boolean().openapi({ description: "Whether the canary asks at all (SERP_CANARY)." }),
      checks: z.array(
        z.object({
          engine: EngineName,
          outcome: z.string().nullable().openapi({
            description: "results, no_results, or the code of what went wrong; null while it is under way.",
          }),
          source: z.string().nullable(),
          results: z.number().int(),
          duration_ms: z.number().int().nullable(),
          checked_at: z.iso.datetime(),
        }),
      ),
    }),
  })
  .openapi("SerpHealth");

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
