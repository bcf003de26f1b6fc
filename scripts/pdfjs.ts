// Writes src/pdf/pdfjs.generated.mjs: a copy of the pdf.js of `unpdf` that counts its steps and memory. `npm run
// assets` and vitest.config.ts run this script.
//
// A PDF of a few kilobytes can keep pdf.js busy for hours or make it allocate gigabytes. pdf.js has no limits, and it
// doesn't export the classes that would need them. Therefore every loop and every function of the copy counts a step,
// and every typed array counts its bytes. src/pdf/budget.ts defines the limits and throws if one is exceeded.
//
// The budget's error can be thrown at any line, even before pdf.js has attached a handler to a new promise. Therefore,
// the copy marks every promise as handled when it creates the promise.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PROJECT = resolve(import.meta.dirname, "..");
const SOURCE = join(PROJECT, "node_modules/unpdf/dist/pdfjs.mjs");
const TARGET = join(PROJECT, "src/pdf/pdfjs.generated.mjs");

/**
 * The copy calls `spend` once per this number of steps. A call for each step would double the time for reading a PDF.
 */
const STEPS_PER_CHARGE = 1_000;
/**
 * The cost of creating an object, in steps. An object takes about 300 bytes, so the limit of steps also limits memory.
 */
const STEPS_PER_OBJECT = 200;
/** The cost of a new entry in a sparse table, in steps. An entry takes about 50 bytes. */
const STEPS_PER_ENTRY = 20;

const PROLOGUE = `import { allocate, isPauseDue as $isPauseDue, keepImage as $keepImage, pause as $pause, spend } from "./budget";
// Steps while the module loads aren't counted, because they don't belong to a document.
let $isLoaded = false;
let $fuel = 1e9;
function $refuel() { spend(${STEPS_PER_CHARGE} - $fuel); $fuel = ${STEPS_PER_CHARGE}; }
function $allocate(argument, bytes) { return $isLoaded ? allocate(argument, bytes) : argument; }
// workerd's DecompressionStream decodes a whole chunk into memory before its bytes can be counted. Without it, pdf.js
// uses its own synchronous decompression, which counts its steps.
const DecompressionStream = undefined;
const $then = Promise.prototype.then;
function $ignore() {}
// Takes a promise or the result of Promise.withResolvers(). If the promise rejects, no "unhandledrejection" event is
// fired. Other handlers of the promise still get the error.
function $handled(value) {
  const promise = value instanceof Promise ? value : value?.promise;
  if (promise instanceof Promise) $then.call(promise, undefined, $ignore);
  return value;
}
// Adds the painted straight lines and rectangles of a page to its items of text. Collects a path in \`states.path\` as
// pairs of points on the page, and adds it when it's painted. pdf.js itself ignores paths when it reads text.
function $draw(OPS, fn, args, states, items) {
  const path = (states.path ??= []);
  const at = (x, y) => {
    const [a, b, c, d, e, f] = states.state.ctm;
    return [a * x + c * y + e, b * x + d * y + f];
  };
  // Longer lines that are neither horizontal nor vertical, such as those of charts and maps, aren't rulings.
  const line = (to) => {
    const from = states.point;
    states.point = to;
    if (!from) return;
    const [width, height] = [Math.abs(to[0] - from[0]), Math.abs(to[1] - from[1])];
    if (Math.min(width, height) > 1 && Math.max(width, height) > 10) return;
    spend(20);
    path.push(from[0], from[1], to[0], to[1]);
  };
  switch (fn) {
    case OPS.moveTo:
      states.first = states.point = at(args[0], args[1]);
      break;
    case OPS.lineTo:
      line(at(args[0], args[1]));
      break;
    case OPS.curveTo:
      line(at(args[4], args[5]));
      break;
    case OPS.curveTo2:
    case OPS.curveTo3:
      line(at(args[2], args[3]));
      break;
    case OPS.closePath:
      if (states.first) line(states.first);
      break;
    case OPS.rectangle: {
      const [x, y, width, height] = args;
      states.first = states.point = at(x, y);
      for (const [toX, toY] of [[x + width, y], [x + width, y + height], [x, y + height], [x, y]]) line(at(toX, toY));
      break;
    }
    case OPS.endPath:
      states.path = [];
      break;
    case OPS.stroke:
    case OPS.closeStroke:
    case OPS.fill:
    case OPS.eoFill:
    case OPS.fillStroke:
    case OPS.eoFillStroke:
    case OPS.closeFillStroke:
    case OPS.closeEOFillStroke:
      if (path.length > 0) items.push({ type: "path", points: path, isFilled: fn !== OPS.stroke && fn !== OPS.closeStroke });
      states.path = [];
  }
}
`;
const EPILOGUE = "\n$isLoaded = true;\n$fuel = 0;\n";
const STEP = "--$fuel<0&&$refuel();";
/**
 * The additional cost, in steps, of a call that adds an entry to an array, a map or a set. The entry stays in memory.
 */
const STEPS_PER_ADDITION = 10;
const ADDING_METHODS: ReadonlySet<string> = new Set(["push", "unshift", "set", "add"]);
/** The code that counts a step without throwing. */
const UNCHECKED_STEP = "--$fuel;";
const OBJECT = `$fuel-=${STEPS_PER_OBJECT};`;

/**
 * Functions that loop over a character range from the PDF and add table entries for each character. The value is the
 * cost of one iteration, in steps.
 */
const TABLE_FUNCTIONS: ReadonlyMap<string, number> = new Map([
  ["extractWidths", STEPS_PER_ENTRY],
  ["mapBfRange", STEPS_PER_ENTRY],
  ["mapBfRangeToArray", STEPS_PER_ENTRY],
  ["mapCidRange", STEPS_PER_ENTRY],
  // Each iteration creates an object and two entries for one character. A font has at most 65,535 glyphs.
  ["readCmapTable", 200],
]);
/**
 * One member for each class that reports errors. The script finds the class in the code by this member. The classes are
 * MessageHandler (in both halves of pdf.js), LoopbackPort, WorkerTask and WorkerMessageHandler. They count steps
 * without throwing. If a report were lost, the other half of pdf.js would wait for it forever, and the document
 * couldn't be destroyed. The work of these classes doesn't depend on the PDF.
 */
const REPORTING_MEMBERS: ReadonlySet<string> = new Set([
  "sendWithStream",
  "postMessage",
  "ensureNotTerminated",
  "createDocumentHandler",
]);
/**
 * Getters that return a constant in the copy. `isAsync` is false because streams are synchronous without
 * DecompressionStream. `metadata` is null because the parser of XMP metadata uses regular expressions, which don't
 * count steps.
 */
const CONSTANT_GETTERS: ReadonlyMap<string, string> = new Map([
  ["isAsync", "false"],
  ["metadata", "null"],
]);
/** Error handlers and the classes of REPORTING_MEMBERS call these functions. They also count steps without throwing. */
const REPORTING_FUNCTIONS = /^(?:info|warn|assert|onFn|wrapReason|BaseException)(?:\$\d+)?$/;

/** Constructors whose only argument can be a length. The value is the size of an element in bytes. */
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

interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

interface Scope {
  /** The cost of one iteration of a loop, in steps. */
  stepsPerIteration: number;
  /** True inside a class of REPORTING_MEMBERS, where steps are counted without throwing. */
  isUnchecked: boolean;
  /** The names of variables in the function that reads the text of a page, or null elsewhere. */
  content: ContentNames | null;
}

/** The names of variables in pdf.js's `getTextContent`. */
interface ContentNames {
  /** The graphics states. */
  states: string;
  /** The result, whose `items` are sent to the reader. */
  result: string;
}

interface Edit {
  start: number;
  end: number;
  text: string;
}

/** Writes the copy if pdf.js or this script has changed since the last copy was written. */
export async function writePdfjs(): Promise<void> {
  const source = readFileSync(SOURCE, "utf8");
  const hash = createHash("sha256")
    .update(source)
    .update(readFileSync(import.meta.filename))
    .digest("hex");
  const firstLine = `// Generated by scripts/pdfjs.ts: ${hash}\n`;
  if (existsSync(TARGET) && readFileSync(TARGET, "utf8").startsWith(firstLine)) return;
  // Writes a temporary file and renames it, because another process may read or write the target at the same time.
  const part = `${TARGET}.${process.pid}`;
  const { parseAst } = await import("vitest/node");
  const parse = (code: string) => parseAst(code) as unknown as SyntaxNode;
  const metered = meter(source, parse(source));
  writeFileSync(part, firstLine + PROLOGUE + markPromises(metered, parse(metered)) + EPILOGUE);
  renameSync(part, TARGET);
}

/**
 * Adds the counting code to the source. Throws if the source doesn't have the expected number of each construct to
 * change.
 */
function meter(source: string, program: SyntaxNode): string {
  const resolved = findResolvedPromise(program);
  const edits: Edit[] = [];
  const insert = (at: number, text: string) => edits.push({ start: at, end: at, text });
  const replace = ({ start, end }: SyntaxNode, text: string) => edits.push({ start, end, text });
  let slotChecks = 0;
  let yields = 0;
  let tables = 0;
  let reporters = 0;
  let getters = 0;
  let additions = 0;
  let hooks = 0;

  const visit = (node: SyntaxNode, parent: SyntaxNode | null, scope: Scope): void => {
    let inside = scope;
    // Adds the edits at the end of a node after the edits of its children. At the same position, the inner node's edit
    // must come first.
    const closings: Edit[] = [];
    const close = (at: number, text: string) => closings.push({ start: at, end: at, text });
    switch (node.type) {
      case "ForStatement":
      case "ForInStatement":
      case "ForOfStatement":
      case "WhileStatement":
      case "DoWhileStatement": {
        const body = node.body as SyntaxNode;
        const step = scope.isUnchecked ? UNCHECKED_STEP : `${steps(scope.stepsPerIteration)};`;
        if (body.type === "BlockStatement") insert(body.start + 1, step);
        else {
          insert(body.start, `{${step}`);
          close(body.end, "}");
        }
        break;
      }
      case "FunctionDeclaration":
      case "FunctionExpression":
      case "ArrowFunctionExpression": {
        const body = node.body as SyntaxNode;
        if (body.type === "BlockStatement") insert(body.start + 1, stepOfFunction(node, parent, scope));
        enter(String((node.id as SyntaxNode | null)?.name));
        inside = { ...inside, content: namesOfContent(node) ?? inside.content };
        break;
      }
      case "MethodDefinition": {
        const name = String(nameOf(node));
        enter(name);
        const constant = node.kind === "get" ? CONSTANT_GETTERS.get(name) : undefined;
        if (constant !== undefined) {
          replace((node.value as SyntaxNode).body as SyntaxNode, `{return ${constant}}`);
          getters++;
          return;
        }
        break;
      }
      case "NewExpression":
      case "CallExpression": {
        const callee = node.callee as SyntaxNode;
        const [first, ...others] = node.arguments as SyntaxNode[];
        const bytes = callee.type === "Identifier" ? BYTES_PER_ELEMENT.get(String(callee.name)) : undefined;
        if (bytes !== undefined && first !== undefined && others.length === 0) {
          insert(first.start, "$allocate(");
          close(first.end, `,${bytes})`);
        }
        if (addsEntry(callee) && !isContinued(node, parent)) {
          insert(node.start, `(${scope.isUnchecked ? `$fuel-=${STEPS_PER_ADDITION}` : steps(STEPS_PER_ADDITION)},`);
          close(node.end, ")");
          additions++;
        }
        // At the end of its time slot, the evaluator of pdf.js continues in a microtask. `$pause` waits for a task
        // instead, so that other requests can run.
        if (callee.name === "next" && first?.type === "Identifier" && first.name === resolved) {
          replace(first, "$pause()");
          yields++;
        }
        break;
      }
      case "SwitchStatement": {
        const hook = hookOfContent(node, scope.content);
        if (hook === null) break;
        insert(node.start, hook);
        hooks++;
        break;
      }
      case "ObjectExpression": {
        const font = fontOfStyle(node);
        if (font === null) break;
        insert(node.start + 1, `name:${font}.name,`);
        hooks++;
        break;
      }
      case "BlockStatement": {
        const object = paintedObject(node);
        if (object === null) break;
        insert(object.start, "$keepImage(");
        close(object.end, ")");
        hooks++;
        break;
      }
      case "ClassBody": {
        const members = node.body as SyntaxNode[];
        if (members.some((member) => REPORTING_MEMBERS.has(String(nameOf(member))))) {
          reporters++;
          inside = { ...scope, isUnchecked: true };
        }
        // pdf.js measures the time slots of its evaluator with the clock. A Worker's clock only advances after I/O, so
        // the copy counts steps instead.
        if (members.some((member) => nameOf(member) === "CHECK_TIME_EVERY")) {
          const check = members.find((member) => nameOf(member) === "check")?.value as SyntaxNode | undefined;
          if (check === undefined) break;
          replace(check.body as SyntaxNode, "{return $isPauseDue()}");
          slotChecks++;
          for (const member of members) if (member.value !== check) visit(member, node, inside);
          return;
        }
      }
    }
    for (const child of childrenOf(node)) visit(child, node, inside);
    edits.push(...closings);

    function enter(name: string): void {
      const stepsPerIteration = TABLE_FUNCTIONS.get(name);
      if (stepsPerIteration === undefined) return;
      tables++;
      inside = { ...scope, stepsPerIteration };
    }
  };
  visit(program, null, { stepsPerIteration: 1, isUnchecked: false, content: null });

  const found = { slotChecks, yields, tables, reporters, getters, hooks, hasAdditions: additions > 1_000 };
  const expected = { slotChecks: 1, yields: 2, tables: 8, reporters: 5, getters: 4, hooks: 3, hasAdditions: true };
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(
      `This version of pdf.js isn't supported. Expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}.`,
    );
  }
  return applyEdits(source, edits);
}

function steps(count: number): string {
  return count === 1 ? "--$fuel<0&&$refuel()" : `($fuel-=${count})<0&&$refuel()`;
}

function addsEntry(callee: SyntaxNode): boolean {
  const property = callee.property as SyntaxNode | undefined;
  return callee.type === "MemberExpression" && callee.computed !== true && ADDING_METHODS.has(String(property?.name));
}

/**
 * Returns true for a call within a longer chain, such as `a?.push(b).c`, because parentheses around the call would
 * break the chain.
 */
function isContinued(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  return parent?.type === "MemberExpression" && parent.object === node;
}

/**
 * Returns the code that counts a step at the start of a function. Callbacks and constructors count without throwing,
 * because they may handle an error.
 */
function stepOfFunction({ id }: SyntaxNode, parent: SyntaxNode | null, { isUnchecked }: Scope): string {
  if (parent?.type === "MethodDefinition" && parent.kind === "constructor") return OBJECT;
  const isReporting = REPORTING_FUNCTIONS.test(String((id as SyntaxNode | null)?.name));
  return isUnchecked || isReporting || parent?.type === "CallExpression" ? UNCHECKED_STEP : STEP;
}

/**
 * Returns the names of the variables in `getTextContent` of the evaluator, or null for other functions. Only this
 * function has the parameters `stateManager` and `seenStyles`.
 */
function namesOfContent({ params, body }: SyntaxNode): ContentNames | null {
  const [pattern] = params as SyntaxNode[];
  if (pattern?.type !== "ObjectPattern") return null;
  const names = new Map((pattern.properties as SyntaxNode[]).map((property) => [nameOf(property), property.value]));
  if (!names.has("seenStyles")) return null;
  const states = (names.get("stateManager") as SyntaxNode).left as SyntaxNode;
  const result = (body as { body: SyntaxNode[] }).body
    .flatMap((statement) => (statement.type === "VariableDeclaration" ? (statement.declarations as SyntaxNode[]) : []))
    .find(({ init }) => nameOf((init as { properties?: SyntaxNode[] } | null)?.properties?.[0]) === "items");
  return result === undefined ? null : { states: String(states.name), result: String((result.id as SyntaxNode).name) };
}

/**
 * Returns the code that passes an operator of a page's content to `$draw`, for the switch statement that handles the
 * operators: `switch (args = operation.args, fn | 0) { case OPS.setFont: …`.
 */
function hookOfContent({ discriminant, cases }: SyntaxNode, names: ContentNames | null): string | null {
  const [assignment, operator] = ((discriminant as SyntaxNode).expressions as SyntaxNode[] | undefined) ?? [];
  const test = (cases as SyntaxNode[])[0]?.test as SyntaxNode | undefined;
  if (names === null || test === undefined || (test.property as SyntaxNode | undefined)?.name !== "setFont")
    return null;
  const args = memberText((assignment as SyntaxNode).right as SyntaxNode);
  const fn = ((operator as SyntaxNode).left as SyntaxNode).name;
  const { states, result } = names;
  return `$draw(${(test.object as SyntaxNode).name},${fn},${args},${states},${result}.items);`;
}

/** Returns the expression `operation.args`. */
function memberText({ object, property }: SyntaxNode): string {
  return `${(object as SyntaxNode).name}.${(property as SyntaxNode).name}`;
}

/** Returns the variable with the font, if this is the style `{fontFamily: font.fallbackName, ascent: …}` of a font. */
function fontOfStyle({ properties }: SyntaxNode): string | null {
  const [first, second] = properties as SyntaxNode[];
  if (nameOf(first) !== "fontFamily" || nameOf(second) !== "ascent") return null;
  const value = first?.value as { object?: SyntaxNode; property?: SyntaxNode };
  return value.property?.name === "fallbackName" ? String(value.object?.name) : null;
}

/**
 * Returns the variable with the object that a page paints, or null for other blocks. When pdf.js reads text, it skips
 * objects that aren't forms: `let {dict} = object, type = …; if (type.name !== "Form") {…}`.
 */
function paintedObject({ body }: SyntaxNode): SyntaxNode | null {
  const statements = body as SyntaxNode[];
  const isSkipped = statements.some(({ type, test }) => {
    const { operator, left, right } = (type === "IfStatement" ? test : {}) as { [name: string]: unknown };
    const quasis = (right as { quasis?: { value: { cooked: string } }[] } | undefined)?.quasis;
    const isForm = (right as SyntaxNode | undefined)?.value === "Form" || quasis?.[0]?.value.cooked === "Form";
    return operator === "!==" && isForm && (left as SyntaxNode).type === "MemberExpression";
  });
  if (!isSkipped) return null;
  const declarations = statements.flatMap((statement) => (statement.declarations ?? []) as SyntaxNode[]);
  const dict = declarations.find(
    ({ id }) => nameOf(((id as { properties?: SyntaxNode[] }).properties ?? [])[0]) === "dict",
  );
  return (dict?.init as SyntaxNode | undefined) ?? null;
}

/** Returns the name of the constant whose value is `Promise.resolve()`. */
function findResolvedPromise(program: SyntaxNode): string {
  const names = (program.body as SyntaxNode[])
    .flatMap((statement) => (statement.type === "VariableDeclaration" ? (statement.declarations as SyntaxNode[]) : []))
    .filter(({ init }) => {
      const call = init as SyntaxNode | null;
      if (call?.type !== "CallExpression" || (call.arguments as SyntaxNode[]).length > 0) return false;
      const { object, property } = call.callee as { object?: SyntaxNode; property?: SyntaxNode };
      return object?.name === "Promise" && property?.name === "resolve";
    })
    .map(({ id }) => String((id as SyntaxNode).name));
  const [name] = names;
  if (name === undefined || names.length > 1)
    throw new Error(`pdf.js must have 1 constant with the value Promise.resolve(), but has ${names.length}.`);
  return name;
}

/** Marks every promise of an async function, `new Promise`, `Promise.…()`, `then`, `catch` or `finally` as handled. */
function markPromises(source: string, program: SyntaxNode): string {
  const edits: Edit[] = [];
  const insert = (at: number, text: string) => edits.push({ start: at, end: at, text });

  /**
   * Wraps an async function in a function that marks the returned promise as handled. An async function can't access
   * its own promise.
   */
  const wrapAsync = (node: SyntaxNode, parent: SyntaxNode | null): string => {
    if (node.generator === true) throw new Error("pdf.js has an async generator. Its promises can't be marked.");
    if (node.type === "ArrowFunctionExpression") {
      insert(node.start, "(...$args)=>$handled((");
      return ")(...$args))";
    }
    // The inner function is an arrow function, so it shares `this`, `super` and `arguments` with the outer one. The
    // parameters with their defaults move to the inner function.
    const isMethod = source[node.start] === "(";
    const keyword = source.indexOf("async", isMethod ? parent?.start : node.start);
    edits.push({ start: keyword, end: keyword + "async".length, text: "" });
    const id = node.id as SyntaxNode | null;
    insert(isMethod ? node.start : source.indexOf("(", id?.end ?? node.start), "(...$args){return $handled((async");
    insert((node.body as SyntaxNode).start, "=>");
    return ")(...$args))}";
  };

  const visit = (node: SyntaxNode, parent: SyntaxNode | null, isInChain: boolean): void => {
    let closing = "";
    if (node.async === true) closing = wrapAsync(node, parent);
    else if (makesPromise(node) && !isInChain) {
      // The space separates `$handled` from a preceding keyword.
      insert(node.start, " $handled(");
      closing = ")";
    }
    for (const child of childrenOf(node)) {
      // In a chain such as `a?.b.then(…)`, only the whole chain can become an argument.
      const continuesChain = isInChain && (child === node.callee || child === node.object);
      visit(child, node, continuesChain || node.type === "ChainExpression");
    }
    // If two insertions have the same position, the inner node's insertion must come first.
    if (closing !== "") insert(node.end, closing);
  };
  visit(program, null, false);
  return applyEdits(source, edits);
}

/**
 * Returns true for an expression that creates a promise, or an object with a promise, as `Promise.withResolvers()`
 * does.
 */
function makesPromise(node: SyntaxNode): boolean {
  if (node.type === "ChainExpression") return makesPromise(node.expression as SyntaxNode);
  const callee = node.callee as SyntaxNode | undefined;
  if (node.type === "NewExpression") return callee?.name === "Promise";
  if (node.type !== "CallExpression" || callee?.type !== "MemberExpression") return false;
  const { object, property } = callee as { object?: SyntaxNode; property?: SyntaxNode };
  return object?.name === "Promise" || ["then", "catch", "finally"].includes(String(property?.name));
}

function nameOf(member: SyntaxNode | undefined): unknown {
  return (member?.key as SyntaxNode | undefined)?.name;
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.values(node)
    .flat()
    .filter((value): value is SyntaxNode => typeof value === "object" && value !== null && "type" in value);
}

function applyEdits(source: string, edits: Edit[]): string {
  const parts: string[] = [];
  let done = 0;
  // The sort is stable. Edits at the same position therefore keep their order.
  for (const { start, end, text } of edits.sort((a, b) => a.start - b.start)) {
    parts.push(source.slice(done, start), text);
    done = end;
  }
  return parts.join("") + source.slice(done);
}
