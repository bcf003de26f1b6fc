import { z } from "zod";
import type { EngineName } from "../../model/engine";
import { MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/limits";
import { ENGINES } from "../engines/engines";
import { distinct } from "../results/listing";
import type { OrganicResult } from "../results/result-page";
import { removeDate, tidy } from "../results/texts";
import { toFormFailure } from "./request";

/** A result as an API returns it. */
export interface ApiResult {
  title: string;
  link: string;
  snippet: string;
  /** The date before the snippet on the engine's page. Empty if there is none, or if the snippet includes it. */
  date: string;
}

/** Accepts any value and replaces one that is not a string by "". */
export const ApiText = z.string().catch("");

/** The results of Serper and SerpApi. Not every result has every member, for example a snippet. */
export const ApiResults = z.array(
  z
    .object({ title: ApiText, link: ApiText, snippet: ApiText, date: ApiText })
    .catch({ title: "", link: "", snippet: "", date: "" }) satisfies z.ZodType<ApiResult>,
);

/** Parses an answer. Throws SearchFailure if it doesn't have the documented form. */
export function parseApiAnswer<T>(schema: z.ZodType<T>, answer: string): T {
  const parsed = schema.safeParse(fromJson(answer));
  if (!parsed.success) throw toFormFailure();
  return parsed.data;
}

function fromJson(answer: string): unknown {
  try {
    return JSON.parse(answer);
  } catch {
    throw toFormFailure();
  }
}

/**
 * Converts an API's results to the form that the engine's readers return: links unwrapped, without repeats and without
 * links back to the engine. Throws SearchFailure if none of the results can be read.
 */
export function toOrganicResults(name: EngineName, results: readonly ApiResult[]): OrganicResult[] {
  const engine = ENGINES[name];
  const organic = results.flatMap(({ title: rawTitle, link, snippet: rawSnippet, date }): OrganicResult[] => {
    const title = tidy(rawTitle, MAX_SERP_TITLE_CHARS);
    const target = link === "" ? null : engine.readLink(link, engine.baseUrl);
    if (target === null || title === "") return [];
    const undated = tidy(rawSnippet, MAX_SERP_SNIPPET_CHARS);
    const snippet = date === "" || undated.startsWith(date) ? undated : `${date} — ${undated}`;
    return [{ title, ...target, snippet, description: removeDate(snippet) }];
  });
  // If no result can be read, the API's form has changed. An empty list would claim that nothing was found.
  if (results.length > 0 && organic.length === 0) throw toFormFailure();
  return distinct(organic);
}
