import { type Comment, type Node, parseSync, visitorKeys } from "oxc-parser";
import { NameChecker } from "./names.ts";

/** A problem with the language of a file. */
export interface Finding {
  /** The line number, from 1. */
  line: number;
  reason: string;
}

/** The text of a source file, for a Markdown checker. */
export interface Prose {
  /** The comments and strings of the source file, without indentation. Each one keeps its line number. */
  markdown: string;
  /** The problems in the syntax tree: forbidden names, and docstrings that start with the wrong word. */
  findings: Finding[];
}

const SCRIPT = /\.(?:tsx?|m?js)$/;
/** Directives of tools, and triple-slash references. */
const DIRECTIVE = /^\s*(?:biome-|@ts-|@vitest-|@__PURE__|#__PURE__|\/ *<)/;
const SQL = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH|FROM|WHERE|AND|OR|ORDER|ON)\b/;
/** Matches the start of a docstring that only names a subject. A docstring must say what the function does. */
const BAD_START = /^(?:What|Whether|Who|Whose|How|Where|Of|Tells)\b/;
const TEST_CALL = /^(?:it|test|describe)$/;

/**
 * Returns the comments of a source file and its strings that contain prose. In tests, only the names of tests are
 * included, because other strings are data. In SQL, CSS, TOML and shell files, only comments are included, and in JSON
 * only texts. Throws a SyntaxError for TypeScript that can't be parsed.
 */
export function extractProse(file: string, source: string): Prose {
  if (!SCRIPT.test(file)) return { markdown: toMarkdown(source, findPlainComments(file, source)), findings: [] };
  const { program, comments, errors } = parseSync(file, source);
  if (errors[0]) throw new SyntaxError(`${file}: ${errors[0].message}`);
  const pieces = comments.filter(({ value }) => !DIRECTIVE.test(value)).map(toPiece);
  const findings = comments.flatMap((comment) => checkStart(source, comment));
  const names = new NameChecker();
  walk(program, (node) => {
    const piece = file.startsWith("test/") ? toTestName(node) : toText(node);
    if (piece !== null) pieces.push(piece);
    names.visit(node);
  });
  for (const { start, reason } of names.found.values()) findings.push({ line: toLine(source, start), reason });
  return { markdown: toMarkdown(source, pieces), findings };
}

interface Piece {
  start: number;
  text: string;
}

/** Converts a comment to a piece. Removes the leading asterisks of a block comment and keeps its line breaks. */
function toPiece({ start, type, value }: Comment): Piece {
  return { start, text: type === "Block" ? value.replace(/^\*/, "").replace(/^[ \t]*\*/gm, "") : value };
}

function toText(node: Node): Piece | null {
  if (node.type === "JSXText") return { start: node.start, text: node.value };
  if (node.type === "Literal" && typeof node.value === "string")
    return isText(node.value) ? { start: node.start, text: node.value } : null;
  if (node.type !== "TemplateLiteral") return null;
  const text = node.quasis.map(({ value }) => value.cooked ?? "").join("…");
  return isText(text) ? { start: node.start, text } : null;
}

function toTestName(node: Node): Piece | null {
  if (node.type !== "CallExpression") return null;
  const [name] = node.arguments;
  return isTest(node.callee) && name !== undefined ? toText(name) : null;
}

/** Returns true for calls such as `it`, `it.concurrent` and `it.each(…)`. */
function isTest(callee: Node): boolean {
  if (callee.type === "Identifier") return TEST_CALL.test(callee.name);
  if (callee.type === "MemberExpression") return isTest(callee.object);
  return callee.type === "CallExpression" && isTest(callee.callee);
}

/** Returns true for a string of several words that isn't SQL, and for a word that is capitalized like a label. */
function isText(value: string): boolean {
  return /^[A-Z][a-z]+$/.test(value) || (/[a-z]\s+\S*[a-z]/i.test(value) && !SQL.test(value));
}

function checkStart(source: string, { start, type, value }: Comment): Finding[] {
  if (type !== "Block" || !value.startsWith("*")) return [];
  const word = BAD_START.exec(value.slice(1).replace(/^[\s*]+/, ""))?.[0];
  if (word === undefined) return [];
  return [
    {
      line: toLine(source, start),
      reason: `Don't start a docstring with '${word}'. Say what the function does or what the value is.`,
    },
  ];
}

/** The comments of each format, and the strings of JSON. */
const PLAIN_COMMENTS: Readonly<Record<string, RegExp>> = {
  sql: /--(.*)$/gm,
  css: /\/\*([\s\S]*?)\*\//g,
  toml: /#(.*)$/gm,
  yaml: /#(.*)$/gm,
  yml: /#(.*)$/gm,
  json: /"((?:[^"\\\n]|\\.)*)"/g,
  sh: /(?:^|\s)#(?!!)(.*)$/gm,
};

function findPlainComments(file: string, source: string): Piece[] {
  const pattern = PLAIN_COMMENTS[/\.(\w+)$/.exec(file)?.[1] ?? "sh"];
  if (pattern === undefined) return [];
  const pieces = [...source.matchAll(pattern)].map(({ index, 0: match, 1: text = "" }) => ({
    start: index + match.indexOf(text),
    text,
  }));
  return file.endsWith(".json") ? pieces.filter(({ text }) => isText(text)) : pieces;
}

/** Places each piece on its own line of the source, so that the checker reports the line numbers of the source. */
function toMarkdown(source: string, pieces: readonly Piece[]): string {
  const lines = source.split("\n").map(() => "");
  for (const { start, text } of pieces.toSorted((a, b) => a.start - b.start)) {
    const first = toLine(source, start) - 1;
    for (const [index, part] of text.split("\n").entries()) {
      const line = first + index;
      lines[line] = [lines[line], part.trim()].filter(Boolean).join(" ");
    }
  }
  return lines.join("\n");
}

function toLine(source: string, offset: number): number {
  let line = 1;
  for (let at = source.indexOf("\n"); at !== -1 && at < offset; at = source.indexOf("\n", at + 1)) line++;
  return line;
}

function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  for (const key of visitorKeys[node.type] ?? []) {
    const child: unknown = Reflect.get(node, key);
    for (const item of Array.isArray(child) ? child : [child]) if (isNode(item)) walk(item, visit);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && "type" in value;
}
