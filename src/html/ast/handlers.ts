import type { Element, ParentNode } from "domhandler";
import {
  attribute,
  elementsUnder,
  findElement,
  hasAttribute,
  hasMoreText,
  isBlock,
  isElement,
  isHeading,
  MEDIA,
  NEVER_TEXT,
  rawText,
} from "../parse/dom";
import { absoluteUrl } from "../parse/urls";
import { attributeText, collapseAndTrim } from "../parse/white-space";
import { type Block, hasMark, type Inline, type ListItem, type Mark, type MarkKind } from "./blocks";
import { AstBuilder, type ElementHandler } from "./builder";
import { codeLanguage, codeText, isCodeBlock } from "./code";
import { Footnotes, removeMark } from "./footnotes";
import { formulaOf, isDrawnFormula } from "./formulas";
import { emojiOf, imageUrl } from "./image-url";
import { handleTable } from "./tables";

/** Superscripts that are written as plain text: ordinal suffixes and trademark symbols. */
const PLAIN_SCRIPT = /^\s*(?:(?:st|nd|rd|th|[®©™℠]|tm|sm)\s*)?$/i;

/** The handlers by the tags of their elements. */
const TAGS: readonly (readonly [tags: string, handle: ElementHandler])[] = [
  ["br", (builder) => builder.addBreak()],
  ["hr", handleRule],
  ["h1 h2 h3 h4 h5 h6", whereAllowed(handleHeading, () => true)],
  ["blockquote", whereAllowed(containing("quote"))],
  ["pre listing xmp plaintext code", handleCode],
  ["kbd samp tt", handleInlineCode],
  ["strong b", marking("strong")],
  ["em i", marking("emphasis")],
  ["del s strike", marking("strike")],
  ["sup sub", handleScript],
  ["q", between("“", "”")],
  ["rt", between("(", ")")],
  ["rp", () => {}],
  ["a", handleLink],
  ["button", handleButton],
  ["img", handleImage],
  ["noscript", handleNoscript],
  ["figure", handleFigure],
  ["input", handleInput],
  ["select textarea", handleField],
  ["ul ol menu dir", whereAllowed(handleList)],
  ["li", whereAllowed(handleItem)],
  ["dt", whereAllowed(handleTerm, (builder) => !builder.isInList)],
  ["dd", whereAllowed(containing("description"), (builder) => !builder.isInList && !builder.isNestedDeep)],
  ["table", handleTable],
  [`td ${[...MEDIA].join(" ")}`, handleBlock],
  ["script math mjx-container", handleFormula],
];
const HANDLERS = new Map(TAGS.flatMap(([tags, handle]) => tags.split(" ").map((tag) => [tag, handle] as const)));

/** A figure with one of these elements isn't only an image. Its caption then stays a paragraph. */
const NO_PICTURES = new Set(["table", "pre", "blockquote", "ul", "ol", "figure", ...MEDIA]);

/** The text of a permalink: a symbol, or a few words for screen readers. */
const PERMALINK = /^(?:[#¶§◆🔗⚓∞]\ufe0f?)*$/u;
const PERMALINK_WORDS = /^(?:(?:perma|permanent |direct |copy |heading |section )?link\b|copy\b|anchor\b)/i;
const PERMALINK_CLASS =
  /(?:^|[\s_-])(?:permalink|headerlink|header-?anchor|heading-?anchor|anchor|hash-?link)(?:$|[\s_-])/i;

const MAX_PERMALINK_CHARS = 200;

export interface BuildOptions {
  /** The URL that relative URLs are resolved against. */
  baseUrl: string;
  /**
   * "titles": a caption becomes the title of its image (default). "paragraphs": a caption becomes a paragraph after the
   * image.
   */
  captions?: "titles" | "paragraphs";
  /** Returns the whole page, which is searched for footnotes that the content lacks. */
  whole?: () => ParentNode;
}

/**
 * Adds an element to the builder. Uses the handler for its tag. Without a handler, the element becomes a block or
 * inline content.
 */
function handleElement(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const handle = HANDLERS.get(element.name);
  if (builder.footnotes.isSkipped(element)) return;
  const note = builder.footnotes.labelOf(element);
  if (note !== null) builder.addInline({ type: "footnote", value: note, marks: null });
  if (note !== null) return;
  if (handle) handle(builder, element, marks);
  else if (NEVER_TEXT.has(element.name) && !hasAttribute(element, "shadowrootmode")) return;
  else if (element.attribs.class && isDrawnFormula(element)) return;
  else if (element.attribs.class && handleFormula(builder, element, marks)) return;
  else if (isBlock(element)) handleBlock(builder, element, marks);
  else builder.addChildren(element, marks);
}

function handleBlock(builder: AstBuilder, element: Element, marks: Mark | null): void {
  builder.endBlock();
  builder.addChildren(element, marks);
  builder.endBlock();
}

/** Returns a handler for an element that becomes a block. Where blocks aren't allowed, its contents become lines. */
function whereAllowed(
  handle: ElementHandler,
  isAllowed: (builder: AstBuilder) => boolean = (builder) => !builder.isNestedDeep,
): ElementHandler {
  return (builder, element, marks) =>
    (builder.holdsBlocks && isAllowed(builder) ? handle : handleBlock)(builder, element, marks);
}

function handleRule(builder: AstBuilder): void {
  builder.endBlock();
  if (builder.holdsBlocks && !builder.isInList) builder.addBlock({ type: "rule" });
}

/** Adds a heading. Puts its content on one line and ignores <strong> and <b> in it. */
function handleHeading(builder: AstBuilder, element: Element, marks: Mark | null): void {
  builder.endBlock();
  const content = builder.collectInline("none", () => builder.addChildren(element, marks));
  if (content.length > 0) builder.addBlock({ type: "heading", depth: Number(element.name[1]), content });
}

/** Returns a handler for an element that becomes a block with other blocks. */
function containing(type: "quote" | "description"): ElementHandler {
  return (builder, element, marks) => {
    const children = builder.collectBlocks(() => builder.addChildren(element, marks));
    if (children.length > 0) builder.addBlock({ type, children });
  };
}

function handleCode(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (builder.isCode || !isCodeBlock(element)) handleInlineCode(builder, element, marks);
  else if (builder.holdsBlocks) handleCodeBlock(builder, element);
  else handleCodeLines(builder, element, marks);
}

function handleCodeBlock(builder: AstBuilder, element: Element): void {
  const value = codeText(element);
  builder.endBlock();
  if (value) builder.addBlock({ type: "code", language: codeLanguage(element), value });
}

/** Adds each line of code as inline code, because blocks aren't allowed at this position. */
function handleCodeLines(builder: AstBuilder, element: Element, marks: Mark | null): void {
  builder.endBlock();
  for (const line of codeText(element).split("\n")) {
    if (line.trim()) builder.addInline({ type: "code", value: line, marks });
    builder.endBlock();
  }
}

function handleInlineCode(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const outer = builder.isCode;
  builder.isCode = true;
  builder.addChildren(element, marks);
  builder.isCode = outer;
  if (!outer) builder.endCode();
}

/**
 * Returns a handler that adds a mark to the element's content. Adds no mark inside code or inside another mark of the
 * same kind.
 */
function marking(kind: MarkKind): ElementHandler {
  return (builder, element, marks) => {
    const hasNoEffect =
      builder.isCode || hasMark(marks, kind) || isReset(element) || (kind === "strong" && isHeadingLine(builder));
    builder.addChildren(element, hasNoEffect ? marks : { kind, outer: marks });
  };
}

function isHeadingLine(builder: AstBuilder): boolean {
  return builder.breaks === "none";
}

/**
 * Returns true if the style resets the element's formatting. Google Docs wraps documents in `<b
 * style="font-weight:normal">`.
 */
function isReset(element: Element): boolean {
  return /font-(?:weight\s*:\s*(?:normal|400)|style\s*:\s*normal)/.test(attribute(element, "style"));
}

/**
 * Adds a superscript or subscript. If it contains a link, it's a reference to a note and needs no mark. The brackets and
 * commas around references to footnotes are left out.
 */
function handleScript(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const kind = element.name === "sup" ? "superscript" : "subscript";
  const hasNoEffect = hasMark(marks, "link") || hasMark(marks, kind) || PLAIN_SCRIPT.test(rawText(element));
  const links = hasNoEffect ? [] : [...elementsUnder(element)].filter(({ name }) => name === "a");
  if (links.length > 0 && links.every((link) => builder.footnotes.labelOf(link) !== null))
    for (const link of links) handleElement(builder, link, marks);
  else if (hasNoEffect || links.length > 0) builder.addChildren(element, marks);
  else marking(kind)(builder, element, marks);
}

/** Returns a handler that adds text before and after the content of an element that has text. */
function between(before: string, after: string): ElementHandler {
  return (builder, element, marks) => {
    const hasText = rawText(element).trim() !== "";
    if (hasText) builder.addText(before, marks);
    builder.addChildren(element, marks);
    if (hasText) builder.addText(after, marks);
  };
}

function handleInput(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (attribute(element, "type").toLowerCase() === "checkbox") builder.markTask(hasAttribute(element, "checked"));
  handleField(builder, element, marks);
}

/** Adds the contents of a form field. Only trees from `parsePage` have form fields. */
function handleField(builder: AstBuilder, element: Element, marks: Mark | null): void {
  builder.addText(" ", marks);
  builder.addChildren(element, marks);
}

function handleTerm(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const children = builder.collectBlocks(() => builder.addChildren(element, marks));
  for (const block of children) builder.addBlock(block.type === "paragraph" ? { ...block, type: "term" } : block);
}

/** Adds the element's formula. Returns false if it has none. */
function handleFormula(builder: AstBuilder, element: Element, marks: Mark | null): boolean {
  const formula = formulaOf(element);
  if (formula?.isBlock && builder.holdsBlocks) {
    builder.endBlock();
    builder.addBlock({ type: "math", value: formula.value });
  } else if (formula) builder.addInline({ type: "math", value: formula.value, marks });
  return formula !== null;
}

function handleList(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const ordered = element.name === "ol";
  const items = builder.collectItems({ ordered, ...numbering(element) }, () => builder.addChildren(element, marks));
  const marker = ordered ? markerOf(element) : null;
  if (marker) for (const item of items) prependMarker(item, marker(item.number));
  if (items.length > 0) builder.addBlock({ type: "list", ordered: ordered && !marker, items });
}

/** Markdown has no letters and no Roman numerals as markers, so they become a part of the item's text. */
function prependMarker({ children }: ListItem, marker: string): void {
  const [first] = children;
  const text: Inline = { type: "text", value: `${marker}.`, space: false, marks: null };
  if (first?.type !== "paragraph") children.unshift({ type: "paragraph", content: [text] });
  else {
    for (const inline of first.content.slice(0, 1)) inline.space = true;
    first.content.unshift(text);
  }
}

const LIST_STYLE = /list-style(?:-type)?\s*:[^;]{0,60}?(upper|lower)-(alpha|latin|roman)/i;
const LIST_TYPES = new Map([
  ["a", toLetters],
  ["i", toRoman],
]);

/** Returns the function that writes the numbers of a list as letters or Roman numerals. Returns null for other lists. */
function markerOf(list: Element): ((number: number) => string) | null {
  const [, styledCase, style] = LIST_STYLE.exec(attribute(list, "style").toLowerCase()) ?? [];
  const type = style === undefined ? attribute(list, "type").trim() : style === "roman" ? "i" : "a";
  const write = LIST_TYPES.get(type.toLowerCase());
  if (!write) return null;
  const isUpper = style === undefined ? type !== type.toLowerCase() : styledCase === "upper";
  return (number) => (isUpper ? write(number).toUpperCase() : write(number));
}

function toLetters(number: number): string {
  return number < 1
    ? `${number}`
    : (number > 26 ? toLetters(Math.floor((number - 1) / 26)) : "") + String.fromCharCode(97 + ((number - 1) % 26));
}

const ROMAN = { m: 1000, cm: 900, d: 500, cd: 400, c: 100, xc: 90, l: 50, xl: 40, x: 10, ix: 9, v: 5, iv: 4, i: 1 };
/** Browsers write larger numbers as digits. */
const MAX_ROMAN = 3_999;

function toRoman(number: number): string {
  if (number < 1 || number > MAX_ROMAN) return `${number}`;
  let [rest, roman] = [number, ""];
  for (const [letters, value] of Object.entries(ROMAN)) for (; rest >= value; rest -= value) roman += letters;
  return roman;
}

function handleItem(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const value = Number.parseInt(attribute(element, "value"), 10);
  builder.addItem(value >= 0 ? value : null, () => builder.addChildren(element, marks));
}

function numbering(list: Element): { number: number; step: number } {
  const isReversed = hasAttribute(list, "reversed");
  const start = Number.parseInt(attribute(list, "start"), 10);
  const items = isReversed ? list.children.filter((child) => isElement(child) && child.name === "li").length : 0;
  return { number: start >= 0 ? start : isReversed ? items : 1, step: isReversed ? -1 : 1 };
}

/** Adds an image with its alternative text and title. An image of an emoji becomes its character or its name. */
function handleImage(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const emoji = emojiOf(element);
  if (emoji !== "") {
    builder.addText(emoji, marks);
    return;
  }
  const url = imageUrl(element, builder.base);
  const isRepeated = builder.lastImage?.url === url && isElement(element.prev) && element.prev.name === "noscript";
  if (!url || isRepeated || !builder.addresses.spend(url.length)) return;
  const alternative = attributeText(attribute(element, "alt"));
  const title = builder.caption ?? attributeText(attribute(element, "title"));
  builder.caption = null;
  const isNew = title !== "" && title !== alternative;
  builder.addInline({ type: "image", value: alternative, marks, url, ...(isNew && { title }) });
}

/**
 * Adds the image inside a <noscript>. In a browser, a script loads the same image. Other contents of <noscript> are
 * left out, because they are messages for readers without scripts.
 */
function handleNoscript(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const image = findElement(element, ({ name }) => name === "img");
  const url = image && imageUrl(image, builder.base);
  const last = builder.lastImage;
  if (image && url && last?.url === url) last.value = attributeText(attribute(image, "alt")) || last.value;
  else if (image && url) handleImage(builder, image, marks);
}

/**
 * Adds a figure. Its caption becomes the title of the image, because a paragraph would interrupt the text. In a list
 * item, such as an item of a gallery, the caption is the item's text, so it stays a paragraph.
 */
function handleFigure(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const caption = builder.isInItem || builder.captions === "paragraphs" ? null : pictureCaption(element, builder.base);
  builder.endBlock();
  if (caption) {
    const outer = builder.caption;
    builder.caption = collapseAndTrim(rawText(caption)) || null;
    builder.skip(caption, () => builder.addChildren(element, marks));
    builder.caption = outer;
  } else builder.addChildren(element, marks);
  builder.endBlock();
}

function pictureCaption(figure: Element, base: string): Element | null {
  let caption: Element | null = null;
  let hasPicture = false;
  for (const element of elementsUnder(figure, ({ name }) => name !== "figcaption" && name !== "figure")) {
    if (NO_PICTURES.has(element.name)) return null;
    if (element.name === "figcaption") caption ??= element;
    hasPicture ||= element.name === "img" && imageUrl(element, base) !== null;
  }
  return hasPicture ? caption : null;
}

/** Adds a link or a reference to a footnote. */
function handleLink(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (isPermalink(element, isHeadingLine(builder))) return;
  const mark = linkMark(builder, element, marks);
  if (mark) addLinked(builder, element, mark);
  else builder.addChildren(element, marks);
}

function linkMark(builder: AstBuilder, element: Element, marks: Mark | null): Mark | null {
  // The text of some headings is a link to the heading.
  if (!element.attribs.href || (isHeadingLine(builder) && element.attribs.href.startsWith("#"))) return null;
  if (builder.footnotes.isDangling(element) || hasMark(marks, "link") || builder.linked) return null;
  const url = absoluteUrl(element.attribs.href, builder.base);
  if (!url || !builder.addresses.spend(url.length)) return null;
  const title = titleOf(element);
  return { kind: "link", outer: marks, url, ...(title && { title }) };
}

function addLinked(builder: AstBuilder, element: Element, mark: Mark): void {
  const target = builder.holdsBlocks ? linkTarget(element) : null;
  if (!target) {
    builder.addChildren(element, mark);
    return;
  }
  builder.linked = { target, mark };
  builder.addChildren(element, mark.outer);
  builder.linked = null;
}

/** Returns the title of a link, or an empty string if the title repeats the link's text. */
function titleOf(link: Element): string {
  const title = attributeText(attribute(link, "title"));
  return title && title.toLowerCase() !== collapseAndTrim(rawText(link)).toLowerCase() ? title : "";
}

/**
 * Returns the block that becomes the text of a link around several blocks, as on a card. Returns the first heading, or
 * without a heading, the first block with text or an image. Returns null if the link contains no such block.
 */
function linkTarget(link: Element): Element | null {
  let first: Element | null = null;
  for (const element of elementsUnder(link)) {
    if (!isBlock(element) || !isInnermost(element)) continue;
    if (isHeading(element)) return element;
    first ??= element;
  }
  return first;
}

function isInnermost(block: Element): boolean {
  if (findElement(block, isBlock)) return false;
  return rawText(block).trim() !== "" || findElement(block, ({ name }) => name === "img") !== undefined;
}

/**
 * Returns true for a permalink: the "#" or "¶" in a heading or a signature that links to the place itself. It can also be
 * an image, or words such as "Link to this heading".
 */
function isPermalink(link: Element, isInHeading: boolean): boolean {
  if (hasMoreText(link, MAX_PERMALINK_CHARS)) return false;
  const text = collapseAndTrim(rawText(link));
  const isPlace = attribute(link, "href").includes("#");
  const isNamed = isInHeading || PERMALINK_CLASS.test(attribute(link, "class"));
  if (!PERMALINK.test(text)) return isPlace && isNamed && PERMALINK_WORDS.test(text) && !isOnlyText(link, text);
  if (isInHeading) return isPlace || !findElement(link, ({ name }) => name === "img");
  return isPlace && text !== "" && (isNamed || text !== "#");
}

/** Returns true if the parent of a link contains no other text. Then the text isn't that of a permalink. */
function isOnlyText({ parent }: Element, text: string): boolean {
  return isElement(parent) && collapseAndTrim(rawText(parent)) === text;
}

/** Adds a button. A button in a heading that copies its address isn't part of the heading. */
function handleButton(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const text = collapseAndTrim(rawText(element));
  const isCopy = isHeadingLine(builder) && PERMALINK_WORDS.test(text) && !isOnlyText(element, text);
  if (!isCopy) builder.addChildren(element, marks);
}

/** Converts the elements below `root` to blocks. Adds the footnotes at the end. Doesn't change the elements. */
export function buildBlocks(root: ParentNode, { baseUrl, captions = "titles", whole }: BuildOptions): Block[] {
  const footnotes = new Footnotes(root, whole);
  const builder = new AstBuilder({ base: baseUrl, footnotes, captions, handle: handleElement });
  const blocks = builder.collectBlocks(() => builder.addChildren(root, null));
  if (footnotes.notes.length > 0 && blocks.at(-1)?.type === "rule") blocks.pop();
  for (const { label, mark, content } of footnotes.notes) {
    const children = builder.collectBlocks(() => builder.addChildren(content, null));
    removeMark(children, mark);
    if (children.length > 0) blocks.push({ type: "footnote", label, children });
  }
  return blocks;
}
