import { type ChildNode, type Element, isText } from "domhandler";
import { attribute, isBlock, isElement, isHeading, NEVER_TEXT } from "../../html/parse/dom";
import { MAX_SERP_SNIPPET_CHARS, MAX_SERP_TITLE_CHARS } from "../../model/search-limits";
import { closest, findFirst } from "./dom";
import { isButton, isHeadingOf, isHiddenByAttribute, isLink, type Matcher } from "./matchers";
import { tidy } from "./texts";

/** Returns the visible text, cut to `maxChars`, with spaces between blocks and without elements that `skip` matches. */
export function textOf(root: Element, maxChars: number, skip: Matcher = () => false): string {
  let text = "";
  const stack: (ChildNode | " ")[] = root.children.toReversed();
  // The raw text can be longer than `maxChars`, because `tidy` collapses its white space.
  const enough = maxChars * 4;
  for (let node = stack.pop(); node !== undefined && text.length < enough; node = stack.pop()) {
    if (node === " ") text += " ";
    else if (isText(node)) text += node.data.slice(0, enough);
    else if (isElement(node) && !NEVER_TEXT.has(node.name) && !skip(node)) {
      const isApart = isBlock(node) || node.name === "br";
      if (isApart) stack.push(" ");
      for (const child of node.children.toReversed()) stack.push(child);
      if (isApart) text += " ";
    }
  }
  return tidy(text, maxChars);
}

export function titleOf(element: Element): string {
  return textOf(element, MAX_SERP_TITLE_CHARS);
}

const MAX_LEAF_CHARS = 80;

/** Returns the text of an element that contains nothing else, if it is short. */
export function leafText({ children: [text, other] }: Element): string {
  return text && !other && isText(text) && text.data.length <= MAX_LEAF_CHARS ? text.data.trim() : "";
}

/** Returns the first text of `matchers` that isn't empty. Skips links such as "Read more" if there is other text. */
export function firstText(root: Element, matchers: readonly Matcher[], maxChars: number, skip: Matcher): string {
  for (const isSkipped of [(at: Element) => at.name === "a" || skip(at), skip])
    for (const matches of matchers) {
      const element = findFirst(root, matches);
      const text = element ? textOf(element, maxChars, isSkipped) : "";
      if (text !== "") return text;
    }
  return "";
}

/** A sentence of at least this many characters in a heading outside of links is a quote from a page. */
const MIN_QUOTE_CHARS = 60;
const SENTENCE_END = /[.…!?。！？][”"')»\s]*$/;

/** Returns true for the text of a featured snippet: a quote from a page, with the role of a heading. */
export function isQuote(element: Element): boolean {
  if (attribute(element, "data-attrid") === "wa:/description") return true;
  if (!isHeadingOf(element, "3") || closest(element, (at) => isLink(at) || isButton(at))) return false;
  const text = textOf(element, MAX_SERP_SNIPPET_CHARS);
  return !findFirst(element, isLink) && text.length >= MIN_QUOTE_CHARS && SENTENCE_END.test(text);
}

/** A snippet has at least this many characters. Shorter lines are site names, prices or numbers of views. */
const MIN_PROSE_CHARS = 25;
/** The number of lines of a block that are read. */
const MAX_LINES = 24;

/**
 * Finds the snippet without relying on class names: the longest line after the link. Ignores links, headings, buttons
 * and addresses. Returns "" if all lines are too short.
 */
export function proseAfter(link: Element, block: Element): string {
  const lines = linesOf(block, { maxChars: MAX_SERP_SNIPPET_CHARS, after: link, skip: isNotProse });
  const longest = longestOf(lines);
  return longest.length >= MIN_PROSE_CHARS ? longest : "";
}

/** Returns the longest text, or "". */
export function longestOf(texts: readonly string[]): string {
  return texts.reduce((a, b) => (b.length > a.length ? b : a), "");
}

interface LineOptions {
  maxChars: number;
  after?: Element;
  skip: Matcher;
  isApart?: Matcher;
  maxLines?: number;
}

/**
 * Returns the lines of a block, or only those after the link `after`. `isApart` matches the elements that begin a new
 * line. Skips the elements that `skip` matches.
 */
export function linesOf(
  block: Element,
  { maxChars, after, skip, isApart = isBlock, maxLines = MAX_LINES }: LineOptions,
): string[] {
  const lines: string[] = [];
  let [line, isAfter] = ["", after === undefined];
  const end = () => {
    const text = tidy(line, maxChars);
    if (text !== "") lines.push(text);
    line = "";
  };
  const stack: (ChildNode | null)[] = [block];
  for (let node = stack.pop(); node !== undefined && lines.length < maxLines; node = stack.pop()) {
    if (node === null) end();
    else if (node === after) isAfter = true;
    else if (isText(node)) line += isAfter && line.length < maxChars * 2 ? node.data : "";
    else if (isElement(node) && !NEVER_TEXT.has(node.name) && !(isAfter && node !== block && skip(node))) {
      if (isApart(node)) {
        end();
        stack.push(null);
      } else if (node.name === "br") line += " ";
      for (const child of node.children.toReversed()) stack.push(child);
    }
  }
  end();
  return lines;
}

function isNotProse(element: Element): boolean {
  const role = attribute(element, "role");
  return (
    element.name === "a" || element.name === "cite" || isHeading(element) || isButton(element) || role === "heading"
  );
}

/** Returns the first value of an attribute in a block that isn't empty. */
export function attributeIn(block: Element, name: string): string {
  const hasValue: Matcher = (at) => attribute(at, name).trim() !== "";
  const element = hasValue(block) ? block : findFirst(block, hasValue);
  return element ? tidy(attribute(element, name), MAX_SERP_TITLE_CHARS) : "";
}

const FORMATTING: ReadonlySet<string> = new Set("b strong em i u mark font sub sup br".split(" "));
const SEPARATORS = /^[·•|∙-]\s*|(?<!\s)\s*[·•|∙-]$/gu;

/** Returns the pieces of text that are in separate elements, such as "YouTube" and "3 days ago". */
export function piecesOf(block: Element, skip: Matcher = isHiddenByAttribute): string[] {
  const isApart: Matcher = ({ name }) => !FORMATTING.has(name);
  const pieces = linesOf(block, { maxChars: MAX_SERP_SNIPPET_CHARS, skip, isApart });
  return pieces.map((piece) => piece.replace(SEPARATORS, "")).filter((piece) => piece !== "");
}

const MAX_SHOWN_LINES = 200;

/** Returns the lines that an element shows. */
export function shownLines(element: Element, skip: Matcher = () => false): string[] {
  const isSkipped: Matcher = (at) => isHiddenByAttribute(at) || skip(at);
  return linesOf(element, { maxChars: MAX_SERP_SNIPPET_CHARS, skip: isSkipped, maxLines: MAX_SHOWN_LINES });
}
