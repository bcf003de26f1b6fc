import type { Element } from "domhandler";
import { attribute, findElement, hasAttribute, isBlock, isElement, NEVER_TEXT, rawText } from "../parse/dom";
import { hasMark, type Mark, type MarkKind } from "./blocks";
import type { AstBuilder, ElementHandler } from "./builder";
import { codeLanguage, codeText, isCodeBlock } from "./code";
import { formulaOf, isDrawnFormula } from "./formulas";
import { handleFigure, handleImage, handleNoscript } from "./images";
import { handleLink } from "./link";
import { handleTable } from "./tables";

/** Superscripts that are written as plain text: ordinal suffixes and trademark symbols. */
const PLAIN_SCRIPT = /^\s*(?:st|nd|rd|th|[®©™℠]|tm|sm)?\s*$/i;

const HANDLERS = new Map<string, ElementHandler>([
  ["br", (builder) => builder.addBreak()],
  ["hr", handleRule],
  ["h1", handleHeading],
  ["h2", handleHeading],
  ["h3", handleHeading],
  ["h4", handleHeading],
  ["h5", handleHeading],
  ["h6", handleHeading],
  ["blockquote", handleQuote],
  ["pre", handleCode],
  ["listing", handleCode],
  ["xmp", handleCode],
  ["plaintext", handleCode],
  ["code", handleCode],
  ["kbd", handleInlineCode],
  ["samp", handleInlineCode],
  ["tt", handleInlineCode],
  ["strong", marking("strong")],
  ["b", marking("strong")],
  ["em", marking("emphasis")],
  ["i", marking("emphasis")],
  ["del", marking("strike")],
  ["s", marking("strike")],
  ["strike", marking("strike")],
  ["sup", handleScript],
  ["sub", handleScript],
  ["q", handleQuotation],
  ["rt", handleRubyText],
  ["rp", () => {}],
  ["a", handleLink],
  ["img", handleImage],
  ["noscript", handleNoscript],
  ["figure", handleFigure],
  ["input", handleInput],
  ["select", handleField],
  ["textarea", handleField],
  ["ul", handleList],
  ["ol", handleList],
  ["menu", handleList],
  ["dir", handleList],
  ["li", handleItem],
  ["dt", handleTerm],
  ["dd", handleDescription],
  ["table", handleTable],
  ["td", handleBlock],
  ["script", handleFormula],
  ["math", handleFormula],
  ["mjx-container", handleFormula],
]);

/**
 * Adds an element to the builder. Uses the handler for its tag. Without a handler, the element becomes a block or
 * inline content.
 */
export function handleElement(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const handle = HANDLERS.get(element.name);
  if (builder.footnotes.isList(element)) return;
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

function handleRule(builder: AstBuilder): void {
  builder.endBlock();
  if (builder.holdsBlocks && !builder.isInList) builder.addBlock({ type: "rule" });
}

/** Adds a heading. Puts its content on one line and ignores <strong> and <b> in it. */
function handleHeading(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (!builder.holdsBlocks) {
    handleBlock(builder, element, marks);
    return;
  }
  builder.endBlock();
  const content = builder.collectInline("none", () => builder.addChildren(element, marks));
  if (content.length > 0) builder.addBlock({ type: "heading", depth: Number(element.name[1]), content });
}

function handleQuote(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (!builder.holdsBlocks || builder.isNestedDeep) {
    handleBlock(builder, element, marks);
    return;
  }
  const children = builder.collectBlocks(() => builder.addChildren(element, marks));
  if (children.length > 0) builder.addBlock({ type: "quote", children });
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

/** Adds a superscript or subscript. If it contains a link, it's a reference to a note and needs no mark. */
function handleScript(builder: AstBuilder, element: Element, marks: Mark | null): void {
  const kind = element.name === "sup" ? "superscript" : "subscript";
  const hasNoEffect = hasMark(marks, "link") || hasMark(marks, kind) || PLAIN_SCRIPT.test(rawText(element));
  if (hasNoEffect || findElement(element, ({ name }) => name === "a")) builder.addChildren(element, marks);
  else marking(kind)(builder, element, marks);
}

function handleQuotation(builder: AstBuilder, element: Element, marks: Mark | null): void {
  builder.addText("“", marks);
  builder.addChildren(element, marks);
  builder.addText("”", marks);
}

function handleRubyText(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (rawText(element).trim() === "") return;
  builder.addText("(", marks);
  builder.addChildren(element, marks);
  builder.addText(")", marks);
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
  if (!builder.holdsBlocks || builder.isInList) {
    handleBlock(builder, element, marks);
    return;
  }
  const children = builder.collectBlocks(() => builder.addChildren(element, marks));
  for (const block of children) builder.addBlock(block.type === "paragraph" ? { ...block, type: "term" } : block);
}

function handleDescription(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (!builder.holdsBlocks || builder.isInList || builder.isNestedDeep) {
    handleBlock(builder, element, marks);
    return;
  }
  const children = builder.collectBlocks(() => builder.addChildren(element, marks));
  if (children.length > 0) builder.addBlock({ type: "description", children });
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
  if (!builder.holdsBlocks || builder.isNestedDeep) {
    builder.endBlock();
    builder.addChildren(element, marks);
    builder.endBlock();
    return;
  }
  const ordered = element.name === "ol";
  const items = builder.collectItems({ ordered, ...numbering(element) }, () => builder.addChildren(element, marks));
  if (items.length > 0) builder.addBlock({ type: "list", ordered, items });
}

function handleItem(builder: AstBuilder, element: Element, marks: Mark | null): void {
  if (builder.holdsBlocks && !builder.isNestedDeep) {
    const value = Number.parseInt(attribute(element, "value"), 10);
    builder.addItem(value >= 0 ? value : null, () => builder.addChildren(element, marks));
    return;
  }
  builder.endBlock();
  builder.addChildren(element, marks);
  builder.endBlock();
}

function numbering(list: Element): { number: number; step: number } {
  const isReversed = hasAttribute(list, "reversed");
  const start = Number.parseInt(attribute(list, "start"), 10);
  const items = isReversed ? list.children.filter((child) => isElement(child) && child.name === "li").length : 0;
  return { number: start >= 0 ? start : isReversed ? items : 1, step: isReversed ? -1 : 1 };
}
