import { type ChildNode, type Element, isText } from "domhandler";
import { attribute, isElement } from "../parse/dom";

/** Formulas that people write nest a few levels. */
const MAX_DEPTH = 50;

/** Signs whose names TeX readers expect: a letter before "_" and "^" also keeps markdown from taking them for emphasis. */
const NAMES = new Map([
  ["∑", "\\sum "],
  ["∏", "\\prod "],
  ["∫", "\\int "],
  ["∂", "\\partial "],
  ["∞", "\\infty "],
  ["∇", "\\nabla "],
  ["×", "\\times "],
  ["⋅", "\\cdot "],
  ["±", "\\pm "],
  ["≤", "\\le "],
  ["≥", "\\ge "],
  ["≠", "\\ne "],
  ["→", "\\to "],
  ["∈", "\\in "],
  ["…", "\\dots "],
  ["−", "-"],
  ["%", "\\%"],
  ["#", "\\#"],
  ["&", "\\&"],
]);
/** Above their base, these are accents. */
const ACCENTS = new Map([
  ["\\to ", "\\vec"],
  ["˙", "\\dot"],
  ["¯", "\\overline"],
  ["^", "\\hat"],
  ["~", "\\tilde"],
]);

type Write = (parts: string[], element: Element) => string;

const WRITES = new Map<string, Write>([
  ["mfrac", ([top = "", bottom = ""]) => `\\frac{${top}}{${bottom}}`],
  ["msqrt", (parts) => `\\sqrt{${parts.join("")}}`],
  ["mroot", ([base = "", degree = ""]) => `\\sqrt[${degree}]{${base}}`],
  ["msup", ([base = "", above = ""]) => `${group(base)}^{${above}}`],
  ["msub", ([base = "", below = ""]) => `${group(base)}_{${below}}`],
  ["msubsup", ([base = "", below = "", above = ""]) => `${group(base)}_{${below}}^{${above}}`],
  ["munder", ([base = "", below = ""]) => `${group(base)}_{${below}}`],
  ["mover", ([base = "", above = ""]) => over(base, above)],
  ["munderover", ([base = "", below = "", above = ""]) => `${group(base)}_{${below}}^{${above}}`],
  ["mtable", (rows) => `\\begin{matrix}${rows.join(" \\\\ ")}\\end{matrix}`],
  ["mtr", (cells) => cells.join(" & ")],
  ["mtext", (parts) => `\\text{${parts.join("")}}`],
  ["mspace", () => " "],
  ["mfenced", (parts, element) => fence(parts, element)],
  ["annotation", () => ""],
  ["annotation-xml", () => ""],
]);

/** A formula in presentation MathML as TeX: what has no counterpart is written as its signs, one after the other. */
export function texOf(math: Element): string {
  return write(math, 0).replace(/\s+/g, " ").trim();
}

function write(node: ChildNode, depth: number): string {
  if (isText(node)) return NAMES.get(node.data.trim()) ?? node.data.trim();
  if (!isElement(node) || depth > MAX_DEPTH) return "";
  const parts = node.children.map((child) => write(child, depth + 1)).filter((part) => part !== "");
  const writeElement = WRITES.get(node.name);
  return writeElement ? writeElement(parts, node) : parts.join(isRow(node) ? " " : "");
}

function isRow({ name }: Element): boolean {
  return name === "mrow" || name === "math" || name === "mstyle" || name === "semantics";
}

function group(base: string): string {
  const name = base.trimEnd();
  return name.length > 1 && !/^\\\w+$/.test(name) ? `{${name}}` : name;
}

function over(base: string, above: string): string {
  const accent = ACCENTS.get(above);
  return accent ? `${accent}{${base}}` : `${group(base)}^{${above}}`;
}

function fence(parts: string[], element: Element): string {
  return `${attribute(element, "open") || "("}${parts.join(", ")}${attribute(element, "close") || ")"}`;
}
