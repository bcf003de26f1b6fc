import { z } from "zod";
import { MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { type LinkRules, parseAddress, readTarget } from "./links";
import type { OrganicResult } from "./result-page";
import { tidy, toSnippet } from "./texts";

/** Accepts any value. Replaces a value that is not a string with "". */
export const DeclaredText = z.string().catch("");
const Fields = z.object({
  ...{ title: DeclaredText, link: DeclaredText, snippet: DeclaredText, date: DeclaredText },
  ...{ source: DeclaredText, channel: DeclaredText, duration: DeclaredText },
  ...{ thumbnail: DeclaredText, thumbnailUrl: DeclaredText },
});

/** The fields of a result that an API or a page declares. Any of them can be missing. `date` precedes the snippet. */
export const DeclaredResult = Fields.catch(() => Fields.parse({}));
export type DeclaredResult = z.infer<typeof Fields>;

/** Converts a result to the form of organic results. Returns null if its link is an ad or leads back to the engine. */
export function toDeclared(result: DeclaredResult, links: LinkRules, base: string): OrganicResult | null {
  const { link, date, source, channel, duration } = result;
  const target = link === "" ? null : readTarget(links, link, base);
  if (target === null) return null;
  const picture = result.thumbnail || result.thumbnailUrl;
  const thumbnail = picture === "" ? undefined : parseAddress(picture, base)?.href;
  const text = tidy(result.snippet, MAX_SERP_SNIPPET_CHARS);
  const snippet = date === "" || text.startsWith(date) ? text : `${date} — ${text}`;
  const extra = {
    source,
    ...(channel && { channel }),
    ...(duration && { duration }),
    ...(thumbnail && { thumbnail }),
  };
  return {
    title: tidy(result.title, MAX_SERP_TITLE_CHARS),
    ...target,
    ...toSnippet(snippet),
    ...(date !== "" && { date }),
    ...((source || duration || thumbnail) && { extra }),
  };
}
