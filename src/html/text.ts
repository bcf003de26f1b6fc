import type { ParentNode } from "domhandler";
import { type ReadOptions, readBlocks } from "./content/read";
import { writeText } from "./text/blocks";

/**
 * What stands below `root` as plain text: paragraphs apart, lists with dashes and numbers, tables as aligned rows, links
 * as their words. Doesn't change the tree.
 */
export function toText(root: ParentNode, options: ReadOptions): string {
  return writeText(readBlocks(root, options));
}
