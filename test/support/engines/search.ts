// What a search for a text with a mark finds: `[[wall]]`, `[[wall-on-3 some-id]]`, `[[poor-once some-id]]`. `-on-3`: from
// the third page on. `-once`: the first time alone. Without an id the behaviour is the id, and without a mark the text.

export interface Search {
  /** As it was asked, the mark included. */
  text: string;
  /** From 0. */
  page: number;
  /** The mark's behaviour where it applies; else empty. */
  behaviour: string;
  id: string;
  isMobile: boolean;
  /** Asked by a browser, not by a plain fetch. */
  isBrowser: boolean;
}

export interface Result {
  /** From 1, through all pages. */
  number: number;
  title: string;
  url: string;
  snippet: string;
  /** Every third result has one. */
  date: string;
}

export const RESULTS_A_PAGE = 10;
const RESULTS = 100;
/** Of `few`. */
const FEW_RESULTS = 23;

const MARK = /\[\[([a-z0-9-]+)(?: ([\w-]+))?\]\]/;

export function idOf(text: string): string {
  const [, behaviour, id] = MARK.exec(text) ?? [];
  return id ?? behaviour ?? text;
}

/** `times`: how often this search has been asked before. */
export function behaviourOf(text: string, page: number, times: number): string {
  const [, marked = ""] = MARK.exec(text) ?? [];
  const [, named = "", from = "1", once] = /^(.*?)(?:-on-(\d+))?(-once)?$/.exec(marked) ?? [];
  return page + 1 < Number(from) || (once && times > 0) ? "" : named;
}

/** None behind the last page. */
export function resultsOf({ text, page, behaviour }: Search, size = RESULTS_A_PAGE): Result[] {
  const count = countOf(behaviour);
  const from = behaviour === "repeat" ? 0 : page * size;
  return Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, i) =>
    behaviour === "poor" ? poorResult(from + i + 1) : result(text, from + i + 1),
  );
}

export function hasNext({ page, behaviour }: Search, size = RESULTS_A_PAGE): boolean {
  return (page + 1) * size < countOf(behaviour);
}

function countOf(behaviour: string): number {
  return behaviour === "none" ? 0 : behaviour === "few" ? FEW_RESULTS : RESULTS;
}

export function result(text: string, number: number): Result {
  return {
    number,
    title: `${text}: result ${number}`,
    url: `https://site-${number}.example.com/page/${number}?a=1&b=2`,
    snippet: `What page ${number} has to say on ${text}, in a sentence that is long enough.`,
    date: number % 3 === 0 ? "Oct 31, 2025" : "",
  };
}

/** Of nothing that was asked for. */
function poorResult(number: number): Result {
  return {
    number,
    title: `火锅的做法大全 ${number}`,
    url: `https://zh-${number}.example.cn/`,
    snippet: "四川火锅的家常做法，图文并茂。",
    date: "",
  };
}

export function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
