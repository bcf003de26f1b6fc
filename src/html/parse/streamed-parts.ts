import { type ChildNode, Comment, type Document, Element, type ParentNode } from "domhandler";
import { elementsAround, elementsUnder } from "./dom";
import { spendSteps } from "./original-tree";
import { detach, setChildren } from "./tree";

/**
 * A call with which a page moves a part that the server sent later. React sends such a part in a hidden element, such as
 * `<div hidden id="S:0">`, and a script that moves its contents. See `revealCompletedBoundaries` in
 * https://github.com/facebook/react/tree/main/packages/react-dom-bindings/src/server/fizz-instruction-set
 */
interface Move {
  /** The id of the hidden element. */
  part: string;
  /** The id of the <template> at the place of the part. */
  place: string;
  /** True if the part also replaces the nodes after the <template>, up to the end of its boundary. */
  hasFallback: boolean;
}

/**
 * The calls that move a part: `$RC("B:0","S:0")`, `$RR("B:0","S:0",[…])`, and `$RS("S:1","P:1")` for a part without a
 * fallback. A third string of `$RC` is an error, and then the page keeps the fallback. `$RX` reports an error, too.
 */
const CALL = /\$R(?:[CR]\("([^"\\]+)","([^"\\]+)"(?=\)|,\[)|S\("([^"\\]+)","([^"\\]+)"\))/g;
const STARTS = new Set(["$", "$?", "$!", "$~", "&"]);
const ENDS = new Set(["/$", "/&"]);
/** The maximum depth of a tree after a move. */
const MAX_DEPTH = 400;

/** The maximum length of a comment at the start or the end of a boundary. */
export const MAX_BOUNDARY_CHARS = 2;

/** Returns true for the comment before a fallback. The scripts that replace the fallback follow later in the page. */
export function isPending(comment: string): boolean {
  return comment === "$?";
}

/** Returns true for the comments at the start and the end of a boundary. */
export function isBoundary(comment: string): boolean {
  return STARTS.has(comment) || ENDS.has(comment);
}

/** Moves the parts of a streamed page as its scripts do. `scripts`: the texts of the scripts, in document order. */
export function placeParts(document: Document, scripts: readonly string[]): void {
  const moves = scripts.flatMap(readMoves);
  const ids = new Set(moves.flatMap(({ part, place }) => [part, place]));
  const elements = new Map<string, Element>();
  for (const element of elementsUnder(document)) {
    const { id } = element.attribs;
    if (id !== undefined && ids.has(id) && !elements.has(id)) elements.set(id, element);
  }
  for (const { part, place, hasFallback } of moves) {
    const content = elements.get(part);
    const template = elements.get(place);
    if (!content || !template?.parent) continue;
    const { nodes, height } = measure(content);
    spendSteps(document, nodes + template.parent.children.length + (content.parent?.children.length ?? 0));
    const ancestors = elementsAround(template.parent);
    if (ancestors.includes(content) || ancestors.length + 1 + height > MAX_DEPTH) continue;
    detach(content);
    replace(template, content.children, hasFallback);
    elements.delete(part);
  }
}

function readMoves(script: string): Move[] {
  return Array.from(script.matchAll(CALL), ([, boundary, content, segment = "", placeholder = ""]) =>
    boundary !== undefined && content !== undefined
      ? { part: content, place: boundary, hasFallback: true }
      : { part: segment, place: placeholder, hasFallback: false },
  );
}

function measure(root: ParentNode): { nodes: number; height: number } {
  let nodes = 1;
  let height = 0;
  for (const child of root.children) {
    const inner = child instanceof Element ? measure(child) : { nodes: 1, height: 0 };
    nodes += inner.nodes;
    height = Math.max(height, inner.height);
  }
  return { nodes, height: height + 1 };
}

/** Replaces a <template>, and the fallback after it, with the contents of a part. */
function replace(template: Element, contents: ChildNode[], hasFallback: boolean): void {
  const { parent } = template;
  if (!parent) return;
  const { children } = parent;
  const from = children.indexOf(template);
  const to = hasFallback ? endOfBoundary(children, from) : from + 1;
  for (const node of children.slice(from, to)) node.parent = null;
  setChildren(parent, [...children.slice(0, from), ...contents, ...children.slice(to)]);
}

/** Returns the index of the comment that ends the boundary around the node at `from`. */
function endOfBoundary(nodes: readonly ChildNode[], from: number): number {
  let depth = 0;
  for (let at = from; at < nodes.length; at++) {
    const node = nodes[at];
    if (!(node instanceof Comment)) continue;
    if (STARTS.has(node.data)) depth++;
    else if (ENDS.has(node.data) && --depth < 0) return at;
  }
  return nodes.length;
}
