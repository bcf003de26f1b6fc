import { Element } from "domhandler";
import type { VisiblePage } from "../../../html/visible-page";
import { sha256Hex } from "../../../lib/crypto";

/** The elements that make up the outline of a page. */
const CONTAINERS = new Set(
  "div main article section aside header footer nav form table dl ul ol figure details dialog".split(" "),
);
/** Elements below this number of containers depend on the content more than on the template. */
const MAX_DEPTH = 5;
const MAX_PATHS = 2_000;

/**
 * Returns a hash of the outline of a page: the paths of its containers without their order, their classes and their
 * number. Pages of one template usually have the same shape.
 */
export async function pageShape(page: VisiblePage): Promise<string> {
  const paths = new Set<string>();
  visit(page.whole, "", 0, paths);
  return await sha256Hex([...paths].sort().join("\n"));
}

function visit(parent: Element, path: string, depth: number, paths: Set<string>): void {
  if (paths.size >= MAX_PATHS) return;
  for (const child of parent.children) {
    if (!(child instanceof Element)) continue;
    const isContainer = CONTAINERS.has(child.name);
    const own = isContainer ? `${path}>${child.name}` : path;
    if (isContainer) paths.add(own);
    if (!isContainer || depth + 1 < MAX_DEPTH) visit(child, own, isContainer ? depth + 1 : depth, paths);
  }
}
