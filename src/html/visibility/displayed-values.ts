import { type Document, type Element, Text } from "domhandler";
import { bodyOf } from "../parse/document";
import { elementsUnder, hasMoreText, rawText } from "../parse/dom";
import { append } from "../parse/tree";

/**
 * A <select> with more options than this is left out. Such lists contain countries or years, not the
 * variants of a product.
 */
const MAX_OPTIONS = 50;
const MAX_VALUE_CHARS = 200;
/** A label or date is only added to text of at most this length. */
const MAX_LABELED_CHARS = 40;
/** The maximum length of a label that is inserted. */
const MAX_LABEL_CHARS = 80;
/** The types of <input> that show their value as text. */
const FIELD = /^(?:text|number|search|tel|email|url|date|time|month|week|datetime-local|submit|button|reset)?$/i;
/** Matches machine-readable dates: https://html.spec.whatwg.org/#datetime-value */
const DATE = /^(?=.*\d)[\d\s.:+TWZ-]{1,40}$/;
const STARS = /[★☆⭐✩✭]/;
const RATING = /(?:^|[\s_-])(?:rating|stars?|score|reviews?|votes)/i;

/**
 * Inserts text into the tree for values that a page displays in another form. Examples are the value of a form field,
 * the date behind “2 hours ago”, and the number behind a rating in stars. Empties long lists of options.
 */
export function insertDisplayedValues(document: Document): void {
  for (const element of [...elementsUnder(bodyOf(document))]) {
    if (element.name === "input") insertInputValue(element);
    else if (element.name === "select") separateOptions(element);
    else if (element.name === "meter" || element.name === "progress") insertMeterValue(element);
    else if (element.name === "time") insertDate(element);
    // Browsers show a button as a box, so its text must not merge with the text after it.
    else if (element.name === "button") append(element, new Text(" "));
    else insertLabel(element);
  }
}

function insertInputValue(element: Element): void {
  const { type = "", value = "" } = element.attribs;
  if (FIELD.test(type) && value !== "" && value.length <= MAX_VALUE_CHARS) append(element, new Text(` ${value} `));
}

/**
 * Separates the options of a <select>. Keeps other contents, because a <select> without an end tag contains other
 * content of the page.
 */
function separateOptions(select: Element): void {
  const options = [...elementsUnder(select)].filter(({ name }) => name === "option");
  if (options.length > MAX_OPTIONS) {
    for (const option of options) option.children = [];
    return;
  }
  for (const option of options.slice(0, -1)) append(option, new Text(" / "));
  append(select, new Text(" "));
}

function insertMeterValue(element: Element): void {
  const { value = "", max = "" } = element.attribs;
  element.children = [];
  if (value === "" || value.length + max.length > MAX_LABEL_CHARS) return;
  // The AST builder leaves out a <meter>, so the element becomes a <span>.
  element.name = "span";
  append(element, new Text(max === "" ? ` ${value} ` : ` ${value} of ${max} `));
}

/** Inserts the full date after text such as “2 hours ago” or “5 March”, which lacks the year. */
function insertDate(element: Element): void {
  const { datetime = "" } = element.attribs;
  const text = shortText(element);
  if (text === null || text === datetime || !DATE.test(datetime) || text.includes(datetime.slice(0, 4))) return;
  append(element, new Text(toInsertion(text, datetime)));
}

function insertLabel(element: Element): void {
  const { attribs, name } = element;
  const { title = "", "aria-label": label = "" } = attribs;
  if ((title === "" && label === "") || name === "a" || name === "img") return;
  const precise = [label, title].find(isLabel);
  if (precise === undefined) return;
  const text = shortText(element);
  if (text === null || text.includes(precise)) return;
  const isRating = attribs.role?.toLowerCase() === "img" || RATING.test(attribs.class ?? "") || STARS.test(text);
  const isDrawn = !/[\p{L}\p{N}]/u.test(text);
  if (isDrawn ? isRating : isLabel(title) && !text.includes(title))
    append(element, new Text(toInsertion(text, isDrawn ? precise : title)));
}

/** Returns true for a short label with a digit. Labels without digits only repeat the text for screen readers. */
function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARS && /\d/.test(label);
}

function toInsertion(text: string, label: string): string {
  return text === "" ? ` ${label} ` : ` (${label}) `;
}

/** Returns the text of an element, or null if it's longer than `MAX_LABELED_CHARS`. */
function shortText(element: Element): string | null {
  return hasMoreText(element, MAX_LABELED_CHARS) ? null : rawText(element).trim();
}
