import type { Child } from "hono/jsx";
import { isObject } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/pointer";
import { toCount } from "../../lib/count";
import type { JobExtras } from "../../model/job";
import { ExternalLink } from "../ui/components";
import { Icon } from "../ui/icon";
import type { Rendered } from "./views";

const MAX_DEPTH = 20;
const MAX_NODES = 2_000;
const MAX_TEXT_CHARS = 2_000;
/** The number of levels of the tree that are initially open. */
const OPEN_DEPTH = 3;

/** The evidence of the extracted values. */
interface Evidence {
  /** The quote on the page for each value, by JSON pointer. */
  quotes: Record<string, unknown>;
  /** The JSON pointers of values that weren't found on the page. */
  unverified: ReadonlySet<unknown>;
}

interface TreeState {
  /** Null if the request has no `evidence: true`. */
  evidence: Evidence | null;
  /** The source of each value by JSON pointer, such as `json_ld`. Empty if a model found everything. */
  sources: Record<string, unknown>;
  nodesLeft: number;
  isCut: boolean;
}

/** Renders extracted data as a tree, with the evidence next to each value. */
export function renderData(data: Record<string, unknown>, extras: JobExtras): Rendered {
  const evidence = isObject(extras.evidence)
    ? { quotes: extras.evidence, unverified: new Set(Array.isArray(extras.unverified) ? extras.unverified : []) }
    : null;
  const sources = isObject(extras.source_by_field) ? extras.source_by_field : {};
  const state: TreeState = { evidence, sources, nodesLeft: MAX_NODES, isCut: false };
  const content = (
    <>
      {evidence === null ? null : <EvidenceSummary evidence={evidence} />}
      <div class="tree">{toMembers(data, [], state)}</div>
    </>
  );
  return { content, isCut: state.isCut };
}

function EvidenceSummary({ evidence }: { evidence: Evidence }) {
  const missing = evidence.unverified.size;
  return (
    <p class="small muted">
      {toCount(Object.keys(evidence.quotes).length, "value has", "values have")} a quote from the page.{" "}
      {missing === 0
        ? "All values of the result occur on the page."
        : `${toCount(missing, "value of the result doesn't", "values of the result don't")} occur on the page.`}
    </p>
  );
}

function toMembers(value: object, path: readonly string[], state: TreeState): Child {
  const children: Child[] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (state.nodesLeft-- <= 0) {
      state.isCut = true;
      break;
    }
    children.push(<li>{toNode(name, inner, [...path, name], state)}</li>);
  }
  return <ul>{children}</ul>;
}

function toNode(name: string, value: unknown, path: readonly string[], state: TreeState): Child {
  if (typeof value !== "object" || value === null) {
    const pointer = toPointer(path);
    return (
      <div class="leaf">
        <span class="name">{name}</span> <Value value={value} />{" "}
        <EvidenceNote value={value} pointer={pointer} evidence={state.evidence} />{" "}
        <span class="muted small">{state.sources[pointer]}</span>
      </div>
    );
  }
  const size = Object.keys(value).length;
  const isTooDeep = path.length >= MAX_DEPTH;
  if (isTooDeep) state.isCut = true;
  return (
    <details open={path.length < OPEN_DEPTH}>
      <summary>
        <span class="name">{name}</span>{" "}
        <span class="muted small">
          {Array.isArray(value) ? toCount(size, "item") : toCount(size, "property", "properties")}
        </span>
      </summary>
      {isTooDeep ? null : toMembers(value, path, state)}
    </details>
  );
}

function Value({ value }: { value: unknown }) {
  if (typeof value !== "string") return <code class={value === null ? "muted" : undefined}>{String(value)}</code>;
  if (value === "") return <span class="muted">(empty)</span>;
  const text = value.length > MAX_TEXT_CHARS ? `${value.slice(0, MAX_TEXT_CHARS)}…` : value;
  return (
    <span class="value">
      <ExternalLink href={value}>{text}</ExternalLink>
    </span>
  );
}

function EvidenceNote({ value, pointer, evidence }: { value: unknown; pointer: string; evidence: Evidence | null }) {
  if (evidence === null) return null;
  const known = evidence.quotes[pointer];
  const found = isObject(known) ? known : null;
  if (evidence.unverified.has(pointer) || found?.verified === false) {
    return (
      <span class="status bad">
        <Icon name="warn" /> not found on the page
      </span>
    );
  }
  if (found === null) return null;
  const quote = String(found.quote);
  return (
    <span class="evidence">
      <Icon name="check" /> found on the page{quote === String(value) ? null : <q>{quote}</q>}
    </span>
  );
}
