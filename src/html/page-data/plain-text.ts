import { type ChildNode, Element, Text } from "domhandler";
import { parseDocument } from "htmlparser2";
import { isBlock, NEVER_TEXT } from "../parse/dom";
import { collapseAndTrim } from "../parse/white-space";

/** The maximum length of a value. Longer values are cut. */
const MAX_VALUE_CHARS = 20_000;
const MARKUP = /&#?\w+;|<\/?[a-z]/i;
/** Matches the entities that are left if a page escaped a text twice. */
const ESCAPED_TWICE = /&(?:#\d+|#x[\da-f]+|[a-z]{2,8}\d{0,2});/i;

/**
 * Returns the text of a declared value. Removes HTML, which many pages insert although the value should be plain text.
 * Line breaks and blocks become lines without empty lines between them.
 */
export function toPlainText(value: string): string {
  let text = value.slice(0, MAX_VALUE_CHARS);
  if (MARKUP.test(text)) text = withoutMarkup(text);
  if (ESCAPED_TWICE.test(text)) text = withoutMarkup(text);
  if (!/[\r\n\u2028]/.test(text)) return collapseAndTrim(text);
  const lines = text.split(/[\r\n\u2028]+/).map(collapseAndTrim);
  return lines.filter((line) => line !== "").join("\n");
}

function withoutMarkup(value: string): string {
  let text = "";
  const stack: (ChildNode | string)[] = parseDocument(value).children.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (typeof node === "string") text += node;
    else if (node instanceof Text) text += node.data;
    else if (node instanceof Element && !NEVER_TEXT.has(node.name)) {
      if (node.name === "br" || isBlock(node)) {
        text += "\n";
        stack.push("\n");
      }
      for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
    }
  }
  return text;
}
