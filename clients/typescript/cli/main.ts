// The command line of the package. Results go to stdout, and messages to stderr.
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  type CrawlSiteRequest,
  ExtractionClient,
  ExtractionError,
  type ParseRequest,
  type ScrapeRequest,
} from "web-data-extraction";
import { chooseService, chooseServiceUrl, readKey, storeService, UsageError } from "./service";

const HELP = `web-data-extraction <command> [options]

  scrape URL      prints a page
  search QUERY    prints search results
  crawl URL       prints the pages of a site, one JSON object per line
  map URL         prints the URLs of a site
  parse URL       prints data from a page (--schema, --prompt or both)
  login           stores the URL of the service, and a key from stdin

  --base-url URL      the URL of the service
  --format FORMAT     scrape, crawl: the formats, such as markdown,links
  --schema FILE       parse: the JSON Schema of the data
  --prompt TEXT       parse: a description of the data
  --set NAME=VALUE    another field of the request, as JSON or text
  --json              prints the whole response as JSON
  --help, --version

EXTRACTION_API_KEY has the key, and EXTRACTION_BASE_URL the URL of the service.
Without them, the commands use what 'login' has stored.

Exit codes: 0 success, 1 error of the API or the network, 2 invalid arguments.
`;

const OPTIONS = {
  "base-url": { type: "string" },
  format: { type: "string", multiple: true },
  help: { type: "boolean", short: "h" },
  json: { type: "boolean" },
  prompt: { type: "string" },
  schema: { type: "string" },
  set: { type: "string", multiple: true },
  version: { type: "boolean" },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>["values"];

interface Call {
  client: ExtractionClient;
  /** The body of the request. */
  request: Record<string, unknown>;
  options: Options;
  signal: AbortSignal;
}

interface Command {
  /** The field of the request that has the command's argument. */
  field: string;
  options: (keyof Options)[];
  run: (call: Call) => Promise<void>;
}

/** The response that a command prints with `--json`, and the text that it prints otherwise. */
interface Output {
  response: { data: unknown; meta: object };
  text: string;
}

const COMMANDS: Record<string, Command> = {
  scrape: {
    field: "url",
    options: ["format", "json"],
    async run({ client, request, options, signal }) {
      const body = { formats: readFormats(options), ...request } as unknown as ScrapeRequest;
      const response = await client.scrape(body, { signal });
      await printResponse({ response, text: toFormatText(response.data, body.formats ?? []) }, options);
    },
  },
  search: {
    field: "query",
    options: ["json"],
    async run({ client, request, options, signal }) {
      const response = await client.serp(request as { query: string }, { signal });
      const results = response.data.organic.map(({ title, url, snippet }) =>
        [title, url, snippet].filter(Boolean).join("\n"),
      );
      await printResponse({ response, text: results.join("\n\n") }, options);
    },
  },
  crawl: { field: "url", options: ["format", "json"], run: crawl },
  map: {
    field: "url",
    options: ["json"],
    async run({ client, request, options, signal }) {
      const response = await client.map(request as { url: string }, { signal });
      await printResponse({ response, text: response.data.urls.map(({ url }) => url).join("\n") }, options);
    },
  },
  parse: {
    field: "url",
    options: ["json", "prompt", "schema"],
    async run({ client, request, options, signal }) {
      const { prompt, schema } = options;
      const given = {
        ...(prompt !== undefined && { prompt }),
        ...(schema !== undefined && { schema: readJsonFile(schema) }),
      };
      const response = await client.parse({ ...given, ...request } as ParseRequest, { signal });
      await printResponse({ response, text: JSON.stringify(response.data, null, 2) }, options);
    },
  },
};

/** Prints the pages of a crawl as they end. An interrupted crawl is canceled, because its pages would cost credits. */
async function crawl({ client, request, options, signal }: Call): Promise<void> {
  const { scrape, ...others } = request;
  const body = { ...others, scrape: { formats: readFormats(options), ...(scrape as object) } };
  // Without the signal, because an interrupted request could leave a crawl that no caller knows.
  const started = await client.crawl(body as unknown as CrawlSiteRequest);
  printMessage(`crawl ${started.id} has started`);
  try {
    signal.throwIfAborted();
    for await (const page of started.pages({ signal })) await print(JSON.stringify(page));
  } catch (error) {
    if (signal.aborted) await started.cancel();
    throw error;
  }
  const { counts, credits } = await started.status({ signal });
  printMessage(`${counts.completed} pages completed, ${counts.failed} failed, ${credits.used} credits used`);
}

async function login(options: Options, signal: AbortSignal): Promise<void> {
  const baseUrl = chooseServiceUrl(options["base-url"]);
  const apiKey = await readKey(signal);
  await connect({ apiKey, baseUrl })
    .usage({}, { signal })
    .catch((error: unknown) => {
      // A valid key may not have the scope for reading the usage.
      if (!(error instanceof ExtractionError && error.code === "insufficient_scope")) throw error;
    });
  printMessage(`stored the key in ${storeService({ apiKey, baseUrl })}`);
}

function connect(service: { apiKey: string; baseUrl: string }): ExtractionClient {
  try {
    return new ExtractionClient(service);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function readFormats({ format = ["markdown"] }: Options): string[] {
  return format.flatMap((names) => names.split(","));
}

/** Returns the text of a scrape: the content if there is one format, or JSON. Formats such as links are one URL per line. */
function toFormatText(data: object, formats: readonly unknown[]): string {
  const [format] = formats;
  const name = typeof format === "string" ? format : (format as { type?: string } | undefined)?.type;
  const values: Record<string, unknown> = { ...data };
  const value = formats.length === 1 ? (values[`${name}`] ?? values[`${name}_url`] ?? data) : data;
  if (typeof value === "string") return value;
  const urls = Array.isArray(value) ? value.map((one: { url?: unknown }) => one.url) : [undefined];
  return urls.every((url) => typeof url === "string") ? urls.join("\n") : JSON.stringify(value, null, 2);
}

/** Returns the request's fields from `--set`. A value that isn't JSON is text. */
function readFields(given: readonly string[]): Record<string, unknown> {
  const fields = given.map((field) => {
    const [, name, value = ""] = /^(\w+)=(.*)$/s.exec(field) ?? [];
    if (name === undefined) throw new UsageError(`--set must have the form NAME=VALUE, not '${field}'.`);
    if (name === "dry_run" || name === "file") throw new UsageError(`--set can't set '${name}'.`);
    try {
      return [name, JSON.parse(value)];
    } catch {
      return [name, value];
    }
  });
  return Object.fromEntries(fields);
}

function readJsonFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw new UsageError(`The file '${path}' can't be read as JSON: ${error instanceof Error ? error.message : error}`);
  }
}

async function printResponse({ response, text }: Output, options: Options): Promise<void> {
  const { hint } = response.meta as { hint?: string };
  if (hint !== undefined) printMessage(`hint: ${hint}`);
  await print(options.json === true ? JSON.stringify(response, null, 2) : text);
}

/** Resolves when stdout has taken the text, so that a slow reader also slows down a crawl. */
function print(text: string): Promise<void> {
  const line = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  return new Promise((resolve) => process.stdout.write(line, () => resolve()));
}

function printMessage(text: string): void {
  process.stderr.write(`web-data-extraction: ${text}\n`);
}

function printError(error: ExtractionError): void {
  printMessage(`${error.code}: ${error.message}`);
  // The error of `fetch` has the reason of a failed connection as its cause.
  const reason = error.code === "network_error" ? (error.cause as Error | undefined)?.cause : null;
  const lines = [
    ...error.details.map(({ path, message }) => ["field", `${path}: ${message}`]),
    ["reason", reason instanceof Error ? reason.message : null],
    ["hint", error.hint],
    ["job id", error.jobId],
    ["request id", error.requestId],
  ];
  for (const [name, value] of lines) if (value) process.stderr.write(`  ${name}: ${value}\n`);
}

function readArguments(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function run(args: string[], signal: AbortSignal): Promise<void> {
  const { values: options, positionals } = readArguments(args);
  if (options.help) return await print(HELP);
  if (options.version) {
    const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    return await print((JSON.parse(manifest) as { version: string }).version);
  }
  const [name = "", argument, ...more] = positionals;
  const command = name === "login" ? null : Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) throw new UsageError(name === "" ? "A command is missing." : `Unknown command '${name}'.`);
  const known = command === null ? ["base-url"] : ["base-url", "set", ...command.options];
  const unknown = Object.keys(options).find((option) => !known.includes(option));
  if (unknown !== undefined) throw new UsageError(`'${name}' doesn't have the option --${unknown}.`);
  if (more.length > 0 || (command === null && argument !== undefined))
    throw new UsageError(`'${name}' has too many arguments.`);
  if (command === null) return await login(options, signal);
  if (argument === undefined) throw new UsageError(`'${name}' needs an argument: the ${command.field}.`);
  const request = { ...readFields(options.set ?? []), [command.field]: argument };
  await command.run({ client: connect(chooseService(options["base-url"])), request, options, signal });
}

const stop = new AbortController();
/** The exit code after an interruption. Nothing is printed then. */
function interrupt(code: number): void {
  process.exitCode = code;
  stop.abort();
}
// A second Ctrl-C ends the process immediately.
process.once("SIGINT", () => interrupt(130));
process.once("SIGTERM", () => interrupt(143));
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // The reader of the pipe has closed it, as `head` does.
  if (error.code === "EPIPE") return interrupt(0);
  printMessage(error.message);
  interrupt(1);
});
// The reader of the messages has closed its pipe.
process.stderr.on("error", () => {});

try {
  await run(process.argv.slice(2), stop.signal);
} catch (error) {
  if (error instanceof UsageError) {
    printMessage(`${error.message}\nRun 'web-data-extraction --help' for the commands and options.`);
    process.exitCode = 2;
  } else if (!stop.signal.aborted) {
    if (!(error instanceof ExtractionError)) throw error;
    printError(error);
    process.exitCode = 1;
  }
}
