import type { Mode } from "../../../model/api-key";
import table from "./examples.json";
import { isBatchKind, type Operation } from "./operations";

/** An example request. Its link fills the form. */
export interface Example {
  label: string;
  /** An explanation of the label, shown as a tooltip. */
  note?: string;
  body: Record<string, unknown>;
}

export const EXAMPLES: { [O in Operation]: Example[] } = table.examples;

/** The outcomes that test mode simulates. `word` is the first label of the target's host name, or begins the query. */
const SIMULATED: { word: string; label: string; note: string; change?: string }[] = table.simulated;

/** Returns the simulated outcomes of an endpoint. Empty in live mode, and for batches and crawls. */
export function listSimulated(operation: Operation, mode: Mode): Example[] {
  if (mode === "live" || isBatchKind(operation)) return [];
  const parameter = operation === "serp" ? "query" : "URL";
  return SIMULATED.map(({ word, label, note, change }) => {
    const target = `${word}.test`;
    const body = operation === "serp" ? { query: target } : { url: target };
    return {
      label,
      note: change === undefined ? note : `${note} Change the number in the ${parameter} ${change}.`,
      body: operation === "parse" ? { ...body, prompt: "The title." } : body,
    };
  });
}
