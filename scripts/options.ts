import { type ParseArgsConfig, parseArgs } from "node:util";
import { suggest } from "../src/lib/suggest.ts";

/**
 * Parses the command line of a script. With --help, prints the usage and exits. If an argument is unknown or invalid,
 * prints the usage and the reason, and exits with 1.
 */
export function parseOptions<const Config extends ParseArgsConfig>(
  usage: string,
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  return readCommandLine(usage, () => parseArguments(config));
}

/**
 * Returns the result of `read`. With --help, prints the usage and exits. If `read` throws, prints the usage and the
 * error's message, and exits with 1. The message is last, because a long usage would scroll it away.
 */
export function readCommandLine<Result>(usage: string, read: () => Result): Result {
  if (process.argv.slice(2).includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return read();
  } catch (error) {
    console.error(`${usage}\n\n${error instanceof Error ? error.message : error}`);
    process.exit(1);
  }
}

/**
 * Parses arguments (default: the command line). Throws if one is unknown or invalid. Suggests an option for a
 * misspelled one.
 */
export function parseArguments<const Config extends ParseArgsConfig>(
  config: Config,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const [, unknown] = /^Unknown option '(-[^']*)'/.exec(message) ?? [];
    if (unknown !== undefined) {
      const known = ["--help", ...Object.keys(config.options ?? {}).map((name) => `--${name}`)];
      throw new Error(`Unknown option '${unknown}'.${didYouMean(unknown, known)}`);
    }
    const [, incomplete] = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(message) ?? [];
    throw new Error(incomplete === undefined ? message : `${incomplete} needs a value.`);
  }
}

/**
 * Converts the value of an option to an integer. Throws if it isn't a whole number from `least` to `most` (default: any
 * larger number).
 */
export function readInteger(option: string, text: string, { least, most }: { least: number; most?: number }): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= (most ?? Number.POSITIVE_INFINITY)) return value;
  const range = most === undefined ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new Error(`${option} must be a whole number ${range}, but is '${text}'.`);
}

/**
 * Returns a question that suggests a known name for a misspelled or incomplete one, after a space. Returns "" if none is
 * similar.
 */
export function didYouMean(word: string, known: readonly string[]): string {
  const completed = word === "" ? undefined : known.find((name) => name.startsWith(word));
  const similar = completed ?? suggest(word, known) ?? known.find((name) => toLetters(name) === toLetters(word));
  return similar === undefined ? "" : ` Did you mean '${similar}'?`;
}

/** Returns the sorted letters of a word, which are the same after a transposition such as `prot` for `port`. */
function toLetters(word: string): string {
  return [...word].sort().join("");
}
