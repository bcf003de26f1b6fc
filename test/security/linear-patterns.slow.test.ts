import { globSync, readFileSync } from "node:fs";
import type { AST } from "@eslint-community/regexpp";
import { parseSync, Visitor } from "oxc-parser";
import { afterEach, expect, it, vi } from "vitest";
import { countMatchSteps, matchesCharacter, parsePattern } from "../support/backtracking-matcher";

/** A regular expression of the project. */
interface Found {
  place: string;
  pattern: string;
  flags: string;
}

/** A text whose middle can be repeated any number of times. */
interface Text {
  start: string;
  repeated: string;
  end: string;
}

/**
 * The lengths of the texts that are tried, one after the other. Each text is compared with a text of twice the length.
 * Only a text whose search looks slow is tried with the next length.
 */
const LENGTHS = [40, 150, 400];
/** A linear search takes at most twice as many steps for a text of twice the length. */
const MAX_GROWTH = 2.15;
/** A quadratic search takes four times as many steps. */
const MAX_FINAL_GROWTH = 2.8;
/** Windows such as `.{0,250}` take linear time with a high constant, which is allowed. */
const MAX_WINDOW_CHARS = 300;
/** A search that takes this many steps is slow for any of the lengths. */
const LIMIT = 3_000_000;
/** The characters that texts for a pattern are made of. A class that contains none of them is searched. */
const ALPHABET = [..." \n\ta1A0-_./:,;'\"<>=&#(){}[]|%@!?*+$^~\\`é中я\u00a0"];
/** The variants of the text that is repeated. Each variant chooses other alternatives and characters. */
const VARIANTS = [0, 1, 2, 3, 5];
/** A character that few patterns match, so that the search fails late. */
const UNMATCHED = "\u0001";

/** The patterns that are matched only with short texts, the limit of the texts in characters, and where it is checked. */
const SHORT_TEXTS: readonly { pattern: RegExp; place: RegExp; maxChars: number; checkedIn: string }[] = [
  {
    pattern: /by\|von\|par\|por\|di\|door/,
    place: /^src\/html\/metadata\/author-names\.ts/,
    maxChars: 120,
    checkedIn: "MAX_DATED_CHARS in withoutLabel()",
  },
  {
    pattern: /ing\\s\.\*/,
    place: /^src\/html\/metadata\/author-names\.ts/,
    maxChars: 60,
    checkedIn: "MAX_NAME_CHARS in isName()",
  },
];

/** The files that construct patterns of one character or the name of an element, or copies, or patterns of callers, which have their own limit. */
const OTHERWISE_LIMITED = [
  "src/crawl/url-expression.ts",
  "src/endpoints/parse/mock-data.ts",
  "src/html/meta-refresh.ts",
  "src/html/page-data/embedded-state.ts",
  "src/html/parse/tree-builder.ts",
  "src/json-schema/pattern-automaton.ts",
  "src/json-schema/patterns.ts",
  "src/lib/to-reg-exp.ts",
  "src/store/objects.ts",
];

/** The steps for the longest of these texts. An engine takes a few milliseconds for them. */
const MAX_STEPS_OF_SHORT_TEXT = 500_000;

declare global {
  interface ImportMeta {
    /** Vite's `import.meta.glob`: functions that load the matching modules, by path. */
    glob(pattern: string): Record<string, () => Promise<unknown>>;
  }
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

// The test matches more than a thousand patterns with many texts, which takes four minutes on a slow machine.
it("searches any text in linear time with each regular expression in src", { timeout: 900_000 }, async () => {
  const patterns = [...literals(), ...tableEntries(), ...(await constructed())];
  expect(patterns.length).toBeGreaterThan(1_000);
  const unique = new Map(patterns.map((found) => [`${found.pattern}/${found.flags}`, found]));
  const slow = [...unique.values()].flatMap((found) => {
    const text = findSlowText(found);
    return text === null ? [] : `${found.place}: /${found.pattern}/${found.flags} for ${text}`;
  });
  expect(slow).toEqual([]);
});

it.each([
  ["\\s+$", "g"],
  ["^(a+)+$", ""],
  ["\\d+\\.?\\d+x", "u"],
  ["<[^>]*>", ""],
  ["x\\S* y", "u"],
  ["(?=.*a)b", ""],
  ["(\\w+\\s*)+$", "i"],
  ["(?:a|b|ab)*c", ""],
])("finds the slow text for /%s/%s", (pattern, flags) => {
  expect(findSlowText({ place: "", pattern, flags })).not.toBeNull();
});

it.each([
  ["(?<!\\s)\\s+$", "g"],
  ["^\\s*(?:a+\\s*)?$", ""],
  ["x\\S{0,30} y", "u"],
])("finds no slow text for /%s/%s", (pattern, flags) => {
  expect(findSlowText({ place: "", pattern, flags })).toBeNull();
});

/** Returns a text for which the steps grow faster than the length, or null if there is none. */
function findSlowText({ place, pattern, flags }: Found): string | null {
  const maxChars = SHORT_TEXTS.find((one) => one.place.test(place) && one.pattern.test(pattern))?.maxChars;
  for (const part of simplify(pattern, flags)) {
    for (const text of textsFor(part, flags.replace(/[gy]/g, ""))) {
      const isFound =
        maxChars === undefined
          ? isSlow(part, flags, text) && isSlow(pattern, flags, text)
          : countShortSteps(pattern, flags, text, maxChars) > MAX_STEPS_OF_SHORT_TEXT;
      if (isFound) return JSON.stringify(`${text.start}${text.repeated.repeat(3)}…${text.end}`);
    }
  }
  return null;
}

/**
 * Returns simpler patterns that are slow if the pattern is slow. Their search takes fewer steps. Splits the pattern into
 * its alternatives, and each alternative at its first group. Makes windows such as `.{0,80}` short. A pattern with
 * backreferences isn't split, because they count the groups.
 */
function simplify(pattern: string, flags: string): string[] {
  const short = pattern.replace(/(?<!\\)\{(\d+),(\d+)\}/g, (all, min: string, max: string) =>
    Number(max) > MAX_WINDOW_CHARS ? all : `{${min},${Math.min(Number(max), Number(min) + 3)}}`,
  );
  if (/\\[1-9k]/.test(short)) return [short];
  return parsePattern(short, flags).alternatives.flatMap(({ raw, start, elements }) => {
    const group = elements.find(({ type }) => type === "Group");
    if (group?.type !== "Group") return [raw];
    const [before, after] = [raw.slice(0, group.start - start), raw.slice(group.end - start)];
    return group.alternatives.map((inner) => `${before}(?:${inner.raw})${after}`);
  });
}

function isSlow(pattern: string, flags: string, { start, repeated, end }: Text): boolean {
  for (const length of LENGTHS) {
    const times = Math.ceil(length / repeated.length);
    const [shorter, longer] = [times, 2 * times].map((count) =>
      countMatchSteps(pattern, start + repeated.repeat(count) + end, { flags, limit: LIMIT }),
    ) as [number, number];
    if (longer > LIMIT) return true;
    if (longer <= (length === LENGTHS.at(-1) ? MAX_FINAL_GROWTH : MAX_GROWTH) * shorter) return false;
  }
  return true;
}

/** Counts the steps for a text with the maximum length. Stops after more than the maximum number of steps. */
function countShortSteps(pattern: string, flags: string, { start, repeated, end }: Text, maxChars: number): number {
  const text = (start + repeated.repeat(Math.ceil(maxChars / repeated.length))).slice(0, maxChars) + end;
  return countMatchSteps(pattern, text, { flags, limit: MAX_STEPS_OF_SHORT_TEXT });
}

/** Returns texts with which a search may fail late. */
function textsFor(pattern: string, flags: string): Text[] {
  const texts = new Map<string, Text>();
  for (const { repeated, before } of repetitions(parsePattern(pattern, flags))) {
    for (const variant of VARIANTS) {
      const unit = textFor(repeated, flags, variant) || "a";
      const beginning = before.map((element) => textFor(element, flags, variant)).join("");
      for (const part of [unit, beginning || unit, beginning + unit])
        for (const start of ["", beginning, UNMATCHED])
          for (const end of ["", UNMATCHED, `\n${UNMATCHED}`])
            texts.set(JSON.stringify([start, part, end]), { start, repeated: part, end });
    }
  }
  return [...texts.values()];
}

/** Lists what a pattern repeats without a small limit, with the elements before it. */
function* repetitions(
  { alternatives }: { alternatives: readonly AST.Alternative[] },
  preceding: readonly AST.Element[] = [],
): Generator<{ repeated: AST.QuantifiableElement; before: readonly AST.Element[] }> {
  for (const { elements } of alternatives) {
    for (const [index, element] of elements.entries()) {
      const before = [...preceding, ...elements.slice(0, index)];
      const inner = element.type === "Quantifier" ? element.element : element;
      if (element.type === "Quantifier" && element.max > MAX_WINDOW_CHARS) yield { repeated: element.element, before };
      if (inner.type === "Group" || inner.type === "CapturingGroup" || isLookahead(inner))
        yield* repetitions(inner, before);
    }
  }
}

function isLookahead(element: AST.Element): element is AST.LookaheadAssertion {
  return element.type === "Assertion" && element.kind === "lookahead";
}

/** Returns a text that the element matches. */
function textFor(element: AST.Element, flags: string, variant: number): string {
  switch (element.type) {
    case "Group":
    case "CapturingGroup": {
      const { alternatives } = element;
      const { elements } = alternatives[variant % alternatives.length] ?? { elements: [] };
      return elements.map((one) => textFor(one, flags, variant)).join("");
    }
    case "Quantifier":
      return textFor(element.element, flags, variant).repeat(Math.max(element.min, variant % 2));
    case "Character":
      return String.fromCodePoint(element.value);
    case "CharacterSet":
    case "CharacterClass":
    case "ExpressionCharacterClass": {
      const matching = ALPHABET.filter((character) => matchesCharacter(element.raw, character, flags));
      return matching[variant % Math.max(matching.length, 1)] ?? firstMatching(element.raw, flags);
    }
    default:
      return "";
  }
}

function firstMatching(pattern: string, flags: string): string {
  for (let code = 0; code < 0xd800; code++) {
    const character = String.fromCharCode(code);
    if (matchesCharacter(pattern, character, flags)) return character;
  }
  return "";
}

function* literals(): Generator<Found> {
  for (const file of globSync("src/**/*.{ts,tsx}")) {
    const source = readFileSync(file, "utf8");
    const found: Found[] = [];
    new Visitor({
      Literal(node) {
        if (!("regex" in node)) return;
        const line = source.slice(0, node.start).split("\n").length;
        found.push({ place: `${file}:${line}`, pattern: node.regex.pattern, flags: node.regex.flags });
      },
    }).visit(parseSync(file, source).program);
    yield* found;
  }
}

/** Lists the patterns in the tables of src. They are written as `/pattern/flags`. */
function* tableEntries(): Generator<Found> {
  for (const file of globSync("src/**/*.json")) {
    for (const text of stringsOf(JSON.parse(readFileSync(file, "utf8")))) {
      const [, pattern, flags] = /^\/(.{2,})\/([a-z]*)$/s.exec(text) ?? [];
      if (pattern !== undefined && flags !== undefined) yield { place: file, pattern, flags };
    }
  }
}

function stringsOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsOf) : [];
}

/**
 * Lists the patterns that modules construct when they are loaded, and for each call. Fails if a file constructs patterns
 * that aren't listed.
 */
async function constructed(): Promise<Found[]> {
  const found: Found[] = [];
  const record = (regex: RegExp) => {
    const place = /src\/(?!lib\/to-reg-exp)[\w/.-]+\.tsx?/.exec(new Error().stack ?? "")?.[0] ?? "";
    found.push({ place, pattern: regex.source, flags: regex.flags });
    return regex;
  };
  vi.resetModules();
  vi.stubGlobal(
    "RegExp",
    new Proxy(RegExp, { construct: (target, [pattern, flags]) => record(new target(pattern, flags)) }),
  );
  const files = globSync("src/**/*.{ts,tsx}").filter((file) => /\bRegExp\(/.test(readFileSync(file, "utf8")));
  const modules = import.meta.glob("../../src/**/*.{ts,tsx}");
  for (const file of files) await modules[`../../${file}`]?.();
  const { readCsv } = await import("../../src/documents/csv");
  readCsv("a,b");
  const { toPathError } = await import("../../src/http/unknown-path");
  const routes = ["/v1/jobs/:id/pages/:number", "/docs/*"].map((path) => ({ method: "GET", path }));
  toPathError({ method: "GET", path: "/", origin: "https://example.com" }, routes);
  const places = new Set(found.map(({ place }) => place));
  expect(files.filter((file) => !places.has(file)).sort()).toEqual(OTHERWISE_LIMITED);
  return found;
}
