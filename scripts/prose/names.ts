import type { Node } from "oxc-parser";

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
  beside: "a name for the thing",
};

/** Names of the platform's types. A type of ours with the same name would hide them. */
const GLOBALS = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ..."Awaited Partial Required Readonly Record Pick Omit Exclude Extract Parameters ReturnType".split(" "),
  ..."Window Document Range Node Element Location History Screen Notification Plugin".split(" "),
  ..."Cache Queue Message Fetcher Worker".split(" "),
]);

const DECLARATIONS = new Set([
  "FunctionDeclaration",
  "VariableDeclarator",
  "ClassDeclaration",
  "TSTypeAliasDeclaration",
  "TSInterfaceDeclaration",
  "MethodDefinition",
  "PropertyDefinition",
]);
const TYPES = new Set(["ClassDeclaration", "TSTypeAliasDeclaration", "TSInterfaceDeclaration"]);

/**
 * Checks the name of a declaration. Returns the reason why the name is forbidden and its position in the file. Returns
 * null if the name is allowed or the node isn't a declaration.
 */
export function checkName(node: Node): { reason: string; start: number } | null {
  if (!DECLARATIONS.has(node.type)) return null;
  const id = "id" in node ? node.id : "key" in node ? node.key : null;
  if (
    id === null ||
    typeof id !== "object" ||
    !("type" in id) ||
    (id.type !== "Identifier" && id.type !== "PrivateIdentifier")
  )
    return null;
  const { name, start } = id;
  const replacement = Object.hasOwn(REPLACED_NAMES, name) ? REPLACED_NAMES[name] : undefined;
  if (replacement !== undefined) return { reason: `The name '${name}' was replaced. Use ${replacement}.`, start };
  if (TYPES.has(node.type) && GLOBALS.has(name))
    return { reason: `The type '${name}' hides a type of the platform. Choose another name.`, start };
  return null;
}
