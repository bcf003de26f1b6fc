import type { SerpRequest } from "../../contract/serp";
import type { SearchLocale } from "../places/locale";

export type Device = SerpRequest["device"];

/** A search whose place and language are resolved. */
export interface SearchQuery extends SearchLocale {
  text: string;
  device: Device;
}

export interface OrganicResult {
  title: string;
  /** The target's own http or https URL, without the engine's wrapping. */
  url: string;
  /** The snippet as the page shows it, or "". */
  snippet: string;
  /** The snippet without its leading date. */
  description: string;
  /** `url` is still the engine's redirect. Only a request to it reveals the target. */
  unresolved?: true;
}

/**
 * `blocked`: a block page, such as a captcha or a refusal. `consent`: the cookie question instead of the page. `unknown`:
 * neither results nor a notice that there are none. An unknown page never counts as an empty result.
 */
export type ResultPageKind = "results" | "no_results" | "blocked" | "consent" | "unknown";

export type EmptyPageKind = Exclude<ResultPageKind, "results">;

export interface ResultPage {
  kind: ResultPageKind;
  /** Each result once, in the page's order. Empty unless `kind` is `results`. */
  organic: OrganicResult[];
  /** The number of results that the engine reports, or null. */
  total: number | null;
  /** The URL of the next page that this page links, or null. */
  next: string | null;
  /** The engine searched for another spelling. */
  isCorrected?: true;
}

/** Returns a page without results. */
export function emptyPage(kind: EmptyPageKind, total: number | null = null): ResultPage {
  return { kind, organic: [], total, next: null };
}
