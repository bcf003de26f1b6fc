import { z } from "@hono/zod-openapi";
import {
  MAP_TIMEOUT_MS,
  MAP_URLS_DEFAULT,
  MAP_URLS_MAX,
  MAX_QUERY_CHARS,
  SECOND_MS,
  SYNC_WAIT_MS,
  TIMEOUT_MARGIN_MS,
  TIMEOUT_MAX_MS,
  TIMEOUT_MIN_MS,
} from "../model/limits";
import { JobMeta, TargetUrl, WebhookUrl } from "./common";
import { DEVICE_OPTIONS } from "./device-options";
import { component, int, integer, isTrue, nonEmptyText, resultResponse, strictComponent, text } from "./fields";
import { LABELS } from "./labels";
import { RenderMode } from "./load-options";
import { PAGE_META } from "./outcome";
import { PRICE_OPTIONS } from "./price-options";

/** Selects whether the sitemaps of a site are used. */
const SitemapMode = z.enum(["include", "skip", "only"]);

export const MapRequest = strictComponent("MapRequest", {
  url: TargetUrl,
  search: nonEmptyText(MAX_QUERY_CHARS).optional().openapi({
    description:
      "Words to search for in the URLs, their titles and the texts of links. Only URLs that match at least one word are returned. The URLs that match the most words come first.",
    example: "pricing",
  }),
  limit: integer(1, MAP_URLS_MAX)
    .default(MAP_URLS_DEFAULT)
    .openapi({ description: "The maximum number of URLs to return." }),
  include_subdomains: z.boolean().default(false).openapi({
    description:
      "If true, the URLs of all hosts with the same registrable domain are returned. By default, only the URLs of the same host are returned, with or without `www.`.",
  }),
  sitemap: SitemapMode.default("include").openapi({
    description:
      "`include` returns the URLs of the sitemaps, of the page's links and of its feeds. `skip` doesn't read the sitemaps. `only` returns only the URLs of the sitemaps.",
  }),
  render: RenderMode.exclude(["always"]).default("never").openapi({
    description:
      "`auto` renders the page if it has no content without its scripts, so that the links that scripts add are found. `never` (the default) doesn't render it.",
  }),
  timeout_ms: integer(TIMEOUT_MIN_MS, TIMEOUT_MAX_MS, "milliseconds")
    .optional()
    .openapi({
      description: `The time limit for all requests to the site, in milliseconds. Sitemaps that weren't read in time are omitted. The default is ${MAP_TIMEOUT_MS / SECOND_MS} seconds. With \`wait=true\`, the maximum is ${SYNC_WAIT_MS - TIMEOUT_MARGIN_MS}.`,
    }),
  proxy_country: DEVICE_OPTIONS.proxy_country,
  webhook_url: WebhookUrl.optional(),
  ...PRICE_OPTIONS,
  ...LABELS,
});
export type MapRequest = z.infer<typeof MapRequest>;

const SourceError = z
  .object({ code: text, message: text })
  .openapi("MapSourceError", { description: "The reason why the source couldn't be read." });

const MapFile = component("MapFile", {
  url: text.openapi({ description: "The URL of the sitemap or feed." }),
  urls: int.openapi({ description: "The number of URLs in the file that belong to the site." }),
  other_sites: int
    .optional()
    .openapi({ description: "The number of URLs in the file that were omitted because they belong to other sites." }),
  is_index: isTrue.optional().openapi({ description: "True if the file lists other sitemaps." }),
  truncated: isTrue
    .optional()
    .openapi({ description: "True if URLs are missing, because the file is too large or was cut off." }),
  error: SourceError.optional(),
});

export const MapData = component("MapData", {
  url: text.openapi({
    description: "The URL of the page after redirects. The map contains the URLs of this page's site.",
  }),
  urls: z
    .array(
      z.object({
        url: text.openapi({
          description: "The URL without its fragment, tracking parameters and session ids. Each URL occurs once.",
        }),
        title: text.optional().openapi({
          description:
            "The title from a feed, from a news sitemap or from the page itself. Without such a title, it is the text of the link to the URL, unless other links have the same text.",
        }),
        last_modified: text.optional().openapi({
          description: "The date (YYYY-MM-DD) or the time (ISO 8601) of the last change, according to the site.",
        }),
        source: z.enum(["page", "sitemap", "feed"]).openapi({
          description: "The first source that lists the URL. `page` means the page itself or its links.",
        }),
      }),
    )
    .openapi({ description: "The URLs of the site. The URLs that the page links to come first." }),
  truncated: isTrue.optional().openapi({
    description:
      "True if the site has more URLs, because `limit`, the time limit, or a limit of the service was reached.",
  }),
  sources: z
    .object({
      robots: z
        .object({
          found: z.boolean().openapi({ description: "True if the site has a robots.txt." }),
          error: SourceError.optional(),
        })
        .openapi({ description: "The robots.txt, which can list sitemaps. It isn't read with `sitemap: skip`." }),
      page: z
        .object({
          urls: int.openapi({ description: "The number of links from the page to URLs of its site." }),
          error: SourceError.optional(),
        })
        .optional()
        .openapi({ description: "The links from the page to URLs of its site. Omitted with `sitemap: only`." }),
      sitemaps: z.array(MapFile),
      feeds: z.array(MapFile),
    })
    .openapi({ description: "The sources of the URLs. A source that couldn't be read has an error." }),
});
export type MapData = z.infer<typeof MapData>;

export const MapMeta = JobMeta.extend({
  outcome: PAGE_META.outcome.optional().openapi({
    description:
      "Present if the map is free because it may be incomplete. `needs_rendering` means that no sitemap or feed has URLs, and that the page's scripts may add links. Any other outcome is that of the page, if the service found no other URL.",
  }),
  outcome_reason: PAGE_META.outcome_reason,
  hint: PAGE_META.hint,
  rendered: isTrue.optional().openapi({ description: "True if the page was rendered in a browser." }),
}).openapi("MapMeta");
export type MapMeta = z.infer<typeof MapMeta>;

export const MapResponse = resultResponse("MapResponse", MapData, MapMeta);
