import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { addAbortSignal, Writable } from "node:stream";
import { text } from "node:stream/consumers";

/** The command can't run with these arguments, variables or files. */
export class UsageError extends Error {}

interface Service {
  apiKey: string;
  baseUrl: string;
}

const { XDG_CONFIG_HOME, EXTRACTION_API_KEY, EXTRACTION_BASE_URL } = process.env;

/** Returns the path of the file with the key. */
function toFile(): string {
  return join(XDG_CONFIG_HOME || join(homedir(), ".config"), "web-data-extraction", "config.json");
}

/** Returns the URL and the key of the service from the option, the variables or the file. */
export function chooseService(option: string | undefined): Service {
  const baseUrl = chooseServiceUrl(option);
  if (EXTRACTION_API_KEY) return { baseUrl, apiKey: EXTRACTION_API_KEY };
  const stored = readStored();
  if (stored === null)
    throw new UsageError("There is no API key. Set EXTRACTION_API_KEY, or run 'web-data-extraction login'.");
  // The key must not be sent to another service.
  if (stored.baseUrl !== baseUrl)
    throw new UsageError(`The stored key is for ${stored.baseUrl}. Set EXTRACTION_API_KEY to a key for ${baseUrl}.`);
  return stored;
}

export function chooseServiceUrl(option: string | undefined): string {
  const given = option ?? (EXTRACTION_BASE_URL || readStored()?.baseUrl);
  if (given === undefined) throw new UsageError("Set --base-url or EXTRACTION_BASE_URL to the URL of the service.");
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw new UsageError(`The URL of the service must be an http or https URL, not '${given}'.`);
  return new URL(given).href;
}

function readStored(): Service | null {
  const file = toFile();
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Service;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new UsageError(`${file} can't be read. Run 'web-data-extraction login' after you have removed it.`);
  }
}

/** Stores the key in a file that only the user can read. Returns the path of the file. */
export function storeService(service: Service): string {
  const file = toFile();
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // An existing file would keep its mode, so a new one replaces it.
    const part = `${file}.${process.pid}`;
    writeFileSync(part, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    throw new UsageError(`${file} can't be written: ${error instanceof Error ? error.message : error}`);
  }
  return file;
}

/** Reads the key from stdin. On a terminal, the key isn't shown. */
export async function readKey(signal: AbortSignal): Promise<string> {
  const key = (
    process.stdin.isTTY ? await promptForKey(signal) : await text(addAbortSignal(signal, process.stdin))
  ).trim();
  if (key === "") throw new UsageError("'login' reads an API key from stdin, but there is none.");
  return key;
}

function promptForKey(signal: AbortSignal): Promise<string> {
  process.stderr.write("API key (not shown): ");
  // In its terminal mode, readline reads the keys itself, and writes them to this stream instead of the terminal.
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: hidden, terminal: true });
  const key = new Promise<string>((resolve, reject) => {
    prompt.once("line", resolve);
    prompt.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
    prompt.once("close", () => resolve(""));
    signal.addEventListener("abort", () => reject(signal.reason));
  });
  return key.finally(() => {
    prompt.close();
    process.stderr.write("\n");
  });
}
