import type { Element } from "domhandler";
import { getElementsByTagName, textContent } from "domutils";
import { parseDocument } from "htmlparser2";
import { SearchFailure, toFormFailure } from "./failure";
import type { Found } from "./found";

export interface YandexAnswer {
  results: Found[];
  /** Null when it isn't said. */
  total: number | null;
}

/** Of https://yandex.cloud/en/docs/search-api/reference/error-codes. */
const NOTHING_FOUND = "15";
const TOO_MANY_A_SECOND = "55";
/** An unknown cause, a suspected bot. */
const MAY_PASS: ReadonlySet<string> = new Set(["20", "100"]);

/**
 * The answer as https://yandex.cloud/en/docs/search-api/concepts/response describes it. Throws SearchFailure on an error
 * that it carries, and on what isn't such an answer, or not the whole of it.
 */
export function readYandexXml(xml: string, usualPauseMs: number): YandexAnswer {
  const document = parseDocument(xml, { xmlMode: true });
  const [response] = getElementsByTagName("response", document, true, 1);
  if (!response || !/<\/yandexsearch>\s*$/.test(xml)) throw toFormFailure();
  const [error] = getElementsByTagName("error", response.children, false, 1);
  if (error) return withoutResults(error.attribs.code ?? "", usualPauseMs);
  const results = getElementsByTagName("doc", response).map(toFound);
  if (results.length === 0) throw toFormFailure();
  return { results, total: readTotal(response) };
}

function withoutResults(code: string, usualPauseMs: number): YandexAnswer {
  if (code === NOTHING_FOUND) return { results: [], total: 0 };
  const isBusy = code === TOO_MANY_A_SECOND;
  throw new SearchFailure(`answered with error ${/^\d{1,3}$/.test(code) ? code : "without a code"}`, {
    retryable: isBusy || MAY_PASS.has(code),
    pauseMs: isBusy ? usualPauseMs : null,
  });
}

function toFound(doc: Element): Found {
  const passages = getElementsByTagName("passage", doc).map((passage) => textContent(passage).trim());
  return {
    title: textIn(doc, "title"),
    link: textIn(doc, "url"),
    // The parts of the page that answer the query; else what the page says about itself.
    snippet: passages.join(" ").trim() || textIn(doc, "headline"),
    date: "",
  };
}

/** The better estimate is that of the grouping. */
function readTotal(response: Element): number | null {
  const texts = ["found-docs", "found"].flatMap((name) =>
    getElementsByTagName(name, response)
      .filter(({ attribs }) => attribs.priority === "all")
      .map((element) => textContent(element).trim()),
  );
  const total = texts.find((text) => /^\d{1,13}$/.test(text));
  return total === undefined ? null : Number(total);
}

function textIn(element: Element, name: string): string {
  const [found] = getElementsByTagName(name, element, true, 1);
  return found ? textContent(found).trim() : "";
}
