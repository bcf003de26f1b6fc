import type { ParentNode } from "domhandler";
import { type ReadOptions, readBlocks } from "../../src/html/ast/read";
import { writeMarkdown } from "../../src/html/markdown/blocks";
import { writeText } from "../../src/html/text/blocks";

export function toMarkdown(root: ParentNode, options: ReadOptions): string {
  return writeMarkdown(readBlocks(root, options));
}

export function toText(root: ParentNode, options: ReadOptions): string {
  return writeText(readBlocks(root, options));
}
