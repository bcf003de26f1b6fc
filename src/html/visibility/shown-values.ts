import { type Document, type Element, Text } from "domhandler";
import { bodyOf } from "../parse/document";
import { elementsUnder, hasMoreText, rawText } from "../parse/dom";
import { append } from "../parse/tree";

/** Of a select: more are countries or years, not what is offered. */
const MAX_OPTIONS = 50;
const MAX_VALUE_CHARS = 200;
/** Of a text that a label says more exactly, and of that label. */
const MAX_LABELLED_CHARS = 40;
const MAX_LABEL_CHARS = 80;
/** What shows its value as words. */
const FIELD = /^(?:text|number|search|tel|email|url|date|time|month|week|datetime-local|submit|button|reset)?$/i;
/** https://html.spec.whatwg.org/#datetime-value */
const DATE = /^(?=.*\d)[\d\s.:+TWZ-]{1,40}$/;
const STARS = /[★☆⭐✩✭]/;
const RATING = /(?:^|[\s_-])(?:rating|stars?|score|reviews?|votes)/i;

/**
 * Writes into the page's own tree, as text, what a page shows without one: values of fields, the date behind “2 hours ago”,
 * the figure behind stars and short numbers. Long lists to choose from are emptied.
 */
export function showValues(document: Document): void {
  for (const element of [...elementsUnder(bodyOf(document))]) {
    if (element.name === "input") showInput(element);
    else if (element.name === "select") showOptions(element);
    else if (element.name === "meter" || element.name === "progress") showMeter(element);
    else if (element.name === "time") showTime(element);
    // A box of its own, whether or not white space comes after it.
    else if (element.name === "button") append(element, new Text(" "));
    else showLabel(element);
  }
}

function showInput(element: Element): void {
  const { type = "", value = "" } = element.attribs;
  if (FIELD.test(type) && value !== "" && value.length <= MAX_VALUE_CHARS) append(element, new Text(` ${value} `));
}

/** What is left of one that is never closed, or holds other things, is as it is. */
function showOptions(select: Element): void {
  const options = [...elementsUnder(select)].filter(({ name }) => name === "option");
  if (options.length > MAX_OPTIONS) {
    for (const option of options) option.children = [];
    return;
  }
  for (const option of options.slice(0, -1)) append(option, new Text(" / "));
  append(select, new Text(" "));
}

function showMeter(element: Element): void {
  const { value = "", max = "" } = element.attribs;
  element.children = [];
  if (value === "" || value.length + max.length > MAX_LABEL_CHARS) return;
  // As a meter it would be a drawing.
  element.name = "span";
  append(element, new Text(max === "" ? ` ${value} ` : ` ${value} of ${max} `));
}

/** “2 hours ago” and “5 March” don't say which year's. */
function showTime(element: Element): void {
  const { datetime = "" } = element.attribs;
  const text = shortText(element);
  if (text === null || text === datetime || !DATE.test(datetime) || text.includes(datetime.slice(0, 4))) return;
  append(element, new Text(beside(text, datetime)));
}

function showLabel(element: Element): void {
  const { attribs, name } = element;
  const { title = "", "aria-label": label = "" } = attribs;
  if ((title === "" && label === "") || name === "a" || name === "img") return;
  const said = [label, title].find(isLabel);
  if (said === undefined) return;
  const text = shortText(element);
  if (text === null || text.includes(said)) return;
  const isRating = attribs.role?.toLowerCase() === "img" || RATING.test(attribs.class ?? "") || STARS.test(text);
  const isDrawn = !/[\p{L}\p{N}]/u.test(text);
  if (isDrawn ? isRating : isLabel(title) && !text.includes(title))
    append(element, new Text(beside(text, isDrawn ? said : title)));
}

/** Labels with figures alone: others are for readers who don't see the page. */
function isLabel(label: string): boolean {
  return label.length <= MAX_LABEL_CHARS && /\d/.test(label);
}

function beside(text: string, label: string): string {
  return text === "" ? ` ${label} ` : ` (${label}) `;
}

/** Null when it is long. */
function shortText(element: Element): string | null {
  return hasMoreText(element, MAX_LABELLED_CHARS) ? null : rawText(element).trim();
}
