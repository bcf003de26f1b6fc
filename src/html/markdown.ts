import type { ParentNode } from "domhandler";
import { type ReadOptions, readBlocks } from "./content/read";
import { writeBlocks } from "./markdown/blocks";

/** What stands below `root` as GitHub-flavoured markdown, with absolute addresses. Doesn't change the tree. */
export function toMarkdown(root: ParentNode, options: ReadOptions): string {
  return writeBlocks(readBlocks(root, options));
}
