import type { DomElement, DomNode } from "./dom";
import { elementsUnder, hasBlock, isBlock, isElement, isText, plainTextOf, rename, replace, unwrap } from "./dom";

/** Where the language of a prepared code block stands. */
export const LANGUAGE = "data-language";

const LANGUAGE_CLASS = /(?:^|\s)(?:(?:language|lang)-([\w+#.-]+)|highlight-(?:source-|text-)?([\w+#]+))/i;
const BRUSH_CLASS = /(?:^|\s)brush:\s*([\w+#.-]+)/i;
/** highlight.js and pandoc name the language in the class beside theirs. */
const NEIGHBOUR_CLASS = /(?:^|\s)(?:hljs|sourceCode)\s+([\w+#.-]+)|(?:^|\s)([\w+#.-]+)\s+hljs(?:\s|$)/;
const NO_LANGUAGE = new Set(["none", "plain", "plaintext", "nohighlight", "auto", "default"]);
const GUTTER =
  ".gutter, .linenos, .lineno, .line-numbers, .line-numbers-rows, .rouge-gutter, .hljs-ln-numbers, .blob-num";

/** Every <pre> gets one text, exactly as shown, and its language; every inline code gets one text. */
export function prepareCode(root: DomElement): void {
  for (const element of elementsUnder(root)) {
    if (element.localName === "code" && !element.closest("pre") && isCodeBlock(element)) rename(element, "pre");
  }
  for (const table of Array.from(root.querySelectorAll("table"))) unwrapListing(table);
  for (const pre of Array.from(root.querySelectorAll("pre"))) preparePre(pre);
  for (const element of elementsUnder(root)) {
    if (/^(?:code|kbd|samp|tt)$/.test(element.localName)) prepareInlineCode(element);
  }
}

function isCodeBlock(code: DomElement): boolean {
  return Boolean(code.querySelector("br")) || hasBlock(code);
}

function preparePre(pre: DomElement): void {
  const language = languageOf(pre);
  for (const gutter of guttersIn(pre)) gutter.remove();
  const text = codeText(pre);
  pre.textContent = text;
  if (language) pre.setAttribute(LANGUAGE, language);
  if (text === "") pre.remove();
}

/** Some highlighters set a table: the line numbers in one cell, the code in the other. */
function unwrapListing(table: DomElement): void {
  const gutters = guttersIn(table);
  if (gutters.length === 0 || table.querySelectorAll("tr").length !== 1) return;
  for (const gutter of gutters) gutter.remove();
  const [pre, ...more] = Array.from(table.querySelectorAll("pre"));
  if (pre && more.length === 0) replace(table, pre);
}

/** Prism sets the same class on the code itself. */
function guttersIn(element: DomElement): DomElement[] {
  return Array.from(element.querySelectorAll(GUTTER)).filter(({ localName }) => !/^(?:pre|code)$/.test(localName));
}

function languageOf(pre: DomElement): string {
  const code = pre.querySelector("code");
  const candidates = [code, pre, ...wrappersOf(pre)];
  for (const element of candidates) {
    const found = element && languageOfElement(element);
    if (found) return NO_LANGUAGE.has(found.toLowerCase()) ? "" : found;
  }
  return "";
}

function languageOfElement(element: DomElement): string | undefined {
  const classes = element.getAttribute("class") ?? "";
  const named = LANGUAGE_CLASS.exec(classes) ?? BRUSH_CLASS.exec(classes) ?? NEIGHBOUR_CLASS.exec(classes);
  const data = element.getAttribute("data-language") ?? element.getAttribute("data-lang");
  return named?.[1] ?? named?.[2] ?? (data && /^[\w+#.-]+$/.test(data) ? data : undefined);
}

/** The elements that hold this block and hardly anything else. */
function wrappersOf(pre: DomElement): DomElement[] {
  const wrappers: DomElement[] = [];
  const room = pre.textContent.length + 100;
  for (let node = pre.parentNode; isElement(node) && wrappers.length < 3; node = node.parentNode) {
    if (node.localName === "body" || hasMoreText(node, room)) break;
    wrappers.push(node);
  }
  return wrappers;
}

/** Stops counting as soon as it knows: a parent may hold the whole page. */
function hasMoreText(element: DomElement, limit: number): boolean {
  let length = 0;
  const visit = (node: DomNode): boolean => {
    if (isText(node)) length += node.data.length;
    for (let child = node.firstChild; child; child = child.nextSibling) if (visit(child)) return true;
    return length > limit;
  };
  return visit(element);
}

/** The text as shown: <br> and blocks break lines, everything else is as it stands. */
function codeText(pre: DomElement): string {
  let text = "";
  const breakLine = () => {
    if (text !== "" && !text.endsWith("\n")) text += "\n";
  };
  const visit = (node: DomNode): void => {
    if (isText(node)) text += node.data;
    else if (isElement(node) && node.localName === "br") text += "\n";
    else if (isElement(node)) {
      const isLine = isBlock(node) && node.localName !== "pre";
      if (isLine) breakLine();
      for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
      if (isLine) breakLine();
    }
  };
  visit(pre);
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/\u00a0/g, " ")
    .replace(/^(?:[ \t]*\n)+/, "")
    .replace(/\s{200,}/g, cut)
    .trimEnd();
}

/** The markdown converter takes quadratic time over a run of white space. */
function cut(space: string): string {
  return space.slice(0, 200);
}

function prepareInlineCode(code: DomElement): void {
  if (code.closest("pre") || !code.parentNode) return;
  if (code.parentNode.closest("code")) {
    unwrap(code);
    return;
  }
  const inner = code.localName === "code" ? code : rename(code, "code");
  const link = inner.querySelector("a[href]");
  const text = plainTextOf(inner);
  if (link && plainTextOf(link) === text) wrapInLink(inner, link.getAttribute("href") ?? "");
  inner.textContent = text;
}

/** `<code><a>` becomes `<a><code>`: markdown has no links inside of code. */
function wrapInLink(code: DomElement, href: string): void {
  const link = code.ownerDocument.createElement("a");
  link.setAttribute("href", href);
  replace(code, link);
  link.appendChild(code);
}
