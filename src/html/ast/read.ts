import type { ParentNode } from "domhandler";
import type { Block } from "./blocks";
import { Footnotes } from "./footnotes";
import { Reader } from "./reader";
import { visitElement } from "./visits";

export interface ReadOptions {
  /** The address that relative ones start from. */
  baseUrl: string;
  /** Where the words under a picture go: to the picture, as its title (the default), or into a paragraph after it. */
  captions?: "titles" | "paragraphs";
}

/** What the elements below `root` say, as blocks; their notes come last. Doesn't change the tree. */
export function readBlocks(root: ParentNode, { baseUrl, captions = "titles" }: ReadOptions): Block[] {
  const footnotes = new Footnotes(root);
  const reader = new Reader({ base: baseUrl, footnotes, captions, visit: visitElement });
  const blocks = reader.collect(() => reader.readChildren(root, null));
  for (const { label, content } of footnotes.notes) {
    const children = reader.collect(() => reader.readChildren(content, null));
    if (children.length > 0) blocks.push({ type: "footnote", label, children });
  }
  return blocks;
}
