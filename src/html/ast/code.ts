import { type ChildNode, type Element, isText } from "domhandler";
import {
  attribute,
  classesOf,
  elementsUnder,
  findElement,
  hasMoreText,
  isBlock,
  isElement,
  rawText,
} from "../parse/dom";

const LANGUAGE_CLASS = /(?:^|\s)(?:(?:language|lang)-([\w+#.-]+)|highlight-(?:source-|text-)?([\w+#]+))/i;
const BRUSH_CLASS = /(?:^|\s)brush:\s*([\w+#.-]+)/i;
/** highlight.js and pandoc write the language as a class next to their own class. */
const NEIGHBOR_CLASS = /(?:^|\s)(?:hljs|sourceCode)\s+([\w+#.-]+)|(?:^|\s)([\w+#.-]+)\s+hljs(?:\s|$)/;
const LANGUAGE_NAME = /^[\w+#.-]+$/;
const NO_LANGUAGE = new Set(["none", "plain", "plaintext", "text", "txt", "nohighlight", "auto", "default"]);
/** Classes of elements with line numbers. Prism also sets `line-numbers` on the code, which isn't a gutter. */
const GUTTERS = new Set(
  (
    "gutter linenos lineno line-number line-numbers line-numbers-rows linenumber linenumbers rouge-gutter " +
    "hljs-ln-numbers blob-num ln lnt code-line-number CodeMirror-linenumber"
  ).split(" "),
);
const PREFORMATTED = new Set(["pre", "listing", "xmp", "plaintext"]);
const NUMBERS_ALONE = /^\s*\d+(?:\s+\d+)*\s*$/;

/** Returns true for an element with visible line breaks: <pre> and the like, or <code> with several lines. */
export function isCodeBlock(element: Element): boolean {
  if (PREFORMATTED.has(element.name)) return true;
  return (
    element.name === "code" && findElement(element, (inner) => inner.name === "br" || isBlock(inner)) !== undefined
  );
}

/** Returns the code in a highlighter's table of line numbers and code. Returns null for other tables. */
export function listingIn(table: Element): { value: string; language: string } | null {
  const elements: Element[] = [];
  for (const element of elementsUnder(table)) {
    if (element.name === "table") return null;
    elements.push(element);
  }
  if (elements.some((element) => classesOf(element).includes("blob-code")))
    return { value: codeText(table), language: codeLanguage(table) };
  if (elements.filter(({ name }) => name === "tr").length !== 1) return null;
  const blocks = elements.filter((element) => element.name === "pre");
  if (blocks.length === 0) return null;
  const cells = elements.filter(({ name }) => name === "td");
  const code = blocks.filter((pre) => codeText(pre).trim() !== "");
  const listed = code.length === 2 && NUMBERS_ALONE.test(codeText(code[0] as Element)) ? code.slice(1) : code;
  const [pre] = listed;
  const hasGutter = listed.length < cells.length && elements.some(isGutter);
  if (!pre || listed.length !== 1 || (listed.length === code.length && !hasGutter)) return null;
  return { value: codeText(pre), language: codeLanguage(pre) };
}

/** Returns the code as a browser shows it. <br> and blocks break lines. Line numbers are left out. */
export function codeText(root: Element): string {
  let code = "";
  let isAtStart = true;
  const add = (text: string) => {
    if (text === "") return;
    code += text;
    isAtStart = text.endsWith("\n");
  };
  const endLine = () => {
    if (!isAtStart) add("\n");
  };
  const stack: (ChildNode | "end of line")[] = root.children.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node === "end of line") endLine();
    else if (isText(node)) add(node.data);
    else if (isElement(node) && node.name === "br") add("\n");
    else if (isElement(node) && !isGutter(node) && node.name !== "style" && node.name !== "script") {
      // The cells of a table row share a line.
      if (isBlock(node) && !/^(?:pre|td|th)$/.test(node.name)) {
        endLine();
        stack.push("end of line");
      }
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
    }
  }
  return code
    .replace(/\r\n?/g, "\n")
    .replace(/\u00a0/g, " ")
    .replace(/^(?:[ \t]*\n)+/, "")
    .trimEnd();
}

function isGutter(element: Element): boolean {
  if (element.name === "pre" || element.name === "code") return false;
  return classesOf(element).some((name) => GUTTERS.has(name));
}

/** Returns the language of a code block, or "". Reads the block, the <code> inside and the elements around it. */
export function codeLanguage(block: Element): string {
  const code = findElement(block, ({ name }) => name === "code");
  for (const element of [...(code ? [code] : []), block, ...wrappersOf(block)]) {
    const found = namedLanguage(element);
    if (found) return NO_LANGUAGE.has(found.toLowerCase()) ? "" : found;
  }
  return "";
}

/** Returns the elements with little more than this code. A class on a larger one may describe other content. */
function wrappersOf(block: Element): Element[] {
  const wrappers: Element[] = [];
  const maxChars = rawText(block).length + 100;
  for (let wrapper = block.parent; wrappers.length < 3 && isElement(wrapper); wrapper = wrapper.parent) {
    if (wrapper.name === "body" || hasMoreText(wrapper, maxChars)) break;
    wrappers.push(wrapper);
  }
  return wrappers;
}

function namedLanguage(element: Element): string | undefined {
  const classes = attribute(element, "class");
  const named = LANGUAGE_CLASS.exec(classes) ?? BRUSH_CLASS.exec(classes) ?? NEIGHBOR_CLASS.exec(classes);
  const data = attribute(element, "data-language") || attribute(element, "data-lang");
  return named?.[1] ?? named?.[2] ?? (LANGUAGE_NAME.test(data) ? data : undefined);
}
