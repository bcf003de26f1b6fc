import type { Element } from "domhandler";
import { attribute, findElement, hasAttribute, isBlock, NEVER_TEXT, rawText } from "../parse/dom";
import { hasMark, type Mark, type MarkKind } from "./blocks";
import { codeText, isCodeBlock, languageOf } from "./code";
import { visitFigure } from "./figures";
import { formulaOf, isDrawnFormula } from "./formulas";
import { visitImage, visitNoscript } from "./images";
import { visitLink } from "./link";
import { visitItem, visitList } from "./lists";
import type { Reader, Visit } from "./reader";
import { visitTable } from "./tables";

/** Words without their position: ordinals and the signs of trade. */
const PLAIN_SCRIPT = /^\s*(?:st|nd|rd|th|[®©™℠]|tm|sm)?\s*$/i;

const VISITS = new Map<string, Visit>([
  ["br", (reader) => reader.break()],
  ["hr", visitRule],
  ["h1", visitHeading],
  ["h2", visitHeading],
  ["h3", visitHeading],
  ["h4", visitHeading],
  ["h5", visitHeading],
  ["h6", visitHeading],
  ["blockquote", visitQuote],
  ["pre", visitCode],
  ["listing", visitCode],
  ["xmp", visitCode],
  ["plaintext", visitCode],
  ["code", visitCode],
  ["kbd", visitInlineCode],
  ["samp", visitInlineCode],
  ["tt", visitInlineCode],
  ["strong", marking("strong")],
  ["b", marking("strong")],
  ["em", marking("emphasis")],
  ["i", marking("emphasis")],
  ["del", marking("strike")],
  ["s", marking("strike")],
  ["strike", marking("strike")],
  ["sup", visitScript],
  ["sub", visitScript],
  ["q", visitQuotation],
  ["rt", visitRubyText],
  ["rp", () => {}],
  ["a", visitLink],
  ["img", visitImage],
  ["noscript", visitNoscript],
  ["figure", visitFigure],
  ["input", visitInput],
  ["select", visitField],
  ["textarea", visitField],
  ["ul", visitList],
  ["ol", visitList],
  ["menu", visitList],
  ["dir", visitList],
  ["li", visitItem],
  ["dt", visitTerm],
  ["dd", visitDescription],
  ["table", visitTable],
  ["td", visitBlock],
  ["script", visitFormula],
  ["math", visitFormula],
  ["mjx-container", visitFormula],
]);

/** What each element means for the words inside of it. */
export function visitElement(reader: Reader, element: Element, marks: Mark | null): void {
  const visit = VISITS.get(element.name);
  if (reader.footnotes.isList(element)) return;
  if (visit) visit(reader, element, marks);
  else if (NEVER_TEXT.has(element.name) && !hasAttribute(element, "shadowrootmode")) return;
  else if (element.attribs.class && isDrawnFormula(element)) return;
  else if (element.attribs.class && visitFormula(reader, element, marks)) return;
  else if (isBlock(element)) visitBlock(reader, element, marks);
  else reader.readChildren(element, marks);
}

function visitBlock(reader: Reader, element: Element, marks: Mark | null): void {
  reader.boundary();
  reader.readChildren(element, marks);
  reader.boundary();
}

function visitRule(reader: Reader): void {
  reader.boundary();
  if (reader.holdsBlocks && !reader.isInList) reader.append({ type: "rule" });
}

/** A heading is one line, and strong as it is. */
function visitHeading(reader: Reader, element: Element, marks: Mark | null): void {
  if (!reader.holdsBlocks) {
    visitBlock(reader, element, marks);
    return;
  }
  reader.boundary();
  const content = reader.collectLine("none", () => reader.readChildren(element, marks));
  if (content.length > 0) reader.append({ type: "heading", depth: Number(element.name[1]), content });
}

function visitQuote(reader: Reader, element: Element, marks: Mark | null): void {
  if (!reader.holdsBlocks || reader.isNestedDeep) {
    visitBlock(reader, element, marks);
    return;
  }
  const children = reader.collect(() => reader.readChildren(element, marks));
  if (children.length > 0) reader.append({ type: "quote", children });
}

function visitCode(reader: Reader, element: Element, marks: Mark | null): void {
  if (reader.isCode || !isCodeBlock(element)) visitInlineCode(reader, element, marks);
  else if (reader.holdsBlocks) visitCodeBlock(reader, element);
  else visitCodeLines(reader, element, marks);
}

function visitCodeBlock(reader: Reader, element: Element): void {
  const value = codeText(element);
  reader.boundary();
  if (value) reader.append({ type: "code", language: languageOf(element), value });
}

/** Where no block can stand, each line is a piece of code. */
function visitCodeLines(reader: Reader, element: Element, marks: Mark | null): void {
  reader.boundary();
  for (const line of codeText(element).split("\n")) {
    if (line.trim()) reader.add({ type: "code", value: line, marks });
    reader.boundary();
  }
}

function visitInlineCode(reader: Reader, element: Element, marks: Mark | null): void {
  const outer = reader.isCode;
  reader.isCode = true;
  reader.readChildren(element, marks);
  reader.isCode = outer;
  if (!outer) reader.endCode();
}

/** Marks inside of the same, or of code, say nothing. */
function marking(kind: MarkKind): Visit {
  return (reader, element, marks) => {
    const isIdle =
      reader.isCode || hasMark(marks, kind) || isUndone(element) || (kind === "strong" && isHeadingLine(reader));
    reader.readChildren(element, isIdle ? marks : { kind, outer: marks });
  };
}

function isHeadingLine(reader: Reader): boolean {
  return reader.breaks === "none";
}

/** Google Docs wraps whole documents in `<b style="font-weight:normal">`. */
function isUndone(element: Element): boolean {
  return /font-(?:weight\s*:\s*(?:normal|400)|style\s*:\s*normal)/.test(attribute(element, "style"));
}

/** A raised link is a reference to a note: the link says enough. */
function visitScript(reader: Reader, element: Element, marks: Mark | null): void {
  const kind = element.name === "sup" ? "superscript" : "subscript";
  const isIdle = hasMark(marks, "link") || hasMark(marks, kind) || PLAIN_SCRIPT.test(rawText(element));
  if (isIdle || findElement(element, ({ name }) => name === "a")) reader.readChildren(element, marks);
  else marking(kind)(reader, element, marks);
}

function visitQuotation(reader: Reader, element: Element, marks: Mark | null): void {
  reader.text("“", marks);
  reader.readChildren(element, marks);
  reader.text("”", marks);
}

function visitRubyText(reader: Reader, element: Element, marks: Mark | null): void {
  if (rawText(element).trim() === "") return;
  reader.text("(", marks);
  reader.readChildren(element, marks);
  reader.text(")", marks);
}

function visitInput(reader: Reader, element: Element, marks: Mark | null): void {
  if (attribute(element, "type").toLowerCase() === "checkbox") reader.check(hasAttribute(element, "checked"));
  visitField(reader, element, marks);
}

/** In most trees they are empty: see `parsePage`. */
function visitField(reader: Reader, element: Element, marks: Mark | null): void {
  reader.text(" ", marks);
  reader.readChildren(element, marks);
}

function visitTerm(reader: Reader, element: Element, marks: Mark | null): void {
  if (!reader.holdsBlocks || reader.isInList) {
    visitBlock(reader, element, marks);
    return;
  }
  const children = reader.collect(() => reader.readChildren(element, marks));
  for (const block of children) reader.append(block.type === "paragraph" ? { ...block, type: "term" } : block);
}

function visitDescription(reader: Reader, element: Element, marks: Mark | null): void {
  if (!reader.holdsBlocks || reader.isInList || reader.isNestedDeep) {
    visitBlock(reader, element, marks);
    return;
  }
  const children = reader.collect(() => reader.readChildren(element, marks));
  if (children.length > 0) reader.append({ type: "description", children });
}

/** True when the element shows a formula. */
function visitFormula(reader: Reader, element: Element, marks: Mark | null): boolean {
  const formula = formulaOf(element);
  if (formula?.isBlock && reader.holdsBlocks) {
    reader.boundary();
    reader.append({ type: "math", value: formula.value });
  } else if (formula) reader.add({ type: "math", value: formula.value, marks });
  return formula !== null;
}
