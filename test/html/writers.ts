import type { ParentNode } from "domhandler";
import { type BuildOptions, buildBlocks } from "../../src/html/ast/handlers";
import { writeMarkdown } from "../../src/html/markdown/markdown";
import { writeText } from "../../src/html/text/text";

export function toMarkdown(root: ParentNode, options: BuildOptions): string {
  return writeMarkdown(buildBlocks(root, options));
}

export function toText(root: ParentNode, options: BuildOptions): string {
  return writeText(buildBlocks(root, options));
}
