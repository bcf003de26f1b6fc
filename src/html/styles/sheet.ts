import { type Declaration, parseDeclarations } from "./declarations";

export interface Rule {
  /** As written, several with commas between. */
  selectors: string;
  declarations: Declaration[];
}

/** Of all sheets of a page together. */
const MAX_CSS_CHARS = 2_000_000;
const MAX_RULES = 20_000;
const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/g;
const TOKEN = /"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|\\[\s\S]|[{};]/g;
/** Groups whose rules hold on a screen of any width. */
const HOLDS = /^@(?:layer\b[^,]*|media\s+(?:only\s+)?(?:all|screen)\s*)$/i;

/**
 * The rules of style sheets that can hide or show words, in their order. Rules for paper, for screens of certain widths, and
 * those inside of others are left out.
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
  /** The rule that is open, if one is. */
  let open: { selectors: string; body: string } | null = null;
  /** Blocks that are open and don't count, one inside of the other. */
  let skipped = 0;
  let from = 0;
  for (const { 0: token, index } of css.matchAll(TOKEN)) {
    if (rules.length >= MAX_RULES) return;
    if (!/^[{};]$/.test(token)) continue;
    const before = css.slice(from, index);
    from = index + 1;
    if (token === "{") {
      const prelude = before.trim();
      if (skipped > 0 || open) skipped++;
      else if (!prelude.startsWith("@")) open = { selectors: prelude, body: "" };
      else if (!HOLDS.test(prelude)) skipped = 1;
    } else if (skipped > 0) {
      if (token === "}") skipped--;
    } else if (open) {
      open.body += `${before};`;
      if (token === "}") {
        const declarations = parseDeclarations(open.body);
        if (declarations.length > 0) rules.push({ selectors: open.selectors, declarations });
        open = null;
      }
    }
  }
}
