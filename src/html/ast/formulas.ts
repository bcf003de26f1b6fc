import { type Element, isText } from "domhandler";
import { attribute, classesOf, findElement, hasAttribute, isElement, rawText } from "../parse/dom";
import { texOf } from "./mathml";

export interface Formula {
  /** In TeX. */
  value: string;
  /** Whether it stands in a block of its own. */
  isBlock: boolean;
}

const FORMULA_CLASS = /katex|mwe-math-element|MathJax/;
const TEX_SCRIPT = /^math\/tex(?:;\s*mode=(display))?/i;

/** The formula that an element shows, whichever library set it: MathML, KaTeX, MathJax 2 and 3, Wikipedia. */
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

/** What MathJax 2 draws beside the script that holds the formula. */
export function isDrawnFormula(element: Element): boolean {
  if (!/MathJax/.test(attribute(element, "class"))) return false;
  let next = element.next;
  for (let looked = 0; next && looked < 3; looked++, next = next.next)
    if (isElement(next) && next.name === "script" && TEX_SCRIPT.test(attribute(next, "type"))) return true;
  return false;
}

function scriptFormula(script: Element): Formula | null {
  const type = TEX_SCRIPT.exec(attribute(script, "type"));
  const value = script.children
    .filter(isText)
    .map(({ data }) => data)
    .join("")
    .trim();
  return type && value ? { value, isBlock: type[1] !== undefined } : null;
}

function wrapped(element: Element, isDisplay: boolean): Formula | null {
  const math = findElement(element, ({ name }) => name === "math");
  const formula = math && mathFormula(math, element);
  return formula ? { value: formula.value, isBlock: formula.isBlock || isDisplay } : null;
}

function mathFormula(math: Element, around: Element): Formula | null {
  const annotation = findElement(math, isTexAnnotation);
  const value = tidyTex(annotation ? rawText(annotation) : attribute(math, "alttext") || texOf(math));
  const isBlock = attribute(math, "display") === "block" || attribute(around, "mode") === "display";
  return value ? { value, isBlock } : null;
}

function isTexAnnotation(element: Element): boolean {
  return element.name === "annotation" && /tex/i.test(attribute(element, "encoding"));
}

/** One line, without the style that Wikipedia and others put around every formula. */
function tidyTex(tex: string): string {
  const line = tex.replace(/\s+/g, " ").trim();
  const styled = /^\{\\(?:displaystyle|textstyle) ?([\s\S]*)\}$/.exec(line);
  return (styled?.[1] ?? line).trim();
}
