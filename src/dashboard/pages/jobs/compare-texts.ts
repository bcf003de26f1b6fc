import { diffArrays } from "diff";
import { Budget } from "../../../lib/budget";

/** A part of a text. `same` is in both texts. */
export interface Piece {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Successive blocks of two texts: the blocks that both have, or the pieces of the blocks that differ. */
export type Section = { same: string[] } | { before: Piece[]; after: Piece[] };

export interface TextComparison {
  sections: Section[];
  /** The numbers of words. */
  words: Record<Piece["kind"], number>;
  /** False if the words of some blocks weren't compared, because that would take too long. */
  isComplete: boolean;
}

/** A field with different values, as text. Null if one side doesn't have the field. */
export interface FieldChange {
  path: string;
  before: string | null;
  after: string | null;
}

export interface FieldComparison {
  changed: FieldChange[];
  /** The number of fields with the same value. */
  same: number;
  /** True if one side has more than MAX_FIELDS fields. The others aren't compared. */
  isCut: boolean;
}

const BLOCK_BREAK = "\n\n";
/** The number of comparisons of two blocks or words. The time of the diff algorithm is proportional to it. */
const MAX_STEPS = 1_000_000;
/** A word, white space, or another character. Scripts without spaces between words have one word per character. */
const TOKEN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}_]+|\s+|./gu;
const WORD = /^[\p{L}\p{N}]/u;
const MAX_FIELDS = 2_000;
const MAX_FIELD_DEPTH = 20;

class TooDifferent extends Error {}

/**
 * Compares two texts by blocks, and the blocks that differ by words. Blocks are separated by blank lines. Returns null
 * if the texts are too different: the number of steps grows with the square of the differences.
 */
export function compareTexts(before: string, after: string, maxSteps = MAX_STEPS): TextComparison | null {
  const budget = new Budget(maxSteps, () => new TooDifferent());
  const comparison: TextComparison = { sections: [], words: { same: 0, removed: 0, added: 0 }, isComplete: true };
  const blocks = diff(toBlocks(before), toBlocks(after), budget);
  if (blocks === null) return null;
  for (let i = 0; i < blocks.length; i++) {
    const { kind, parts } = blocks[i] ?? { kind: "same", parts: [] };
    if (kind === "same") {
      comparison.sections.push({ same: parts });
      comparison.words.same += countWords(parts.join(BLOCK_BREAK));
      continue;
    }
    // A group of removed blocks and the group of added blocks next to it are two versions of the same part.
    const next = blocks[i + 1];
    const pair = next !== undefined && next.kind !== "same" ? [blocks[i], next] : [blocks[i]];
    if (pair.length === 2) i++;
    const textOf = (side: Piece["kind"]) =>
      pair.flatMap((group) => (group?.kind === side ? group.parts : [])).join(BLOCK_BREAK);
    const [removed, added] = [textOf("removed"), textOf("added")];
    const words = diff(removed.match(TOKEN) ?? [], added.match(TOKEN) ?? [], budget);
    if (words === null) comparison.isComplete = false;
    const pieces: Piece[] = words?.map(({ kind, parts }) => ({ kind, text: parts.join("") })) ?? [
      { kind: "removed", text: removed },
      { kind: "added", text: added },
    ];
    for (const { kind, text } of pieces) comparison.words[kind] += countWords(text);
    comparison.sections.push({
      before: pieces.filter(({ kind, text }) => kind !== "added" && text !== ""),
      after: pieces.filter(({ kind, text }) => kind !== "removed" && text !== ""),
    });
  }
  return comparison;
}

/** Compares the leaves of two JSON values, such as `offers.0.price`. */
export function compareFields(before: object, after: object): FieldComparison {
  const [a, b] = [new Map<string, string>(), new Map<string, string>()];
  const isCut = [addFields(a, before, []), addFields(b, after, [])].includes(false);
  const paths = [...new Set([...a.keys(), ...b.keys()])];
  const changed = paths
    .filter((path) => a.get(path) !== b.get(path))
    .map((path) => ({ path, before: toShown(a.get(path), b.get(path)), after: toShown(b.get(path), a.get(path)) }));
  return { changed, same: paths.length - changed.length, isCut };
}

/** Returns a JSON value as text. A string has quotation marks only if it would look like the other value. */
function toShown(json: string | undefined, other: string | undefined): string | null {
  if (json === undefined) return null;
  const text = json.startsWith('"') ? (JSON.parse(json) as string) : json;
  return text === other ? json : text;
}

/** Adds the leaves of a value, as JSON, to `fields`. Returns false if there are more than MAX_FIELDS. */
function addFields(fields: Map<string, string>, value: unknown, path: string[]): boolean {
  const isBranch = typeof value === "object" && value !== null && Object.keys(value).length > 0;
  if (isBranch && path.length < MAX_FIELD_DEPTH)
    return Object.entries(value).every(([name, inner]) => addFields(fields, inner, [...path, name]));
  if (fields.size >= MAX_FIELDS) return false;
  if (path.length > 0) fields.set(path.map(toPathPart).join("."), JSON.stringify(value));
  return true;
}

/** A name with a full stop has quotation marks, so that it differs from a path of two names. */
function toPathPart(name: string): string {
  return /[."]/.test(name) ? JSON.stringify(name) : name;
}

interface Group {
  kind: Piece["kind"];
  parts: string[];
}

/** Returns the groups of equal, removed and added parts. Null if the budget is used up. */
function diff(before: string[], after: string[], budget: Budget): Group[] | null {
  const comparator = (left: string, right: string) => budget.spend(1) && left === right;
  try {
    return diffArrays(before, after, { comparator }).map(({ value, added, removed }) => ({
      kind: added ? "added" : removed ? "removed" : "same",
      parts: value,
    }));
  } catch (error) {
    if (error instanceof TooDifferent) return null;
    throw error;
  }
}

function toBlocks(text: string): string[] {
  return text.split(/\n\s*\n/).filter((block) => block !== "");
}

function countWords(text: string): number {
  return (text.match(TOKEN) ?? []).filter((token) => WORD.test(token)).length;
}
