import type { EngineName } from "../contract/serp";
import type { ResultPage } from "./engine";
import { GOOGLE } from "./hosts";

/** Where each engine answers a search; anything else, such as a wall's page or another site's, is no answer. */
const ANSWERS: Readonly<Record<EngineName, { host: RegExp; path: RegExp }>> = {
  google: { host: GOOGLE, path: /^\/search\/?$/ },
  bing: { host: /^(?:[a-z]+\.)?bing\.com$/, path: /^\/search\/?$/ },
  yandex: {
    host: /^(?:www\.)?(?:yandex\.[a-z]{2,3}(?:\.[a-z]{2})?|ya\.ru)$/,
    path: /^\/(?:search|search\/site|search\/touch|search\/pad|yandsearch|touchsearch)\/?$/,
  },
};
/** Google's page that goes on by itself: it repeats the query, as a notice of none does. */
const VERIFYING = /Verifying your request/;

/**
 * The page, unless where and how it came say that it can't be an answer, whatever it looks like: a wall may have links, and
 * an error a notice.
 */
export function trusted<Page extends ResultPage>(
  engine: EngineName,
  page: Page,
  { url, status, html }: { url: string; status: number; html: string },
): Page {
  if (page.kind !== "results" && page.kind !== "no_results") return page;
  const nothing = { organic: [], next: null };
  if (status >= 400) return { ...page, ...nothing, kind: status === 403 || status === 429 ? "blocked" : "unknown" };
  const { host, path } = ANSWERS[engine];
  const address = URL.parse(url);
  if (address === null || !host.test(address.hostname) || !path.test(address.pathname))
    return { ...page, ...nothing, kind: "blocked" };
  const isContradicted = page.kind === "no_results" && ((page.total ?? 0) > 0 || VERIFYING.test(html));
  return isContradicted ? { ...page, kind: "unknown" } : page;
}
