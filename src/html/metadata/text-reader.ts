import { type ChildNode, Element, type ParentNode, Text } from "domhandler";
import { isBlock, NEVER_TEXT } from "../parse/dom";

/** The maximum length of a text before its white space is collapsed. */
const MAX_TEXT_CHARS = 4_000;
/**
 * The maximum number of nodes to read for all texts of a page. Nodes in nested elements are read and counted several
 * times.
 */
const MAX_NODES = 500_000;

/** Reads the texts of elements without hidden nodes. Reads at most `MAX_NODES` nodes for all texts together. */
export class TextReader {
  readonly #hidden: ReadonlySet<ChildNode>;
  #nodes = 0;

  constructor(hidden: ReadonlySet<ChildNode>) {
    this.#hidden = hidden;
  }

  /** Returns the first `MAX_TEXT_CHARS` characters of the text. Blocks and line breaks become spaces. */
  read(root: ParentNode): string {
    let text = "";
    const stack: ChildNode[] = root.children.toReversed();
    for (let node = stack.pop(); node && text.length < MAX_TEXT_CHARS; node = stack.pop()) {
      if (this.#hidden.has(node) || ++this.#nodes > MAX_NODES) continue;
      if (node instanceof Text) text += node.data;
      else if (node instanceof Element && !NEVER_TEXT.has(node.name)) {
        if (node.name === "br" || isBlock(node)) text += " ";
        for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at] as ChildNode);
      }
    }
    return text;
  }
}
