import { type ChildNode, Element, isText } from "domhandler";
import { lazy } from "../../lib/lazy";
import { isBlock, isHeading, NEVER_TEXT, rawText } from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";
import { authorIn, datesIn, onlyAuthorIn, type Segment } from "./byline";

/**
 * The segments near the headline end with the given number of segments, and before the given number of long texts and of
 * headings, because the text of the article or another article follows.
 */
const AFTER_HEADLINE = { count: 32, longTexts: 3, headings: 3 };
const BEFORE_HEADLINE = { count: 12, longTexts: 1, headings: 1 };
const LONG_TEXT_CHARS = 160;
const MAX_TEXT_CHARS = 400;
/** A heading with more words isn't a name. Headings of author boxes contain a name. */
const MAX_NAME_WORDS = 3;
const HIDDEN_STYLE = /display\s*:\s*none/i;
const TIME_ATTRIBUTES = ["datetime", "data-datetime", "data-timestamp", "data-utime", "ts"];
const ISO_DAY_CHARS = 10;

interface ShownFactsOptions {
  /** The page, or null if nothing may be read from its text. */
  body: Element | null;
  headline: Element | null;
  /** Returns the parts of the page about other subjects. */
  others: () => ReadonlySet<ChildNode>;
  language: string;
}

/** Finds the author and the dates that a page shows near its headline. Reads the page on the first call. */
export function findShownFacts({ body, headline, others, language }: ShownFactsOptions) {
  const segments = lazy(() => readSegments(body, headline, others()));
  return {
    /** Returns the names of the author, joined by commas, or an empty string. */
    author: () => authorIn(segments().after, language) || authorIn(segments().before, language),
    /** Returns the author anywhere on the page, for example in a box below the text. Empty if there are several. */
    markedAuthor: () => onlyAuthorIn(segments().all, language),
    /** Returns the times or days of the publication and of the last change, or empty strings. */
    dates: lazy(() => readDates(segments(), language)),
  };
}

function readDates({ all, after, before }: Segments, language: string): { published: string; modified: string } {
  let modified = "";
  for (const segments of [after, before, onlyTime(all)]) {
    const dates = datesIn(segments, language);
    modified ||= dates.modified;
    if (dates.published !== "") return { published: dates.published, modified };
  }
  return { published: "", modified };
}

/** Returns the segments of the page's <time> elements if all of them have the same day. */
function onlyTime(segments: readonly Segment[]): Segment[] {
  const times = segments.filter(({ time, element }) => time !== "" && element.name === "time");
  const days = new Set(times.map(({ time }) => time.slice(0, ISO_DAY_CHARS)));
  return days.size === 1 ? segments.filter(({ element }) => element === times[0]?.element) : [];
}

type Segments = ReturnType<typeof readSegments>;

/**
 * Reads the texts and times of a page without the `skipped` parts, in document order. `after` and `before` are those
 * near the headline.
 */
function readSegments(body: Element | null, headline: Element | null, skipped: ReadonlySet<ChildNode>) {
  const all: (Segment & { heading: Element | null })[] = [];
  let [line, start, end] = [0, 0, 0];
  function visit(element: Element, around: Element | null): void {
    if (NEVER_TEXT.has(element.name) || skipped.has(element) || isSkipped(element)) return;
    const heading = isLongHeading(element) ? element : around;
    const breaksLine = element.name === "br" || isBlock(element);
    if (breaksLine) line++;
    if (element === headline) start = all.length;
    const time = timeOf(element);
    if (time !== "") all.push({ text: "", time, element, line, heading });
    for (const child of element.children) {
      if (child instanceof Element) visit(child, heading);
      else if (isText(child)) {
        const text = collapseAndTrim(child.data.slice(0, MAX_TEXT_CHARS));
        if (text !== "") all.push({ text, time: "", element, line, heading });
      }
    }
    if (element === headline) end = all.length;
    if (breaksLine) line++;
  }
  if (body !== null) visit(body, null);
  function near(segments: typeof all, limits: typeof AFTER_HEADLINE): Segment[] {
    const found: Segment[] = [];
    const headings = new Set<Element>();
    let longTexts = 0;
    for (const segment of segments.slice(0, limits.count)) {
      if (segment.heading) headings.add(segment.heading);
      if (segment.text.length > LONG_TEXT_CHARS) longTexts++;
      if (headings.size >= limits.headings || longTexts >= limits.longTexts) break;
      found.push(segment);
    }
    return found;
  }
  // The words of the headline aren't a byline, but a time in it is the time of the page.
  const own = all.slice(start, end).filter(({ time }) => time !== "");
  return {
    all,
    after: headline ? [...own, ...near(all.slice(end), AFTER_HEADLINE)] : [],
    before: headline ? near(all.slice(0, start).reverse(), BEFORE_HEADLINE).reverse() : [],
  };
}

function isLongHeading(element: Element): boolean {
  return isHeading(element) && collapseAndTrim(rawText(element)).split(" ").length > MAX_NAME_WORDS;
}

function timeOf({ attribs }: Element): string {
  for (const name of TIME_ATTRIBUTES) if (attribs[name]) return attribs[name];
  return "";
}

function isSkipped({ name, attribs: { hidden, role, style } }: Element): boolean {
  return name === "nav" || role === "navigation" || hidden !== undefined || HIDDEN_STYLE.test(style ?? "");
}
