import { MAX_PATTERN_CHARS } from "../../model/limits";
import { compiles } from "./compiles";

/** A pattern's structure, as far as it is needed to make a text that matches and to count what matching costs. */
export type Regex =
  | { kind: "sign"; sign: SignSet }
  | { kind: "sequence"; items: readonly Regex[] }
  | { kind: "either"; options: readonly Regex[] }
  | { kind: "repeat"; item: Regex; min: number; max: number; lazy: boolean }
  | { kind: "edge"; at: "start" | "end" | "word" | "inside" }
  | { kind: "look"; item: Regex; negative: boolean };

/** One character of a text: a literal, an escape, a class or the dot. */
export interface SignSet {
  has(sign: string): boolean;
  /** Some of its characters, the plainest first. */
  picks(): readonly string[];
}

const MAX_NESTING = 50;

const PLAIN_SIGNS =
  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ1234567890-_ .,:;@#/+=!?%&*()[]{}<>'\"$^~`|\\\t\n\r";
const OTHER_SIGNS = "éßñÀαβΩбдяЖאבعبकกあア中文한글€£©…–😀🎉";

const EDGES: Readonly<Record<string, "start" | "end" | "word" | "inside">> = {
  "^": "start",
  $: "end",
  "\\b": "word",
  "\\B": "inside",
};

/** An escape, a class or a single character: what stands for one character of a text. */
const SIGN = /^(?:\\(?:u\{[^}]*\}|u[0-9a-f]{4}|x[0-9a-f]{2}|c[a-z]|p\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|.)/isu;
const QUANTIFIER = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})(\??)/;
const GROUP = /^\((?:\?(?:(:)|<[^=!>]*>|(=)|(!)))?/;

/**
 * Null for what isn't a regular expression and for what this file doesn't know: looking behind, references back, flags in
 * the middle. Patterns of JSON Schema have the flag `u`; many are written without a thought of it, so that both are read.
 */
export function parseRegex(pattern: string): Regex | null {
  const flags = pattern.length > MAX_PATTERN_CHARS ? undefined : ["u", ""].find((flag) => compiles(pattern, flag));
  return flags === undefined ? null : new Reader(pattern, flags).read();
}

/** Reads a pattern that is known to compile: what is wrong in one never comes up here. */
class Reader {
  #rest: string;
  readonly #flags: string;
  readonly #signs = new Map<string, SignSet>();

  constructor(pattern: string, flags: string) {
    this.#rest = pattern;
    this.#flags = flags;
  }

  read(): Regex | null {
    const regex = this.#readOptions(0);
    return this.#rest === "" ? regex : null;
  }

  #readOptions(nesting: number): Regex | null {
    const options: Regex[] = [];
    do {
      const option = this.#readSequence(nesting);
      if (option === null) return null;
      options.push(option);
    } while (this.#take("|"));
    return options.length === 1 ? (options[0] ?? null) : { kind: "either", options };
  }

  #readSequence(nesting: number): Regex | null {
    const items: Regex[] = [];
    while (this.#rest !== "" && this.#rest[0] !== "|" && this.#rest[0] !== ")") {
      const atom = this.#rest[0] === "(" ? this.#readGroup(nesting) : this.#readSign();
      if (atom === null) return null;
      items.push(this.#readQuantifier(atom));
    }
    return { kind: "sequence", items };
  }

  #readGroup(nesting: number): Regex | null {
    const [opening = "", , ahead, notAhead] = GROUP.exec(this.#rest) ?? [];
    this.#skip(opening.length);
    // What is left of an opening that isn't known, such as `(?<=` or `(?i:`.
    if (opening === "(" && this.#rest[0] === "?") return null;
    const item = nesting < MAX_NESTING ? this.#readOptions(nesting + 1) : null;
    if (item === null || !this.#take(")")) return null;
    return ahead || notAhead ? { kind: "look", item, negative: notAhead !== undefined } : item;
  }

  #readSign(): Regex | null {
    const source = SIGN.exec(this.#rest)?.[0] ?? "";
    this.#skip(source.length);
    const edge = Object.hasOwn(EDGES, source) ? EDGES[source] : undefined;
    if (edge !== undefined) return { kind: "edge", at: edge };
    if (source === "" || /^\\(?:[1-9]|k)/.test(source)) return null;
    const known = this.#signs.get(source);
    const sign = known ?? toSignSet(source, this.#flags);
    this.#signs.set(source, sign);
    return { kind: "sign", sign };
  }

  #readQuantifier(item: Regex): Regex {
    const [text, mark, min = "", comma, max = "", lazy] = QUANTIFIER.exec(this.#rest) ?? [];
    if (text === undefined) return item;
    this.#skip(text.length);
    const shared = { kind: "repeat", item, lazy: lazy === "?" } as const;
    if (mark !== undefined) return { ...shared, min: mark === "+" ? 1 : 0, max: mark === "?" ? 1 : Infinity };
    return { ...shared, min: Number(min), max: comma === "" ? Number(min) : max === "" ? Infinity : Number(max) };
  }

  #take(sign: string): boolean {
    if (!this.#rest.startsWith(sign)) return false;
    this.#skip(sign.length);
    return true;
  }

  #skip(chars: number): void {
    this.#rest = this.#rest.slice(chars);
  }
}

/** What a class holds is asked of the runtime itself, a character at a time: that can't take long. */
function toSignSet(source: string, flags: string): SignSet {
  if (/^[^\\[.]$/u.test(source)) return { has: (sign) => sign === source, picks: () => [source] };
  const regex = new RegExp(`^(?:${source})$`, flags);
  const has = (sign: string) => regex.test(sign);
  let picks: readonly string[] | undefined;
  return {
    has,
    picks: () => {
      picks ??=
        [PLAIN_SIGNS, toNamedSigns(source), OTHER_SIGNS]
          .map((signs) => [...signs].filter(has))
          .find((signs) => signs.length > 0) ?? [];
      return picks;
    },
  };
}

/** The characters that a class names itself: what else would be sure to be in it? */
function toNamedSigns(source: string): string {
  return source
    .replace(/\\u\{([0-9a-f]+)\}|\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, ...codes: (string | undefined)[]) =>
      String.fromCodePoint(Number.parseInt(codes.find((code) => code !== undefined) ?? "20", 16)),
    )
    .replace(/\\/g, "");
}
