import { type Declaration, parseDeclarations } from "./declarations";
import { isForScreen } from "./media";
import { nested } from "./nesting";

export interface Rule {
  /** As written, several with commas between. */
  selectors: string;
  declarations: Declaration[];
}

/** Of all sheets of a page together. */
const MAX_CSS_CHARS = 2_000_000;
const MAX_RULES = 20_000;
/** Rules and groups inside of each other. */
const MAX_DEPTH = 20;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
const TOKEN = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|[{};]/g;
const GROUP = /^@(layer|media|supports)\b([\s\S]*)$/i;
/** Browsers of one maker, and what only some have. */
const UNSURE_SUPPORT = /\bnot\b|\bselector\(|\(\s*-/i;

/** A rule, or a group of rules: inside of a rule, one of its declarations as well. */
interface Open {
  /** Null outside of rules. */
  selectors: string | null;
  body: string;
}

/**
 * The rules of style sheets that can hide or show words, in their order, those inside of others among them. Rules for paper,
 * and for windows of another size, are left out.
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
  const open: Open[] = [];
  /** Blocks that are open and don't count, one inside of the other. */
  let skipped = 0;
  let from = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (rules.length >= MAX_RULES) return;
    if (!/^[{};]$/.test(token)) continue;
    const before = css.slice(from, index);
    from = index + 1;
    const inner = open.at(-1);
    if (token === "{") {
      const block = skipped > 0 || open.length >= MAX_DEPTH ? null : toOpen(before.trim(), inner?.selectors ?? null);
      if (block) open.push(block);
      else skipped++;
    } else if (skipped > 0) {
      if (token === "}") skipped--;
    } else {
      if (inner && inner.selectors !== null) inner.body += `${before};`;
      if (token === "}") end(open.pop(), rules);
    }
  }
}

/** Null for what doesn't count. */
function toOpen(prelude: string, outer: string | null): Open | null {
  if (!prelude.startsWith("@")) {
    const selectors = outer === null ? prelude : nested(prelude, outer);
    return selectors === null ? null : { selectors, body: "" };
  }
  const [, name = "", condition = ""] = GROUP.exec(prelude) ?? [];
  const holds =
    name.toLowerCase() === "media" ? isForScreen(condition) : name !== "" && !UNSURE_SUPPORT.test(condition);
  return holds ? { selectors: outer, body: "" } : null;
}

function end(block: Open | undefined, rules: Rule[]): void {
  if (!block || block.selectors === null) return;
  const declarations = parseDeclarations(block.body);
  if (declarations.length > 0) rules.push({ selectors: block.selectors, declarations });
}
