import { type Declaration, parseDeclarations } from "./declarations";
import { isForScreen } from "./media";

export interface Rule {
  /** The selector list as the page wrote it. */
  selectors: string;
  declarations: Declaration[];
}

/** The maximum total length of a page's style sheets. */
const MAX_CSS_CHARS = 2_000_000;
const MAX_RULES = 20_000;
/** The maximum depth of nested rules and at-rules. */
const MAX_DEPTH = 20;
/** The maximum length of a nested rule's selector list after the outer selectors have been inserted. */
const MAX_NESTED_CHARS = 2_000;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
const TOKEN = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|[{};]/g;
/** Matches attribute conditions and the arguments of pseudo-classes, unless they contain others. */
const ARGUMENTS = /\([^()]*\)|\[[^[\]]*\]/g;
/** Selectors with arguments within more levels of brackets are always parsed. */
const MAX_ARGUMENT_DEPTH = 3;
const NAME = /[.#][^\s.#:,>+~*]+/g;
const GROUP = /^@(layer|media|supports)\b([\s\S]*)$/i;
/** `@supports` conditions that not every browser meets. */
const UNSURE_SUPPORT = /\bnot\b|\bselector\(|\(\s*-/i;

/**
 * A rule or an at-rule that isn't closed yet. An at-rule such as `@media` inside a rule contains declarations of that
 * rule.
 */
interface OpenBlock {
  /** The selector list; null for an at-rule outside of rules. */
  selectors: string | null;
  body: string;
}

/**
 * Returns the rules that can hide or show text, in the order of the style sheets. Includes nested rules. Leaves out
 * rules for print and for other viewport sizes, and rules for classes and ids that aren't in `names` (`.class`, `#id`).
 */
export function parseSheets(sheets: readonly string[], names: ReadonlySet<string>): Rule[] {
  const rules: Rule[] = [];
  let room = MAX_CSS_CHARS;
  for (const sheet of sheets) {
    const css = sheet.slice(0, room);
    readSheet(css.includes("/*") ? css.replace(COMMENT, "") : css, names, rules);
    room -= Math.min(room, sheet.length);
  }
  return rules;
}

function readSheet(css: string, names: ReadonlySet<string>, rules: Rule[]): void {
  const open: OpenBlock[] = [];
  /** The number of open blocks that the parser ignores. */
  let skipped = 0;
  let from = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (rules.length >= MAX_RULES) return;
    if (token !== "{" && token !== "}" && token !== ";") continue;
    const before = css.slice(from, index);
    from = index + 1;
    const inner = open.at(-1);
    if (token === "{") {
      const block = skipped > 0 || open.length >= MAX_DEPTH ? null : openBlock(before.trim(), inner?.selectors ?? null);
      if (block) open.push(block);
      else skipped++;
    } else if (skipped > 0) {
      if (token === "}") skipped--;
    } else {
      if (inner && inner.selectors !== null) inner.body += `${before};`;
      if (token !== "}") continue;
      const block = open.pop();
      if (block && block.selectors !== null && mayMatch(block.selectors, names))
        addRule(block.selectors, block.body, rules);
    }
  }
}

/** Opens a rule or an at-rule. Returns null if the parser must ignore the block. */
function openBlock(prelude: string, outer: string | null): OpenBlock | null {
  if (!prelude.startsWith("@")) {
    const selectors = outer === null ? prelude : nestSelectors(prelude, outer);
    return selectors === null ? null : { selectors, body: "" };
  }
  const [, name = "", condition = ""] = GROUP.exec(prelude) ?? [];
  const holds =
    name.toLowerCase() === "media" ? isForScreen(condition) : name !== "" && !UNSURE_SUPPORT.test(condition);
  return holds ? { selectors: outer, body: "" } : null;
}

/**
 * Returns false if each selector of a list needs a class or an id that isn't in `names`. This check is much faster than
 * parsing, and most rules of a page's style sheets are for elements that the page doesn't have.
 */
function mayMatch(selectors: string, names: ReadonlySet<string>): boolean {
  // Escapes and strings can contain any character.
  if (/[\\"']/.test(selectors)) return true;
  let plain = selectors;
  for (let depth = 0; /[([]/.test(plain); depth++) {
    if (depth === MAX_ARGUMENT_DEPTH) return true;
    plain = plain.replace(ARGUMENTS, "");
  }
  return plain.split(",").some((selector) => (selector.match(NAME) ?? []).every((name) => names.has(name)));
}

function addRule(selectors: string, body: string, rules: Rule[]): void {
  const declarations = parseDeclarations(body);
  if (declarations.length > 0) rules.push({ selectors, declarations });
}

/** Combines the selectors of a nested rule with those of the rule around it. Returns null if the result is too long. */
function nestSelectors(selectors: string, outer: string): string | null {
  const parts = splitSelectors(selectors);
  const outers = splitSelectors(outer);
  const all: string[] = [];
  let length = 0;
  for (const part of parts) {
    for (const around of outers) {
      const one = part.includes("&") ? part.replaceAll("&", () => around) : `${around} ${part}`;
      length += one.length;
      if (length > MAX_NESTED_CHARS) return null;
      all.push(one);
    }
  }
  return all.join(",");
}

/** Splits a selector list at the commas outside of brackets. */
function splitSelectors(selectors: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (const { 0: char, index } of selectors.matchAll(/[()[\],]/g)) {
    if (char === "(" || char === "[") depth++;
    else if (char === ")" || char === "]") depth--;
    else if (depth <= 0) {
      parts.push(selectors.slice(from, index).trim());
      from = index + 1;
    }
  }
  return [...parts, selectors.slice(from).trim()];
}
