import { z } from "zod";
import { parseJson } from "../../lib/json";
import type { EngineName } from "../../model/engine";
import { ENGINES } from "../engines/engines";
import { DeclaredResult, toDeclared } from "../results/declared";
import { distinct } from "../results/listing";
import type { OrganicResult } from "../results/result-page";
import { toFormFailure } from "./request";

/** The results of Serper and SerpApi. */
export const ApiResults = z.array(DeclaredResult);

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
export function toOrganicResults(name: EngineName, results: readonly DeclaredResult[]): OrganicResult[] {
  const { page, baseUrl } = ENGINES[name];
  const organic = results.flatMap((result) => toDeclared(result, page.links, baseUrl) ?? []);
  const titled = organic.filter(({ title }) => title !== "");
  // If no result can be converted, the API has changed. An empty list would mean that nothing was found, so this case
  // is an error.
  if (results.length > 0 && titled.length === 0) throw toFormFailure();
  return distinct(titled);
}
