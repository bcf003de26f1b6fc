import { type ChildNode, Element, Text } from "domhandler";
import { isBlock, NEVER_TEXT } from "../parse/dom";
import { collapse } from "../parse/white-space";

const MAX_TEXT_CHARS = 1_000_000;
/** Elements whose text is separate, such as superscript cents. */
const SEPARATED = new Set(["sup", "sub"]);

/** Returns the text below `root` without the `excluded` nodes. Blocks and the cells of tables are separate lines. */
export function readShownText(root: Element, excluded: ReadonlySet<ChildNode>): string {
  const lines: string[] = [];
  let line = "";
  let left = MAX_TEXT_CHARS;
  function endLine(): void {
    const text = collapse(line).trim();
    if (text !== "") lines.push(text);
    line = "";
  }
  function visit(element: Element): void {
    for (const child of element.children) {
      if (left <= 0) return;
      if (excluded.has(child)) continue;
      if (child instanceof Text) {
        line += child.data;
        left -= child.data.length;
      } else if (child instanceof Element && child.name === "br") endLine();
      else if (child instanceof Element && !NEVER_TEXT.has(child.name) && child.name !== "noscript") {
        const isLine = isBlock(child);
        if (isLine) endLine();
        else if (SEPARATED.has(child.name)) line += " ";
        visit(child);
        if (isLine) endLine();
      }
    }
  }
  visit(root);
  endLine();
  return lines.join("\n").slice(0, MAX_TEXT_CHARS);
}
