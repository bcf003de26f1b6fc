import type { ImportDeclaration, Node } from "oxc-parser";

/** Forbidden names, and the standard term that replaces each of them. */
export const REPLACED_NAMES: Readonly<Record<string, string>> = {
  Asking: "RequestContext",
  admit: "createJob",
  Admission: "CreateJobInput",
  Admitted: "CreateJobResult",
  runWaiting: "runSync",
  sendAway: "detachCaller",
  leaveAlone: "detachCaller",
  putBack: "requeue",
  outOfRuns: "maxAttemptsError",
  KeyGate: "KeyVerifier",
  AddressGate: "RateLimiter",
  Entrance: "VerifyResult",
  Passage: "VerifyResult",
  forgive: "refund",
  tellGate: "invalidateKey",
  wall: "blockPage",
  wallOf: "detectBlockPage",
  sight: "visibility",
  unseen: "isHidden",
  inkless: "isHidden",
  chrome: "boilerplate",
  mended: "repaired",
  inventedValues: "ungroundedValues",
  inexact: "lossyNumbers",
  toll: "budget",
  weigh: "measure",
  Obstacle: "CostLimitExceeded",
  sweep: "recover",
  nobody: "a name for the person or part",
  whoever: "a name for the person or part",
};

/** Words that no name may contain, and the standard term for each of them. */
const REPLACED_WORDS: Readonly<Record<string, string>> = {
  admit: "create",
  forgive: "refund",
  inkless: "hidden",
  mended: "repaired",
  nobody: "a name for the person or part",
  sweep: "recover",
  toll: "budget",
  unseen: "hidden",
  wall: "block page",
  weigh: "measure",
  whoever: "a name for the person or part",
};

/** Names of the platform's types. A type of ours with the same name would hide them. */
const GLOBALS = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ..."Awaited Partial Required Readonly Record Pick Omit Exclude Extract Parameters ReturnType".split(" "),
  ..."Window Document Range Node Element Location History Screen Notification Plugin".split(" "),
  ..."Cache Queue Message Fetcher Worker".split(" "),
]);

const TYPES = new Set(["ClassDeclaration", "TSTypeAliasDeclaration", "TSInterfaceDeclaration"]);

/** A forbidden name in a syntax tree. `start` is its position in the file. */
export interface ForbiddenName {
  reason: string;
  start: number;
}

/** Finds the forbidden names of a file. Call `visit` with each node of its syntax tree, parents first. */
export class NameChecker {
  /** The forbidden names that were found. Each name is reported once. */
  readonly found = new Map<string, ForbiddenName>();
  /** The names and positions that a package defines: imports, and properties of its objects. */
  readonly #imported = new Set<string>();
  readonly #properties = new Set<number>();

  visit(node: Node): void {
    if (node.type === "ImportDeclaration") this.#addImports(node);
    else if (node.type === "MemberExpression") {
      if (!node.computed) this.#properties.add(node.property.start);
    } else if (node.type === "Identifier" || node.type === "PrivateIdentifier") this.#check(node);
    else if (TYPES.has(node.type) && "id" in node) this.#checkType(node.id);
  }

  #addImports({ source, specifiers }: ImportDeclaration): void {
    for (const specifier of specifiers) {
      if (specifier.type === "ImportSpecifier") this.#properties.add(specifier.imported.start);
      if (!source.value.startsWith(".")) this.#imported.add(specifier.local.name);
    }
  }

  #check({ name, start }: { name: string; start: number }): void {
    if (this.#properties.has(start) || this.#imported.has(name)) return;
    const word = toWords(name).find((part) => Object.hasOwn(REPLACED_WORDS, part));
    const term = Object.hasOwn(REPLACED_NAMES, name) ? REPLACED_NAMES[name] : word && REPLACED_WORDS[word];
    if (term) this.#add(name, { reason: `The name '${name}' was replaced. Use ${term}.`, start });
  }

  #checkType(id: unknown): void {
    if (typeof id !== "object" || id === null || !("name" in id) || !("start" in id)) return;
    const [name, start] = [String(id.name), Number(id.start)];
    if (GLOBALS.has(name))
      this.#add(name, { reason: `The type '${name}' hides a type of the platform. Choose another name.`, start });
  }

  #add(name: string, forbidden: ForbiddenName): void {
    if (!this.found.has(name)) this.found.set(name, forbidden);
  }
}

/** Splits a name in camel case or with underscores into words in lower case. */
function toWords(name: string): string[] {
  return name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}
