import type { EngineName } from "../../contract/serp";
import { MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/limits";
import { tidy } from "../dom";
import type { Organic } from "../engine";
import { TARGET_OF } from "../links";
import { distinct } from "../page";
import { withoutDate } from "../snippet";
import { toFormFailure } from "./failure";

/** A result as an API gives it. */
export interface Found {
  title: string;
  link: string;
  snippet: string;
  /** The date that stands before the snippet on the engine's page; empty where there is none, or the snippet has it. */
  date: string;
}

const PAGES: Readonly<Record<EngineName, string>> = {
  google: "https://www.google.com/search",
  bing: "https://www.bing.com/search",
  yandex: "https://yandex.com/search/",
};

/** As the readers give them: links unwrapped, without what leads back to the engine, and without repeats. */
export function toOrganic(engine: EngineName, results: readonly Found[]): Organic[] {
  const organic = results.flatMap(({ title: said, link, snippet: text, date }): Organic[] => {
    const title = tidy(said, MAX_SERP_TITLE_CHARS);
    const target = link === "" ? null : TARGET_OF[engine](link, PAGES[engine]);
    if (target === null || title === "") return [];
    const undated = tidy(text, MAX_SERP_SNIPPET_CHARS);
    const snippet = date === "" || undated.startsWith(date) ? undated : `${date} — ${undated}`;
    return [{ title, ...target, snippet, description: withoutDate(snippet) }];
  });
  // Not one that can be read: the form has changed, and "none" would be a lie.
  if (results.length > 0 && organic.length === 0) throw toFormFailure();
  return distinct(organic);
}
