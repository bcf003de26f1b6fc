// The arguments of `npm start`, and the secrets that it reads from the environment.
import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { SECRETS } from "./known-variables.ts";
import { parseArguments, readCommandLine, readInteger } from "./options.ts";

export const DEFAULT_PORT = 8788;

const USAGE = `npm start -- [options]

  --port N             the port to listen on (default ${DEFAULT_PORT}, or any free port if it is in use)
  --ip ADDRESS         the address to listen on (default 127.0.0.1)
  --persist-to DIR     the folder that stores the service's state (default .wrangler/state)
  --var NAME:VALUE     sets a variable of wrangler.toml or a secret; can be repeated
  --var-file FILE      sets variables and secrets from a file with lines NAME=VALUE
  --verbose            prints the sample page, and all log lines as JSON
  --watch              reloads the service after edits of src/ and assets/, as npm run dev does
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
  watch: boolean;
}

/** Parses the command line. Prints the usage and exits if an argument is invalid. */
export function readArguments(): StartArguments {
  return readCommandLine(USAGE, () => {
    const { values } = parseArguments({
      options: {
        port: { type: "string" },
        ip: { type: "string" },
        "persist-to": { type: "string" },
        var: { type: "string", multiple: true, default: [] },
        "var-file": { type: "string" },
        verbose: { type: "boolean", default: false },
        watch: { type: "boolean", default: false },
      },
    });
    return {
      port: values.port === undefined ? null : readInteger("--port", values.port, { least: 0, most: 65_535 }),
      ip: values.ip ?? null,
      persistTo: values["persist-to"] ?? null,
      vars: new Map(values.var.map(readVar)),
      fileVars: values["var-file"] === undefined ? new Map() : readVarFile(values["var-file"]),
      verbose: values.verbose,
      watch: values.watch,
    };
  });
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

function readVar(text: string): [name: string, value: string] {
  const at = text.indexOf(":");
  if (at < 0) throw new Error(`--var must have the form NAME:VALUE, but is "${text}".`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function readVarFile(path: string): Map<string, string> {
  try {
    return new Map(Object.entries(parseEnv(readFileSync(path, "utf8"))).map(([name, value]) => [name, value ?? ""]));
  } catch (error) {
    throw new Error(`The file of --var-file can't be read: ${error instanceof Error ? error.message : error}`);
  }
}
