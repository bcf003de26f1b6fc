// Writes src/pdf/pdfjs.generated.mjs: the pdf.js of `unpdf`, with a meter in it. `npm run assets` and vitest.config.ts run it.
//
// A PDF is a program for pdf.js: a few kilobytes can keep it busy for hours or make it allocate gigabytes. pdf.js has no
// limits of its own, and its classes can't be reached from outside. Therefore every loop and every function of this copy
// counts a step, and every typed array counts its bytes. src/pdf/budget.ts holds the limits and throws.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseAst } from "vitest/node";

const PROJECT = resolve(import.meta.dirname, "..");
const SOURCE = join(PROJECT, "node_modules/unpdf/dist/pdfjs.mjs");
const TARGET = join(PROJECT, "src/pdf/pdfjs.generated.mjs");

/** The meter is asked once per so many steps, because a call per step would double the time of reading. */
const STEPS_PER_CHARGE = 1_000;
/** An object of a class takes about 300 bytes. It counts as so many steps, so that the limit of steps bounds the memory. */
const STEPS_PER_OBJECT = 200;
/** An entry of a sparse table takes about 50 bytes. */
const STEPS_PER_ENTRY = 20;

const PROLOGUE = `import { allocate, isPauseDue as $isPauseDue, pause as $pause, spend } from "./budget";
// What runs while the module loads belongs to no document.
let $isLoaded = false;
let $fuel = 1e9;
function $refuel() { spend(${STEPS_PER_CHARGE} - $fuel); $fuel = ${STEPS_PER_CHARGE}; }
function $allocate(argument, bytes) { return $isLoaded ? allocate(argument, bytes) : argument; }
// workerd's DecompressionStream decodes a whole chunk into memory before a byte can be counted. pdf.js has code of its own,
// which streams use that aren't asynchronous.
const DecompressionStream = undefined;
`;
const EPILOGUE = "\n$isLoaded = true;\n$fuel = 0;\n";
const STEP = "--$fuel<0&&$refuel();";
const ENTRY = `($fuel-=${STEPS_PER_ENTRY})<0&&$refuel();`;
/** These count without throwing. */
const UNCHECKED_STEP = "--$fuel;";
const OBJECT = `$fuel-=${STEPS_PER_OBJECT};`;

/** Methods whose loops add an entry to a table for each character of a range. The PDF gives the ranges. */
const TABLE_METHODS: ReadonlySet<string> = new Set(["extractWidths", "mapBfRange", "mapBfRangeToArray", "mapCidRange"]);
/**
 * A member of each class that reports errors: MessageHandler (in both halves of pdf.js), LoopbackPort, WorkerTask and
 * WorkerMessageHandler. These classes only count, because an error in them would be an unhandled rejection. What they do
 * doesn't depend on the PDF.
 */
const REPORTING_MEMBERS: ReadonlySet<string> = new Set([
  "sendWithStream",
  "postMessage",
  "ensureNotTerminated",
  "createDocumentHandler",
]);
/** The functions that log, which error handlers call. */
const LOGGERS = /^(?:info|warn)(?:\$\d+)?$/;

/** Constructors whose only argument can be a length, with the bytes of an element. */
const BYTES_PER_ELEMENT: ReadonlyMap<string, number> = new Map([
  ["Uint8Array", 1],
  ["Uint8ClampedArray", 1],
  ["Int8Array", 1],
  ["Uint16Array", 2],
  ["Int16Array", 2],
  ["Uint32Array", 4],
  ["Int32Array", 4],
  ["Float32Array", 4],
  ["Float64Array", 8],
  ["BigInt64Array", 8],
  ["BigUint64Array", 8],
  ["ArrayBuffer", 1],
  ["SharedArrayBuffer", 1],
  ["Array", 8],
]);

interface Node {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

interface Scope {
  /** In a method of TABLE_METHODS. */
  isTable: boolean;
  /** In a class of REPORTING_MEMBERS. */
  isUnchecked: boolean;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Writes the copy, unless it was made by this script from the same source. */
export function writePdfjs(): void {
  const source = readFileSync(SOURCE, "utf8");
  const hash = createHash("sha256")
    .update(source)
    .update(readFileSync(import.meta.filename))
    .digest("hex");
  const firstLine = `// Made by scripts/pdfjs.ts: ${hash}\n`;
  if (existsSync(TARGET) && readFileSync(TARGET, "utf8").startsWith(firstLine)) return;
  // Another process may read the file or write it meanwhile.
  const part = `${TARGET}.${process.pid}`;
  writeFileSync(part, firstLine + PROLOGUE + meter(source) + EPILOGUE);
  renameSync(part, TARGET);
}

/** Adds the meter to the source. Throws if a place that it must change isn't there exactly as often as expected. */
function meter(source: string): string {
  const program = parseAst(source) as unknown as Node;
  const resolved = findResolvedPromise(program);
  const edits: Edit[] = [];
  const insert = (at: number, text: string) => edits.push({ start: at, end: at, text });
  const replace = ({ start, end }: Node, text: string) => edits.push({ start, end, text });
  let slotChecks = 0;
  let yields = 0;
  let tables = 0;
  let reporters = 0;
  let asyncStreams = 0;

  const visit = (node: Node, parent: Node | null, scope: Scope): void => {
    let inside = scope;
    switch (node.type) {
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "WhileStatement":
      case "DoWhileStatement": {
        const body = node.body as Node;
        const step = scope.isUnchecked ? UNCHECKED_STEP : scope.isTable ? ENTRY : STEP;
        if (body.type === "BlockStatement") insert(body.start + 1, step);
        else {
          insert(body.start, `{${step}`);
          insert(body.end, "}");
        }
        break;
      }
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression": {
        const body = node.body as Node;
        if (body.type === "BlockStatement") insert(body.start + 1, stepOfFunction(node, parent, scope));
        break;
      }
      case "MethodDefinition": {
        const name = String(nameOf(node));
        const isTable = TABLE_METHODS.has(name);
        if (isTable) tables++;
        inside = { ...scope, isTable };
        if (node.kind === "get" && name === "isAsync") {
          replace((node.value as Node).body as Node, "{return false}");
          asyncStreams++;
          return;
        }
        break;
      }
      case "NewExpression":
      case "CallExpression": {
        const callee = node.callee as Node;
        const [first, ...others] = node.arguments as Node[];
        const bytes = callee.type === "Identifier" ? BYTES_PER_ELEMENT.get(String(callee.name)) : undefined;
        if (bytes !== undefined && first !== undefined && others.length === 0) {
          insert(first.start, "$allocate(");
          insert(first.end, `,${bytes})`);
        }
        // The evaluator continues in a microtask when its time slot is over. Other requests need a task.
        if (callee.name === "next" && first?.type === "Identifier" && first.name === resolved) {
          replace(first, "$pause()");
          yields++;
        }
        break;
      }
      case "ClassBody": {
        const members = node.body as Node[];
        if (members.some((member) => REPORTING_MEMBERS.has(String(nameOf(member))))) {
          reporters++;
          inside = { ...scope, isUnchecked: true };
        }
        // The evaluator's time slots are made of steps, because the clock of a Worker stands still between two events.
        if (members.some((member) => nameOf(member) === "CHECK_TIME_EVERY")) {
          const check = members.find((member) => nameOf(member) === "check")?.value as Node | undefined;
          if (check === undefined) break;
          replace(check.body as Node, "{return $isPauseDue()}");
          slotChecks++;
          for (const member of members) if (member.value !== check) visit(member, node, inside);
          return;
        }
      }
    }
    for (const child of childrenOf(node)) visit(child, node, inside);
  };
  visit(program, null, { isTable: false, isUnchecked: false });

  const found = { slotChecks, yields, tables, reporters, asyncStreams };
  const expected = { slotChecks: 1, yields: 2, tables: 7, reporters: 5, asyncStreams: 3 };
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`pdf.js has changed. Expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}.`);
  }
  return applyEdits(source, edits);
}

/** Returns the step at the start of a function. Callbacks and constructors only count, because they may handle an error. */
function stepOfFunction({ id }: Node, parent: Node | null, { isUnchecked }: Scope): string {
  if (parent?.type === "MethodDefinition" && parent.kind === "constructor") return OBJECT;
  const isLogger = LOGGERS.test(String((id as Node | null)?.name));
  return isUnchecked || isLogger || parent?.type === "CallExpression" ? UNCHECKED_STEP : STEP;
}

/** The name of the constant that is `Promise.resolve()`. */
function findResolvedPromise(program: Node): string {
  const names = (program.body as Node[])
    .flatMap((statement) => (statement.type === "VariableDeclaration" ? (statement.declarations as Node[]) : []))
    .filter(({ init }) => {
      const call = init as Node | null;
      if (call?.type !== "CallExpression" || (call.arguments as Node[]).length > 0) return false;
      const { object, property } = call.callee as { object?: Node; property?: Node };
      return object?.name === "Promise" && property?.name === "resolve";
    })
    .map(({ id }) => String((id as Node).name));
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new Error(`pdf.js has ${names.length} resolved promises; expected 1.`);
  return name;
}

function nameOf(member: Node): unknown {
  return (member.key as Node | undefined)?.name;
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === "object" && value !== null && "type" in value);
}

function applyEdits(source: string, edits: Edit[]): string {
  const parts: string[] = [];
  let done = 0;
  // The sort is stable: of two insertions at the same place, the outer node's comes first.
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start)) {
    parts.push(source.slice(done, start), text);
    done = end;
  }
  return parts.join("") + source.slice(done);
}

if (import.meta.main) writePdfjs();
