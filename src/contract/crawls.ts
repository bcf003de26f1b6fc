import { z } from "@hono/zod-openapi";
import {
  CONTENT_USES,
  CRAWL_EVENTS,
  PATTERN_TARGETS,
  ROBOTS_MODES,
  SITEMAP_MODES,
  SKIP_REASONS,
  type SkipReason,
} from "../model/crawl";
import {
  CRAWL_LIMIT_DEFAULT,
  CRAWL_LIMIT_MAX,
  MAX_CRAWL_DELAY_S,
  MAX_PATH_PATTERN_CHARS,
  MAX_PATH_PATTERNS,
  SKIPPED_LIMIT_DEFAULT,
  SKIPPED_LIMIT_MAX,
} from "../model/limits";
import { BATCH_FIELDS, BatchId, checkEvents, DRY_RUN_FIELDS, eventsOf, listOf, PAGES } from "./batches";
import { POSITION_MAX, TargetUrl, WebhookUrl, wholeNumber } from "./common";
import { component, dryRunResponse, int, isTrue, text } from "./fields";
import { LABELS } from "./labels";
import { PRICE_OPTIONS } from "./price-options";

const Pattern = text.max(MAX_PATH_PATTERN_CHARS, `must have at most ${MAX_PATH_PATTERN_CHARS} characters`);
const PATTERNS_RULE = `must have at most ${MAX_PATH_PATTERNS} entries`;
const PathPatterns = z
  .array(Pattern.regex(/^[/*]/, "must begin with '/' or '*', because it is compared with the whole path"))
  .max(MAX_PATH_PATTERNS, PATTERNS_RULE);
const Expressions = z.array(Pattern.min(1, "must not be empty")).max(MAX_PATH_PATTERNS, PATTERNS_RULE);

export const CrawlRequest = z
  .strictObject({
    url: TargetUrl.openapi({ description: "The first page. Its links are followed within its site." }),
    limit: int.min(1).max(CRAWL_LIMIT_MAX).default(CRAWL_LIMIT_DEFAULT).openapi({
      description: "The maximum number of pages.",
    }),
    max_depth: int.min(0).max(100).optional().openapi({
      description:
        "The maximum depth of a page, which is the number of links from the first page to it. 0 visits only the first page. Pages from sitemaps have the depth 1. Without `max_depth`, there is no limit.",
    }),
    include_paths: PathPatterns.optional().openapi({
      description:
        "If you set this, the crawl visits only the first page and pages whose path matches one of these patterns. In a pattern, `*` matches any characters. Patterns such as `/café/*` don't have to be percent-encoded. A pattern is compared with the whole path. If it contains `?`, it is compared with the path and the query.",
      example: ["/blog/*"],
    }),
    exclude_paths: PathPatterns.optional().openapi({
      description:
        "The crawl doesn't visit pages whose path matches one of these patterns. These patterns take precedence over `include_paths`.",
      example: ["/blog/tags/*", "*?*sort=*"],
    }),
    include_patterns: Expressions.optional().openapi({
      description:
        "Regular expressions, in addition to `include_paths`. The crawl visits only the first page and pages that match a pattern in either list. An expression can match any part of the path. Case matters, and characters such as `é` don't have to be percent-encoded. Look-behind and back-references aren't allowed.",
      example: ["^/docs/(guide|api)/"],
    }),
    exclude_patterns: Expressions.optional().openapi({
      description:
        "Regular expressions, in addition to `exclude_paths`. They take precedence over `include_paths` and `include_patterns`.",
      example: ["/page/\\d+$"],
    }),
    pattern_target: z.enum(PATTERN_TARGETS).default("path").openapi({
      description:
        "The part of a URL that `include_patterns` and `exclude_patterns` are compared with: the `path`, or the whole `url` with its query.",
    }),
    ignore_query_parameters: z.boolean().default(false).openapi({
      description:
        "If true, the crawl removes the query from every URL that it finds, so that it visits each path once. Only the first page is requested with its query.",
    }),
    allow_subdomains: z.boolean().default(false).openapi({
      description:
        "If true, pages of all hosts with the same registrable domain are visited. Otherwise, only pages of the first page's host, with or without `www.`, are visited.",
    }),
    sitemap: z.enum(SITEMAP_MODES).default("include").openapi({
      description:
        "`include` visits the pages of the site's sitemaps and follows links. `skip` only follows links. `only` visits only the pages of the sitemaps, and visits the first page only if a sitemap lists it.",
    }),
    delay: z.number().min(0).max(MAX_CRAWL_DELAY_S).optional().openapi({
      description:
        "The minimum time between the starts of two pages of a host, in seconds. With a delay, the crawl requests one page of a host at a time. Without one, it requests two. If robots.txt has a longer Crawl-delay, that delay applies.",
    }),
    robots: z.enum(ROBOTS_MODES).default("respect").openapi({
      description:
        "`respect` follows the rules of robots.txt for the user agent `WebDataExtraction`, and doesn't follow links with `rel=nofollow` or the links of a page whose robots directives include `nofollow`. A page that redirects to a URL that robots.txt doesn't allow fails with `invalid_target`. `ignore` ignores robots.txt and `nofollow`.",
    }),
    content_signals: z.enum(["report", "respect"]).default("report").openapi({
      description:
        "`report` returns the signals of each page in `meta.content_signals`. `respect` returns no pages that refuse `content_use`. Needs `robots: respect`.",
    }),
    content_use: z.enum(CONTENT_USES).optional().openapi({
      description:
        "What the pages are for, with `content_signals: respect`. `noai` and `tdm_reservation` refuse `ai_input` and `ai_train`.",
    }),
    scrape: z
      .record(text, z.unknown())
      .optional()
      .openapi({
        type: "object",
        additionalProperties: true,
        description:
          "The options of a scrape for each page, except `url`, `webhook_url`, `dry_run`, `capture_id`, `file`, `metadata` and `tags`.",
        example: { formats: ["markdown"] },
      }),
    webhook_url: WebhookUrl.optional().openapi({
      description:
        "The URL to which the events of this crawl are sent. It replaces the account's webhook endpoints. It must use https, be public, and have no user name or password.",
    }),
    webhook_events: eventsOf(CRAWL_EVENTS)
      .optional()
      .openapi({
        description:
          "The events that are sent to `webhook_url`. `crawl.completed` must be in the list. `crawl.page` is sent at the end of each page.",
        example: ["crawl.completed"],
      }),
    dry_run: PRICE_OPTIONS.dry_run.openapi({
      description:
        "If true, only checks the request and returns the highest price of the crawl. No crawl is created and nothing is charged.",
    }),
    max_credits: PRICE_OPTIONS.max_credits.openapi({
      description:
        "The most credits that all pages together may cost. If `limit` pages can cost more, the crawl is refused with `price_limit`. The `max_credits` of `scrape` limits each page.",
    }),
    ...LABELS,
  })
  .superRefine(checkEvents)
  .superRefine(({ content_signals, content_use, robots }, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    const isRespected = content_signals === "respect";
    if (isRespected && content_use === undefined)
      issue("content_use", `is required with 'content_signals: respect'; send ${CONTENT_USES.join(", ")}`);
    if (!isRespected && content_use !== undefined) issue("content_use", "needs 'content_signals: respect'");
    if (isRespected && robots === "ignore")
      issue("robots", "can't be 'ignore' with 'content_signals: respect', because robots.txt has signals");
  })
  .openapi("CrawlRequest");
export type CrawlRequest = z.infer<typeof CrawlRequest>;

/** The description of each reason for which a crawl doesn't visit a URL. */
const SKIP_HELP: Record<SkipReason, string> = {
  excluded: "The URLs that the `include_…` and `exclude_…` options exclude.",
  robots: "The URLs that robots.txt doesn't allow.",
  content_signals: "The URLs that refuse `content_use`.",
  depth: "The URLs beyond `max_depth`.",
  file: "Images, archives, style sheets and other files without text.",
  trap: "URLs of endless parts of a site, such as a calendar, or URLs that a wrong relative link causes.",
  sign_out: "The URLs that would sign out the crawl. Only if `scrape.cookies` is set.",
  redirect: "The URLs to which a visited page redirects.",
  limit: "The URLs that weren't visited because the crawl had reached its `limit` or a limit of the service.",
};

const Skipped = z
  .object(
    Object.fromEntries(
      Object.entries(SKIP_HELP).map(([reason, description]) => [reason, int.optional().openapi({ description })]),
    ) as Record<SkipReason, z.ZodOptional<typeof int>>,
  )
  .openapi("CrawlSkipped");

const CRAWL_FIELDS = {
  crawl_id: BatchId,
  ...BATCH_FIELDS,
  url: z.union([text, z.null()]).optional().openapi({
    description: "In lists: the URL of the first page. Null after the retention period.",
  }),
  discovered: int.optional().openapi({
    description:
      "The number of different URLs of the site that the crawl has found, including its pages and skipped URLs. Omitted after the retention period.",
  }),
  skipped: Skipped.optional().openapi({
    description: "The number of URLs that the crawl doesn't visit, by reason. Omitted after the retention period.",
  }),
  note: text.optional().openapi({
    description:
      "Explains an unexpected end. For example, robots.txt doesn't allow the start URL, or sets a long Crawl-delay.",
  }),
};

/** A crawl without its pages. */
export const CrawlRecord = component("Crawl", CRAWL_FIELDS);

export const CrawlResponse = component("CrawlResponse", { success: isTrue, ...CRAWL_FIELDS, ...PAGES });

export const CrawlListResponse = listOf("CrawlListResponse", CrawlRecord);

export const SkippedQuery = z.strictObject({
  reason: z.enum(SKIP_REASONS).exclude(["limit"]).optional().openapi({
    description: "Only URLs that are skipped for this reason.",
  }),
  cursor: wholeNumber(0, POSITION_MAX).optional().openapi({
    description: "The `next_cursor` of the previous response.",
  }),
  limit: wholeNumber(1, SKIPPED_LIMIT_MAX)
    .default(SKIPPED_LIMIT_DEFAULT)
    .openapi({ default: SKIPPED_LIMIT_DEFAULT, description: "The number of URLs to return." }),
});

export const SkippedResponse = component("CrawlSkippedResponse", {
  success: isTrue,
  data: z.array(z.object({ url: text, reason: z.enum(SKIP_REASONS) })).openapi({
    description:
      "The skipped URLs in the order in which they were found. Empty after the retention period. The service lists a limited number of URLs, and only counts the others.",
  }),
  next_cursor: text.optional().openapi({ description: "Pass this value as `cursor` to get the next URLs." }),
});

/** The response to a request that changes a crawl. It has no pages. */
export const ChangedCrawl = component("ChangedCrawl", { success: isTrue, ...CRAWL_FIELDS });

export const CrawlAccepted = component("CrawlAccepted", {
  success: isTrue,
  crawl_id: BatchId,
  ...BATCH_FIELDS,
  meta: z.object({
    credits_max: int.openapi({
      description: "The highest price of the crawl in credits. It is the price of `limit` pages.",
    }),
  }),
});

export const CrawlDryRunResponse = dryRunResponse(
  "CrawlDryRunResponse",
  z.object(DRY_RUN_FIELDS).openapi("CrawlDryRun"),
);
