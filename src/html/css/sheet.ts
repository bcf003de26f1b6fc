import { COMMENT, type Declaration, parseDeclarations } from "./declarations";
import { isForScreen } from "./media";
import type { ElementNames, Spend } from "./selector";

export interface Rule {
  /** The selector list as the page wrote it. */
  selectors: string;
  declarations: Declaration[];
}

/** The steps for reading one rule. */
const STEPS_PER_RULE = 50;
/** Matches attribute conditions and the arguments of pseudo-classes, unless they contain others. */
const ARGUMENTS = /\([^()]*\)|\[[^[\]]*\]/g;
/** Selectors with arguments within more levels of brackets are always parsed. */
const MAX_ARGUMENT_DEPTH = 3;
/** True at the codes of the characters after a class or an id. */
const ENDS_NAME: boolean[] = Array.from({ length: 128 }, (_, code) => /[\s.#:,>+~*]/.test(String.fromCharCode(code)));
const GROUP = /^@(layer|media|supports)\b([\s\S]*)$/i;
/** `@supports` conditions that not every browser meets. */
const UNSURE_SUPPORT = /\bnot\b|\bselector\(|\(\s*-/i;

/** An open rule or at-rule. An at-rule such as `@media` inside a rule contains declarations of that rule. */
interface OpenBlock {
  /** The selector list; null for an at-rule outside of rules. */
  selectors: string | null;
  /** False if no element of the page can match the selectors. */
  mayMatch: boolean;
  body: string;
  /** The index after the last nested block, or after the opening brace. */
  from: number;
}

/**
 * Returns the rules that can hide or show text, in the order of the style sheets. Includes nested rules. Leaves out
 * rules for print and for other viewport sizes, and rules for classes and ids that aren't in `names`.
 */
export function parseSheets(sheets: readonly string[], names: ElementNames, spend: Spend): Rule[] {
  const rules: Rule[] = [];
  for (const sheet of sheets)
    readSheet(sheet.includes("/*") ? sheet.replace(COMMENT, "") : sheet, { names, rules, spend });
  return rules;
}

function readSheet(css: string, { names, rules, spend }: { names: ElementNames; rules: Rule[]; spend: Spend }): void {
  // With `&`, a nested rule can match although the rule around it can't, as in `.missing { :not(&) { … } }`.
  const hasReferences = css.includes("&");
  const open: OpenBlock[] = [];
  /** The number of open blocks that the parser ignores. */
  let skipped = 0;
  let from = 0;
  for (let at = nextDelimiter(css, 0); at < css.length; at = nextDelimiter(css, from)) {
    const token = css[at];
    const start = from;
    from = at + 1;
    const inner = open.at(-1);
    if (token === "{" && skipped > 0) skipped++;
    else if (token === "{") {
      if (inner) inner.body += css.slice(inner.from, start);
      const prelude = css.slice(start, at).trim();
      const selectors = selectorsOf(prelude, inner?.selectors ?? null, spend);
      // With a reference, the rule around a nested one can be in a negation.
      const mayNest = prelude.includes("&") || (inner?.mayMatch ?? true);
      const may = selectors !== undefined && mayNest && (prelude.startsWith("@") || mayMatch(prelude, names));
      if (selectors === undefined || !(may || hasReferences)) skipped++;
      else open.push({ selectors, mayMatch: may, body: "", from });
    } else if (token === "}") {
      if (skipped > 0) skipped--;
      else if (inner) {
        open.pop();
        spend(STEPS_PER_RULE);
        const { selectors, mayMatch } = inner;
        const declarations = selectors && mayMatch ? parseDeclarations(inner.body + css.slice(inner.from, at)) : [];
        if (selectors && declarations.length > 0) rules.push({ selectors, declarations });
      }
      const outer = open.at(-1);
      if (outer) outer.from = from;
    }
  }
}

const [QUOTE, APOSTROPHE, BACKSLASH, NEW_LINE] = [34, 39, 92, 10];
const [SEMICOLON, OPENING_BRACE, CLOSING_BRACE, COMMA, DOT, HASH] = [59, 123, 125, 44, 46, 35];

/**
 * Returns the index of the next brace or semicolon outside of strings, or the length of the text. A loop over the
 * characters is much faster than a regular expression here, because a style sheet has many of them.
 */
function nextDelimiter(css: string, from: number): number {
  for (let at = from; at < css.length; at++) {
    const code = css.charCodeAt(at);
    if (code === OPENING_BRACE || code === CLOSING_BRACE || code === SEMICOLON) return at;
    if (code === BACKSLASH) at++;
    else if (code === QUOTE || code === APOSTROPHE) at = endOfString(css, at);
  }
  return css.length;
}

/** Returns the index of the last character of the string that starts at `start`. A string ends with its line. */
function endOfString(css: string, start: number): number {
  const quote = css.charCodeAt(start);
  for (let at = start + 1; at < css.length; at++) {
    const code = css.charCodeAt(at);
    if (code === quote) return at;
    if (code === NEW_LINE) return at - 1;
    if (code === BACKSLASH) at++;
  }
  return css.length;
}

/**
 * Returns the selectors of the block with this prelude inside the block `outer`, or null for an at-rule outside of
 * rules. Returns undefined if the parser must ignore the block.
 */
function selectorsOf(prelude: string, outer: string | null, spend: Spend): string | null | undefined {
  if (prelude === "") return undefined;
  if (prelude.startsWith("@")) return applies(prelude) ? outer : undefined;
  return outer === null ? prelude : nestSelectors(prelude, outer, spend);
}

/** Returns true if the blocks of an at-rule apply to the browser that renders pages. */
function applies(prelude: string): boolean {
  const [, name = "", condition = ""] = GROUP.exec(prelude) ?? [];
  if (name.toLowerCase() === "media") return isForScreen(condition);
  return name !== "" && !UNSURE_SUPPORT.test(condition);
}

/**
 * Returns false if each selector of a list needs a class or an id that isn't in `names`. This check is much faster than
 * parsing, and most rules of a page's style sheets are for elements that the page doesn't have.
 */
function mayMatch(selectors: string, names: ElementNames): boolean {
  // Escapes and strings can contain any character.
  if (/[\\"']/.test(selectors)) return true;
  let plain = selectors;
  for (let depth = 0; /[([]/.test(plain); depth++) {
    if (depth === MAX_ARGUMENT_DEPTH) return true;
    plain = plain.replace(ARGUMENTS, "");
  }
  return isKnown(plain, names);
}

/** Returns true if the list contains a selector whose classes and ids are all in `names`. */
function isKnown(selectors: string, names: ElementNames): boolean {
  let isMissing = false;
  for (let at = 0; at < selectors.length; at++) {
    const code = selectors.charCodeAt(at);
    if (code === COMMA) {
      if (!isMissing) return true;
      isMissing = false;
    }
    if (isMissing || (code !== DOT && code !== HASH)) continue;
    let end = at + 1;
    while (end < selectors.length && !ENDS_NAME[selectors.charCodeAt(end)]) end++;
    if (end > at + 1) isMissing = !(code === DOT ? names.classes : names.ids).has(selectors.slice(at + 1, end));
    at = end - 1;
  }
  return !isMissing;
}

/** Combines the selectors of a nested rule with those of the rule around it. Each character of the result is a step. */
function nestSelectors(selectors: string, outer: string, spend: Spend): string {
  const around = `:is(${outer})`;
  const references = selectors.split("&");
  spend(selectors.length + references.length * around.length);
  if (references.length > 1) return references.join(around);
  return /^[>+~]/.test(selectors) ? `${around} ${selectors}` : `${around} :is(${selectors})`;
}
