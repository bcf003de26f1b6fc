import { type Declaration, parseDeclarations } from "./declarations";
import { isForScreen } from "./media";

export interface Rule {
  /** The selector list as written. */
  selectors: string;
  declarations: Declaration[];
}

/** The limit of all sheets of a page together. */
const MAX_CSS_CHARS = 2_000_000;
const MAX_RULES = 20_000;
/** The limit of rules and groups inside of each other. */
const MAX_DEPTH = 20;
/** The limit of the selectors that result from a nested rule. */
const MAX_NESTED_CHARS = 2_000;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
const TOKEN = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|[{};]/g;
const GROUP = /^@(layer|media|supports)\b([\s\S]*)$/i;
/** Conditions that only some browsers meet. */
const UNSURE_SUPPORT = /\bnot\b|\bselector\(|\(\s*-/i;

/** A rule or a group that is still open. A group inside of a rule holds declarations of that rule, too. */
interface OpenBlock {
  /** Null for a group outside of rules. */
  selectors: string | null;
  body: string;
}

/**
 * Parses the rules of style sheets that can hide or show text, nested ones included, in their order. Leaves out rules
 * for print and for windows of another size.
 */
export function parseSheets(sheets: readonly string[]): Rule[] {
  const rules: Rule[] = [];
  let room = MAX_CSS_CHARS;
  for (const sheet of sheets) {
    readSheet(sheet.slice(0, room).replace(COMMENT, ""), rules);
    room -= Math.min(room, sheet.length);
  }
  return rules;
}

function readSheet(css: string, rules: Rule[]): void {
  const open: OpenBlock[] = [];
  /** The number of open blocks that are ignored, one inside of the other. */
  let skipped = 0;
  let from = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (rules.length >= MAX_RULES) return;
    if (!/^[{};]$/.test(token)) continue;
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
      if (token === "}") closeBlock(open.pop(), rules);
    }
  }
}

/** Returns null for a block to ignore. */
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

function closeBlock(block: OpenBlock | undefined, rules: Rule[]): void {
  if (!block || block.selectors === null) return;
  const declarations = parseDeclarations(block.body);
  if (declarations.length > 0) rules.push({ selectors: block.selectors, declarations });
}

/** Returns the selectors of a rule inside of a rule with the `outer` selectors, or null if they get too long. */
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

/** Splits at commas that aren't inside of brackets. */
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
