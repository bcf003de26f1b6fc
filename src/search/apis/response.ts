import { z } from "zod";
import { parseJson } from "../../lib/json";
import type { EngineName } from "../../model/engine";
import { MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { ENGINES } from "../engines/engines";
import { parseAddress } from "../results/links";
import { distinct } from "../results/listing";
import type { OrganicResult } from "../results/result-page";
import { tidy, toSnippet } from "../results/texts";
import { toFormFailure } from "./request";

export interface ApiResult {
  title: string;
  link: string;
  snippet: string;
  /** The date before the snippet on the engine's page. Empty if there is no date, or if the snippet includes it. */
  date: string;
  /** Fields of news, pictures and videos. */
  source?: string;
  channel?: string;
  duration?: string;
  thumbnail?: string;
  thumbnailUrl?: string;
}

/** Accepts any value. Replaces a value that is not a string with "". */
export const ApiText = z.string().catch("");

const ApiFields = z.object({
  ...{ title: ApiText, link: ApiText, snippet: ApiText, date: ApiText },
  ...{ source: ApiText, channel: ApiText, duration: ApiText, thumbnail: ApiText, thumbnailUrl: ApiText },
}) satisfies z.ZodType<ApiResult>;

/** The results of Serper and SerpApi. Any field of a result can be missing. */
export const ApiResults = z.array(ApiFields.catch(() => ApiFields.parse({})));

/** Parses a response. Throws SearchFailure if it doesn't have the documented form. */
export function parseApiResponse<T>(schema: z.ZodType<T>, text: string): T {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw toFormFailure();
  return parsed.data;
}

/**
 * Converts an API's results to the form of results from the engine's own pages. Unwraps their links, and removes
 * duplicates and links back to the engine. Throws SearchFailure if none of the results can be converted.
 */
export function toOrganicResults(name: EngineName, results: readonly ApiResult[]): OrganicResult[] {
  const engine = ENGINES[name];
  const organic = results.flatMap((result): OrganicResult[] => {
    const { title: rawTitle, link, snippet: rawSnippet, date, source = "", channel, duration } = result;
    const picture = result.thumbnail || result.thumbnailUrl;
    const thumbnail = picture ? parseAddress(picture)?.href : undefined;
    const title = tidy(rawTitle, MAX_SERP_TITLE_CHARS);
    const target = link === "" ? null : engine.readLink(link, engine.baseUrl);
    if (target === null || title === "") return [];
    const undated = tidy(rawSnippet, MAX_SERP_SNIPPET_CHARS);
    const snippet = date === "" || undated.startsWith(date) ? undated : `${date} — ${undated}`;
    const extra = {
      source,
      ...(channel && { channel }),
      ...(duration && { duration }),
      ...(thumbnail && { thumbnail }),
    };
    return [
      {
        title,
        ...target,
        ...toSnippet(snippet),
        ...(date !== "" && { date }),
        ...((source || thumbnail) && { extra }),
      },
    ];
  });
  // If no result can be converted, the API has changed. An empty list would mean that nothing was found, so this case
  // is an error.
  if (results.length > 0 && organic.length === 0) throw toFormFailure();
  return distinct(organic);
}
