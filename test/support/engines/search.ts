// A search text can contain a mark, which selects the behavior of the engine: `[[blocked]]`, `[[blocked-on-3
// some-id]]`, `[[off-topic-once some-id]]`. With `-on-3`, the behavior applies from the third page on. With `-once`, it
// applies only to the first request. The engine logs each request under the mark's id. Without an id, it uses the
// behavior as the id. Without a mark, it uses the search text.

export interface StubSearch {
  /** The search text, including the mark. */
  text: string;
  /** The page number, from 0. */
  page: number;
  /** The behavior that the mark selects. Empty if it doesn't apply to this page or request. */
  behavior: string;
  id: string;
  isMobile: boolean;
  /** True if a browser sent the request, false for a plain fetch. */
  isBrowser: boolean;
}

export interface StubResult {
  /** The position of the result, from 1. It continues across pages. */
  number: number;
  title: string;
  url: string;
  snippet: string;
  /** The date, or the empty string. Every third result has a date. */
  date: string;
}

export const RESULTS_PER_PAGE = 10;
const RESULTS = 100;
/** The number of results that the behavior `few` returns. */
const FEW_RESULTS = 23;

const MARK = /\[\[([a-z0-9-]+)(?: ([\w-]+))?\]\]/;

/** Returns the id that the engine uses to log the requests of a search. */
export function idOf(text: string): string {
  const [, behavior, id] = MARK.exec(text) ?? [];
  return id ?? behavior ?? text;
}

/** Returns the behavior that applies to this request. `times` is the number of earlier requests with the same id. */
export function behaviorOf(text: string, page: number, times: number): string {
  const [, marked = ""] = MARK.exec(text) ?? [];
  const [, named = "", from = "1", once] = /^(.*?)(?:-on-(\d+))?(-once)?$/.exec(marked) ?? [];
  return page + 1 < Number(from) || (once && times > 0) ? "" : named;
}

/** Returns the results of a page. Returns no results after the last page. */
export function resultsOf({ text, page, behavior }: StubSearch, size = RESULTS_PER_PAGE): StubResult[] {
  const count = countOf(behavior);
  const from = behavior === "repeat" ? 0 : page * size;
  // With the behavior `dropped`, the engine ignores the operator `site:`.
  const [, site] = behavior === "dropped" ? [] : (SITE.exec(text) ?? []);
  return Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, i) => {
    const number = from + i + 1;
    if (behavior === "off-topic") return offTopicResult(number);
    const found = result(text, number);
    const [, page] = PAGE.exec(text) ?? [];
    if (page !== undefined) return { ...found, url: `${page}${page.includes("?") ? "&" : "?"}result=${number}` };
    return site === undefined ? found : { ...found, url: `https://${site}/page/${number}` };
  });
}

/** The operator with which a test selects the pages of the results. */
const PAGE = /(?<!\S)page:(\S+)/;
export const SITE = /(?<!\S)site:(\S+)/;

/** Returns true if there is another page. */
export function hasNext({ page, behavior }: StubSearch, size = RESULTS_PER_PAGE): boolean {
  return (page + 1) * size < countOf(behavior);
}

function countOf(behavior: string): number {
  return behavior === "none" ? 0 : behavior === "few" ? FEW_RESULTS : RESULTS;
}

/** Returns one result of a search. */
export function result(text: string, number: number): StubResult {
  return {
    number,
    title: `${text}: result ${number}`,
    url: `https://site-${number}.example.com/page/${number}?a=1&b=2`,
    snippet: `What page ${number} has to say on ${text}, in a sentence that is long enough.`,
    date: number % 3 === 0 ? "Oct 31, 2025" : "",
  };
}

/** Returns a result that doesn't match the search. */
function offTopicResult(number: number): StubResult {
  return {
    number,
    title: `火锅的做法大全 ${number}`,
    url: `https://zh-${number}.example.cn/`,
    snippet: "四川火锅的家常做法，图文并茂。",
    date: "",
  };
}

/** Escapes text for HTML and XML. */
export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
