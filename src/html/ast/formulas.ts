import { type ChildNode, type Element, isText } from "domhandler";
import { attribute, classesOf, findElement, hasAttribute, isElement, ownText, rawText } from "../parse/dom";
import commands from "./tex-commands.json";

interface Formula {
  /** The formula in TeX. */
  value: string;
  /** True if the formula is a block, false if it's part of a line. */
  isBlock: boolean;
}

const FORMULA_CLASS = /katex|mwe-math-element|MathJax/;
const TEX_SCRIPT = /^math\/tex(?:;\s*mode=(display))?/i;

/** Returns the formula of MathML or of the markup of KaTeX, MathJax 2, MathJax 3 and Wikipedia, or null. */
export function formulaOf(element: Element): Formula | null {
  if (element.name === "script") return scriptFormula(element);
  if (element.name === "math") return mathFormula(element, element);
  if (element.name === "mjx-container") return wrapped(element, hasAttribute(element, "display"));
  if (!FORMULA_CLASS.test(attribute(element, "class"))) return null;
  const classes = classesOf(element);
  if (classes.includes("katex-display")) return wrapped(element, true);
  if (classes.some((name) => name.startsWith("MathJax"))) return wrapped(element, classes.includes("MathJax_Display"));
  if (classes.includes("katex") || classes.includes("mwe-math-element")) return wrapped(element, false);
  return null;
}

/** Returns true for a formula that MathJax 2 has drawn. The script with its TeX follows as a sibling. */
export function isDrawnFormula(element: Element): boolean {
  if (!/MathJax/.test(attribute(element, "class"))) return false;
  let next = element.next;
  for (let looked = 0; next && looked < 3; looked++, next = next.next)
    if (isElement(next) && next.name === "script" && TEX_SCRIPT.test(attribute(next, "type"))) return true;
  return false;
}

function scriptFormula(script: Element): Formula | null {
  const type = TEX_SCRIPT.exec(attribute(script, "type"));
  const value = ownText(script).trim();
  return type && value ? { value, isBlock: type[1] !== undefined } : null;
}

function wrapped(element: Element, isDisplay: boolean): Formula | null {
  const math = findElement(element, ({ name }) => name === "math");
  const formula = math && mathFormula(math, element);
  return formula ? { value: formula.value, isBlock: formula.isBlock || isDisplay } : null;
}

function mathFormula(math: Element, around: Element): Formula | null {
  const annotation = findElement(
    math,
    ({ name, attribs }) => name === "annotation" && /tex(?!t)/i.test(attribs.encoding ?? ""),
  );
  const value = tidyTex(annotation ? rawText(annotation) : attribute(math, "alttext") || texOf(math));
  const isBlock = attribute(math, "display") === "block" || attribute(around, "mode") === "display";
  return value ? { value, isBlock } : null;
}

/** Puts TeX on one line. Removes the group `\displaystyle` or `\textstyle` that Wikipedia adds. */
function tidyTex(tex: string): string {
  const line = tex.replace(/\s+/g, " ").trim();
  const styled = /^\{\\(?:displaystyle|textstyle) ?([\s\S]*)\}$/.exec(line);
  return (styled?.[1] ?? line).trim();
}

/** TeX commands for symbols, mostly with a letter at the end. Markdown reads a "_" after it as text. */
const SYMBOLS: ReadonlyMap<string, string> = new Map(Object.entries(commands.symbols));
/** The TeX commands for symbols above a base, such as accents. */
const ACCENTS: ReadonlyMap<string, string> = new Map(Object.entries(commands.accents));

const ROWS: ReadonlySet<string> = new Set(["mrow", "math", "mstyle", "semantics"]);

type ElementWriter = (parts: string[], element: Element) => string;

const WRITERS = new Map<string, ElementWriter>([
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

/** Converts presentation MathML to TeX. Replaces elements without a TeX equivalent with their contents. */
function texOf(math: Element): string {
  return write(math).replace(/\s+/g, " ").trim();
}

function write(node: ChildNode): string {
  if (isText(node)) return SYMBOLS.get(node.data.trim()) ?? node.data.trim();
  if (!isElement(node)) return "";
  const parts = node.children.map(write).filter((part) => part !== "");
  const writeElement = WRITERS.get(node.name);
  return writeElement ? writeElement(parts, node) : parts.join(ROWS.has(node.name) ? " " : "");
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
