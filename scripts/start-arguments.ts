// The arguments of `npm start`, and the secrets that it reads from the environment.
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { SECRETS } from "./known-variables.ts";

export const DEFAULT_PORT = 8787;

const USAGE = `npm start -- [options]

  --port N             the port to listen on (default ${DEFAULT_PORT}, or any free port if it is in use)
  --ip ADDRESS         the address to listen on (default 127.0.0.1)
  --persist-to DIR     the folder that stores the service's state (default .wrangler/state)
  --var NAME:VALUE     sets a variable of wrangler.toml or a secret; can be repeated
  --var-file FILE      sets variables and secrets from a file with lines NAME=VALUE
  --verbose            prints the sample page and all messages of the local runtime
  --help               prints this help

Other users of this machine can read the command line. Set secrets with --var-file, or as environment variables with
the names of the secrets, such as OPENAI_API_KEY. --var replaces values of --var-file, which replace the environment.`;

export interface StartArguments {
  /** Null for the default port. If the default port is in use, the service then uses any free port. */
  port: number | null;
  ip: string | null;
  persistTo: string | null;
  vars: Map<string, string>;
  /** The variables of --var-file. */
  fileVars: Map<string, string>;
  verbose: boolean;
}

/**
 * Parses the arguments. Accepts `--name value` and `--name=value`. Prints the usage and exits if an argument is
 * invalid.
 */
export function readArguments(argv: string[]): StartArguments {
  const vars = { vars: new Map<string, string>(), fileVars: new Map<string, string>() };
  const result: StartArguments = { port: null, ip: null, persistTo: null, ...vars, verbose: false };
  const words = argv.flatMap((word) => (/^--[a-z-]+=/.test(word) ? splitOnce(word, "=") : [word]));
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === "--help") usage(0);
    if (word === "--verbose") {
      result.verbose = true;
      continue;
    }
    if (!["--port", "--ip", "--persist-to", "--var", "--var-file"].includes(word)) usage(1, `Unknown option: ${word}.`);
    const value = words.shift();
    if (value === undefined) usage(1, `${word} needs a value.`);
    if (word === "--port") result.port = readPort(value);
    else if (word === "--ip") result.ip = value;
    else if (word === "--persist-to") result.persistTo = value;
    else if (word === "--var-file") result.fileVars = readVarFile(value);
    else {
      const [name = "", text] = splitOnce(value, ":");
      if (text === undefined) usage(1, `--var must have the form NAME:VALUE, but is "${value}".`);
      result.vars.set(name, text);
    }
  }
  return result;
}

/**
 * Returns the secrets in the environment. Removes them from it, so that the processes that this process starts, such as
 * browsers, don't get them.
 */
export function takeSecrets(environment: NodeJS.ProcessEnv): Map<string, string> {
  const secrets = new Map<string, string>();
  for (const name of SECRETS) {
    const value = environment[name] ?? "";
    if (value !== "") secrets.set(name, value);
    delete environment[name];
  }
  return secrets;
}

function readVarFile(path: string): Map<string, string> {
  try {
    return new Map(Object.entries(parseEnv(readFileSync(path, "utf8"))).map(([name, value]) => [name, value ?? ""]));
  } catch (error) {
    usage(1, `The file of --var-file can't be read: ${error instanceof Error ? error.message : error}`);
  }
}

function readPort(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    usage(1, `--port must be a number from 0 to 65535, but is "${text}".`);
  return value;
}

function usage(code: number, problem?: string): never {
  if (problem !== undefined) console.error(`${problem}\n`);
  (code === 0 ? console.log : console.error)(USAGE);
  process.exit(code);
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}
