// Converts the code blocks of docs/ into HTML. An example in curl also gets the languages of the playground's samples.
import { createRequire } from "node:module";
import { type ApiRequest, toCode } from "../src/dashboard/pages/playground/samples.ts";
import { quoteForShell } from "../src/dashboard/ui/api-command.ts";

/** The Worker replaces this origin in the pages with its own. */
export const ORIGIN = "https://origin.invalid";

interface Highlighter {
  getLanguage(name: string): object | undefined;
  highlight(code: string, options: { language: string }): { value: string };
}

// An import would add the types of the DOM to all scripts, because the package's types refer to them.
const hljs: Highlighter = createRequire(import.meta.url)("highlight.js/lib/common");

const LABELS: Record<string, string> = {
  sh: "Shell",
  bash: "Shell",
  console: "Shell",
  json: "JSON",
  js: "JavaScript",
  ts: "TypeScript",
  python: "Python",
  py: "Python",
  sql: "SQL",
  toml: "TOML",
  php: "PHP",
  ruby: "Ruby",
  java: "Java",
};

/** The key in code. The script of the page shows the reader's key in its place. */
const KEYS = ["$KEY", `\${process.env.KEY}`, "{os.environ['KEY']}"];

/**
 * Returns a code block. A request of the API gets the tabs curl, TypeScript and Python. `info` is the language, and
 * optionally the name of the file that has the code.
 */
export function toCodeBlock(text: string, info: string): string {
  const [language = "", file] = info.split(" ");
  const shell = language === "sh" ? text.replaceAll("$BASE", ORIGIN).replace(/(?<=export BASE=)\S+/, ORIGIN) : text;
  const request = language === "sh" ? readCurl(shell) : null;
  if (request === null)
    return toBlock(
      `<span>${escapeHtml(file ?? LABELS[language] ?? "Text")}</span>`,
      toPre(language === "sh" ? breakCommands(shell) : shell, language, language === "json" ? ' class="wrapped"' : ""),
    );
  const { typescript, python } = toCode(request);
  const names = ["curl", "TypeScript", "Python"];
  const tabs = names.map(
    (name, i) => `<button type="button" data-language="${name}" aria-pressed="${i === 0}">${name}</button>`,
  );
  return toBlock(
    `<span class="languages" role="group" aria-label="Language">${tabs.join("")}</span>`,
    toPre(toLines(shell, request), "sh", ' data-language="curl"'),
    toPre(typescript, "ts", ' data-language="TypeScript" hidden'),
    toPre(python, "python", ' data-language="Python" hidden'),
  );
}

const MAX_COMMAND_CHARS = 80;

/** Returns a script whose long curl commands have a line for each option, with comments above them. */
function breakCommands(script: string): string {
  const toBroken = (line: string) => {
    const isCurl = /^[^#]*\bcurl\b|^\s+-[dHo] /.test(line);
    if (!isCurl || line.length <= MAX_COMMAND_CHARS) return line;
    const [, command = line, comment] = /^(.*\S)\s+(# .*)$/.exec(line) ?? [];
    const broken = command.replace(/'[^']*'|"(?:[^"\\]|\\.)*"|(?<=\S)\s+(?=-[dHo] )/g, (part) =>
      part.trim() === "" ? " \\\n  " : part,
    );
    return comment === undefined ? broken : `${comment}\n${broken}`;
  };
  return script.split("\n").map(toBroken).join("\n");
}

const MAX_BODY_CHARS = 60;

/** Returns the command with one line for each option, and a long body on several lines. */
function toLines(command: string, { body }: ApiRequest): string {
  const lines = command.trim().replace(/(?:\s|\\\n)+(-[dH] )/g, " \\\n  $1");
  const [start, data = ""] = lines.split("\n  -d ");
  if (data.length <= MAX_BODY_CHARS || data.includes("\n")) return lines;
  const flat = (_: string, items: string) => `[${items.split(/,\n\s+/).join(", ")}]`;
  const json = JSON.stringify(body, null, 2).replace(/\[\n\s+([^[\]{}]*)\n\s+\]/g, flat);
  return `${start}\n  -d ${quoteForShell(json)}`;
}

function toBlock(head: string, ...parts: string[]): string {
  const copy = '<button type="button" class="copy">Copy</button>';
  return `<div class="code"><div class="code-head">${head}${copy}</div>${parts.join("")}</div>\n`;
}

function toPre(text: string, language: string, attributes = ""): string {
  // Scrollable areas must be reachable by keyboard.
  return `<pre tabindex="0"${attributes}><code>${highlight(text.trimEnd(), language)}</code></pre>`;
}

function highlight(text: string, name: string): string {
  const language = name === "console" ? "sh" : name;
  const marked = KEYS.reduce((code, key, i) => code.replaceAll(key, `KEY_NUMBER_${i}`), text);
  const html =
    hljs.getLanguage(language) === undefined ? escapeHtml(marked) : hljs.highlight(marked, { language }).value;
  return KEYS.reduce(
    (code, key, i) => code.replaceAll(`KEY_NUMBER_${i}`, `<span data-key>${escapeHtml(key)}</span>`),
    html,
  );
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/** Matches a word of a command: parts in single quotes, in double quotes, and without quotes, and the space after it. */
const WORD = /((?:'[^']*'|"(?:[^"\\`$]|\\.|\$(?!\())*"|[^\s'"\\|;&<>()`#])+)(?:\s|\\\n)*/y;
const PART = /'([^']*)'|"((?:[^"\\]|\\.)*)"|([^'"]+)/g;

/** Matches a variable of the shell. The other languages would send its name. `$ref` of a JSON schema is no variable. */
const SHELL_VARIABLE = /\$[A-Z]/;

/** Returns the request of one curl command, or null for another command or for options that aren't known here. */
export function readCurl(command: string): ApiRequest | null {
  const words = readWords(command.trim());
  if (words?.[0] !== "curl") return null;
  const request: ApiRequest = { method: "", url: "", headers: {} };
  const headers: Record<string, string> = {};
  for (let i = 1; i < words.length; i++) {
    const word = words[i] ?? "";
    const value = words[i + 1] ?? "";
    if (word === "-s" || word === "-g") continue;
    if (word.startsWith(`${ORIGIN}/v1/`)) {
      request.url = word;
      continue;
    }
    if (word === "-X") request.method = value;
    else if (word === "-d" && value.startsWith("{") && !SHELL_VARIABLE.test(value))
      request.body = JSON.parse(value) as Record<string, unknown>;
    else if (word === "-H") headers[value.split(": ")[0] ?? ""] = value.split(": ").slice(1).join(": ");
    else return null;
    i++;
  }
  const { Authorization: key, "Content-Type": _, ...others } = headers;
  if (request.url === "" || key !== "Bearer $KEY") return null;
  return { ...request, method: request.method || (request.body === undefined ? "GET" : "POST"), headers: others };
}

/** Returns the words of a command without their quotes, or null if it has a syntax such as a pipe. */
function readWords(command: string): string[] | null {
  const words: string[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(command); match !== null; match = WORD.exec(command)) {
    const parts = (match[1] ?? "").matchAll(PART);
    words.push(
      [...parts].map(([, single, double, bare]) => single ?? double?.replace(/\\(.)/g, "$1") ?? bare).join(""),
    );
    if (WORD.lastIndex === command.length) return words;
  }
  return null;
}
