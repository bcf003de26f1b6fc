import { toText } from "../../../lib/env";
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

const EXAMPLES: { [O in Operation]: Example[] } = table.examples;

/** The outcomes that test mode simulates. `word` is the first label of the target's host name, or begins the query. */
const SIMULATED: { word: string; label: string; note: string; change?: string }[] = table.simulated;

/** Returns the examples of an operation. `local` is the URL of `npm start`'s sample page, or null if there is none. */
export function listExamples(operation: Operation, local: string | null): Example[] {
  if (operation !== "scrape" || local === null) return EXAMPLES[operation];
  return [{ label: "Local sample page", body: { url: local, render: "always" } }, ...EXAMPLES.scrape];
}

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

/** Returns the URL of the sample page that `npm start` serves, or null if the service isn't local. */
export function findLocalPage(env: Pick<Env, "ALLOWED_PRIVATE_HOSTS">, origin: string): string | null {
  if (!/^(?:127\.0\.0\.1|localhost|\[::1\])$/.test(new URL(origin).hostname)) return null;
  const host = toText(env.ALLOWED_PRIVATE_HOSTS.split(",")[0]);
  return host === null ? null : `http://${host}/`;
}
