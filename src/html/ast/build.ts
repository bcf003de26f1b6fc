import type { ParentNode } from "domhandler";
import type { Block } from "./blocks";
import { AstBuilder } from "./builder";
import { Footnotes } from "./footnotes";
import { handleElement } from "./handlers";

export interface BuildOptions {
  /** The URL that relative URLs are resolved against. */
  baseUrl: string;
  /**
   * "titles": a caption becomes the title of its image (default). "paragraphs": a caption becomes a paragraph after the
   * image.
   */
  captions?: "titles" | "paragraphs";
}

/** Converts the elements below `root` to blocks. Adds the footnotes at the end. Doesn't change the elements. */
export function buildBlocks(root: ParentNode, { baseUrl, captions = "titles" }: BuildOptions): Block[] {
  const footnotes = new Footnotes(root);
  const builder = new AstBuilder({ base: baseUrl, footnotes, captions, handle: handleElement });
  const blocks = builder.collectBlocks(() => builder.addChildren(root, null));
  for (const { label, content } of footnotes.notes) {
    const children = builder.collectBlocks(() => builder.addChildren(content, null));
    if (children.length > 0) blocks.push({ type: "footnote", label, children });
  }
  return blocks;
}
