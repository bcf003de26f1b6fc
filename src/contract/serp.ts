import { z } from "@hono/zod-openapi";
import { lazy } from "../lib/lazy";
import { ENGINE_NAMES } from "../model/engine";
import {
  MAX_DOMAIN_CHARS,
  MAX_LANGUAGE_CHARS,
  MAX_LOCATION_CHARS,
  MAX_QUERY_CHARS,
  SERP_DOMAINS_MAX,
  SERP_LOAD_DEFAULT,
  SERP_LOAD_MAX,
  SERP_PAGE_MAX,
  SERP_RESULTS_DEFAULT,
  SERP_RESULTS_MAX,
} from "../model/limits";
import { JobId, JobMeta, JobStatus, WebhookUrl } from "./common";
import { JobError } from "./error-codes";
import {
  component,
  dataResponse,
  int,
  integer,
  isTrue,
  nonEmptyText,
  resultResponse,
  strictComponent,
  text,
  time,
} from "./fields";
import { LABELS } from "./labels";
import { Outcome } from "./outcome";
import { PRICE_OPTIONS } from "./price-options";
import { ScrapeData, ScrapeMeta } from "./scrape";
import { BlockName, list, SerpBlocks, Sitelink, snippet } from "./serp-blocks";
import { checkView, PASSAGE_OPTIONS, VIEW_META, VIEW_OPTIONS, VIEW_TRUNCATED } from "./view-options";

const DATE_RULE = "must be a date, such as 2026-01-31";
const TIME_RULE = 'must be day, week, month, year, or a range of dates, such as {"from": "2026-01-31"}';
const DOMAINS_RULE = `must have 1 to ${SERP_DOMAINS_MAX} domains`;
const Domain = text
  .trim()
  .toLowerCase()
  .refine(
    (domain) => /^(?:[\p{L}\p{M}\p{N}_-]+\.)+[\p{L}\p{M}\p{N}-]{2,}$/u.test(domain),
    "must be a domain, such as example.com",
  )
  .max(MAX_DOMAIN_CHARS);
const Domains = z.array(Domain).min(1, DOMAINS_RULE).max(SERP_DOMAINS_MAX, DOMAINS_RULE).optional();

const EngineName = z.enum(ENGINE_NAMES).openapi("Engine");

const SerpScrape = z
  .strictObject({
    formats: z
      .array(z.enum(["markdown", "text", "html", "metadata", "links", "summary"]))
      .min(1, "must name at least one format")
      .transform((formats) => [...new Set(formats)])
      .default(["markdown"])
      .openapi({ description: "The formats of each page, as in a scrape." }),
    limit: integer(1, SERP_LOAD_MAX).default(SERP_LOAD_DEFAULT).openapi({
      description: "The number of results whose pages are loaded, from the first result on.",
    }),
    max_chars: VIEW_OPTIONS.max_chars,
    max_tokens: VIEW_OPTIONS.max_tokens,
    ...PASSAGE_OPTIONS,
  })
  .superRefine(checkView)
  .openapi("SerpScrape");

/** A page that a search has loaded. */
const SerpPage = component("SerpPage", {
  url: text.openapi({ description: "The URL of the result." }),
  job_id: z.union([JobId, z.null()]).openapi({ description: "Null if the page hasn't started." }),
  status: JobStatus,
  outcome: Outcome.optional(),
  result: z.union([ScrapeData, z.null()]).optional().openapi({ description: "The result of a completed page." }),
  result_truncated: isTrue.optional().openapi({
    description:
      "True if the result isn't included, because it is larger than 1 MB, or because all results together are larger than 5 MB. Read the job by its id.",
  }),
  ...VIEW_META,
  truncated: VIEW_TRUNCATED,
  error: JobError.optional().openapi({ description: "The error of a failed page." }),
  meta: z.union([ScrapeMeta, JobMeta]).optional(),
});

export const SerpRequest = strictComponent("SerpRequest", {
  query: nonEmptyText(MAX_QUERY_CHARS),
  engine: EngineName.default("google"),
  location: nonEmptyText(MAX_LOCATION_CHARS).optional().openapi({
    description:
      "The location of the search: an ISO country code, the English name of a country, a city, or `City, Country`.",
    example: "Istanbul, Turkey",
  }),
  language: text
    .max(MAX_LANGUAGE_CHARS, `must have at most ${MAX_LANGUAGE_CHARS} characters`)
    .superRefine((tag, context) => {
      if (!isLanguageTag(tag)) context.addIssue({ code: "custom", message: toLanguageRule(tag) });
    })
    .transform((tag) => Intl.getCanonicalLocales(tag)[0] ?? tag)
    .optional()
    .openapi({ description: "The language of the results and of the result page, as a BCP 47 tag.", example: "tr" }),
  num_results: integer(1, SERP_RESULTS_MAX).default(SERP_RESULTS_DEFAULT).openapi({
    description:
      "The number of results to return. The service reads further result pages until it has this number of results, or until the engine has no more.",
  }),
  device: z.enum(["desktop", "mobile"]).default("desktop"),
  blocks: z
    .array(BlockName)
    .optional()
    .openapi({
      description:
        "The parts of the first result page to return besides the organic results. Without this parameter, all of them are returned.",
      example: ["people_also_ask", "related_searches"],
    }),
  type: z.enum(["web", "news", "images", "videos"]).default("web").openapi({
    description:
      "The type of search. For types other than `web`, `organic` is empty, and the results are in the member with the name of the type. Yandex has no news.",
  }),
  page: integer(1, SERP_PAGE_MAX).default(1).openapi({
    description: "The result page with which the results begin. A page of the engine has about ten results.",
  }),
  time_range: z
    .union(
      [
        z.enum(["day", "week", "month", "year"]),
        z
          .strictObject({
            from: z.iso.date(DATE_RULE).openapi({ description: "The first day of the range." }),
            to: z.iso.date(DATE_RULE).optional().openapi({ description: "The last day. The default is today." }),
          })
          .refine(({ from, to }) => to === undefined || from <= to, {
            message: "must not be before 'from'",
            path: ["to"],
          }),
      ],
      { error: TIME_RULE },
    )
    .optional()
    .openapi({
      description: "Returns only results from the last day, week, month or year, or from a range of dates.",
      example: "month",
    }),
  safe_search: z.enum(["off", "moderate", "strict"]).optional().openapi({
    description:
      "The engine's filter for adult content. If omitted, the engine's default applies, except for Bing and Yandex's API, where the filter is off.",
  }),
  include_domains: Domains.openapi({
    description: "Returns only results from these domains and their subdomains, at most 10.",
    example: ["example.com"],
  }),
  exclude_domains: Domains.openapi({
    description: "Omits results from these domains and their subdomains, at most 10.",
    example: ["example.org"],
  }),
  scrape: SerpScrape.optional().openapi({
    description:
      "Loads the pages of the results as a batch, and returns them in `pages`. Each page costs as much as a scrape, and failed pages are free. Needs the scope `scrape`.",
    example: { formats: ["markdown"] },
  }),
  webhook_url: WebhookUrl.optional(),
  ...PRICE_OPTIONS,
  ...LABELS,
});
export type SerpRequest = z.infer<typeof SerpRequest>;

export const SerpData = component("SerpData", {
  organic: z.array(
    z.object({
      position: int,
      title: text,
      url: text,
      description: text,
      snippet: text.openapi({
        description:
          "The text below the title, as the engine shows it. `description` is the same text without its date.",
      }),
      date: text.optional().openapi({ description: "The date of the page, as the engine shows it." }),
      sitelinks: z.array(Sitelink).optional(),
    }),
  ),
  ...SerpBlocks.shape,
  news: list("SerpNews", { title: text, url: text, source: text.optional(), date: text.optional(), snippet })
    .optional()
    .openapi({ description: "The results of a search of the type `news`." }),
  pages: z.array(SerpPage).optional().openapi({
    description:
      "The pages that `scrape` loads, in the order of the results. Pages that haven't ended in time are `queued` or `processing`. Their results are in the batch `meta.batch_id`.",
  }),
  total_results: z.number().openapi({
    description: "The number of results that the engine reports. 0 if `meta.total_results_known` is false.",
  }),
  search_time_ms: z.number(),
});
export type SerpData = z.infer<typeof SerpData>;

export const SerpMeta = JobMeta.extend({
  pages_fetched: int,
  total_results_known: z.boolean().openapi({
    description: "False if the engine doesn't report a number of results. In that case, `total_results` is 0.",
  }),
  source: text
    .optional()
    .openapi({ description: "The source of the results, such as `plain`, `browser` or the name of a search API." }),
  partial: isTrue
    .optional()
    .openapi({ description: "True if a later result page could not be read, so that results are missing." }),
  unresolved: int.optional().openapi({
    description: "The number of results whose `url` is still a redirect of the engine.",
  }),
  batch_id: text.optional().openapi({ description: "The id of the batch with the pages that `scrape` loads." }),
  pages_credits_used: int.optional().openapi({
    description: "The credits that the pages have cost so far. They aren't part of `credits_used`.",
  }),
  query_changed: isTrue.optional().openapi({
    description:
      "True if the engine ignored an operator of the query, such as `site:`, even when the service repeated the search. All results then violate the operator.",
  }),
  query_searched: text.optional().openapi({
    description: "The query that the engine searched instead. Present if `query_changed` is true.",
  }),
}).openapi("SerpMeta");
export type SerpMeta = z.infer<typeof SerpMeta>;

export const SerpResponse = resultResponse("SerpResponse", SerpData, SerpMeta);

export const SerpHealth = dataResponse(
  "SerpHealth",
  z.object({
    enabled: z.boolean().openapi({ description: "True if the service checks the engines regularly (SERP_CANARY)." }),
    checks: z.array(
      z.object({
        engine: EngineName,
        outcome: text.nullable().openapi({
          description: "`results`, `no_results`, or the error code of a failed check. Null while the check is running.",
        }),
        source: text.nullable(),
        results: int,
        disputed_results: int.openapi({
          description:
            "The service reads the first result page in two ways: by the names that the engine gives to elements, and by the structure of the page. This is the number of results (for Google, of snippets) that only one way found. It is 0 if there are fewer than 5 results, or if the two ways agree on at least four fifths of them. Any other value means that the engine has probably changed its pages.",
        }),
        duration_ms: int.nullable(),
        checked_at: time,
      }),
    ),
  }),
);

function isLanguageTag(tag: string): boolean {
  try {
    const [canonical] = Intl.getCanonicalLocales(tag);
    return canonical !== undefined && isLanguage(canonical.split("-")[0] ?? "");
  } catch {
    return false;
  }
}

/**
 * Returns true if the code is the code of a language. For example, `jp` and `english` aren't codes of a language. Every
 * code of three letters counts as a language, because the runtime doesn't know all of them.
 */
function isLanguage(code: string): boolean {
  return code.length === 3 || (code.length === 2 && languageNames().of(code) !== undefined);
}

const languageNames = lazy(() => new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }));

function toLanguageRule(given: string): string {
  const rule = "must be a BCP 47 language tag, such as tr or en-US";
  const code = findLanguage(given);
  return code === null ? rule : `${rule}. Did you mean '${code}'?`;
}

/** Returns the code of the language with this English name, or of the country's language for some country codes. */
function findLanguage(given: string): string | null {
  const text = given.trim().toLowerCase();
  const code = CODES_OF_COUNTRIES[text];
  if (code !== undefined) return code;
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  return codes.find((candidate) => languageNames().of(candidate)?.toLowerCase() === text) ?? null;
}

/** Country codes that callers use as language codes by mistake, and that no language has. */
const CODES_OF_COUNTRIES: Partial<Record<string, string>> = { cn: "zh", cz: "cs", dk: "da", jp: "ja", us: "en" };
