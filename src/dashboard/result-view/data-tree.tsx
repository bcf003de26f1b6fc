import type { Child } from "hono/jsx";
import { isObject } from "../../json-schema/keywords";
import { toPointer } from "../../json-schema/places";
import type { JobExtras } from "../../model/job";
import { ExternalLink } from "../ui/components";
import { Icon } from "../ui/icon";

const MAX_DEPTH = 20;
const MAX_NODES = 2_000;
const MAX_TEXT_CHARS = 2_000;
/** So deep the tree stands open at first. */
const OPEN_DEPTH = 3;

/** What is told about where a value stands in the page. */
interface Proof {
  evidence: Record<string, unknown>;
  unverified: ReadonlySet<unknown>;
}

interface Drawing {
  /** Null: it wasn't asked for. */
  proof: Proof | null;
  left: number;
  isCut: boolean;
}

/** Extracted data as a tree, with the evidence beside the values that have it. */
export function DataTree({ data, extras }: { data: Record<string, unknown>; extras: JobExtras }) {
  const proof = isObject(extras.evidence)
    ? { evidence: extras.evidence, unverified: new Set(Array.isArray(extras.unverified) ? extras.unverified : []) }
    : null;
  const drawing: Drawing = { proof, left: MAX_NODES, isCut: false };
  const content = (
    <>
      {proof === null ? null : <Summary proof={proof} />}
      <div class="tree">{toMembers(data, [], drawing)}</div>
    </>
  );
  return { content, isCut: drawing.isCut };
}

function Summary({ proof }: { proof: Proof }) {
  const quoted = Object.keys(proof.evidence).length.toLocaleString("en");
  const missing = proof.unverified.size;
  return (
    <p class="small muted">
      Evidence for {quoted} {quoted === "1" ? "value" : "values"}.{" "}
      {missing === 0
        ? "Every value was found in the page."
        : `${missing.toLocaleString("en")} ${missing === 1 ? "value was" : "values were"} not found in the page.`}
    </p>
  );
}

function toMembers(value: object, path: readonly string[], drawing: Drawing): Child {
  const children: Child[] = [];
  for (const [name, inner] of Object.entries(value)) {
    if (drawing.left-- <= 0) {
      drawing.isCut = true;
      break;
    }
    children.push(<li>{toNode(name, inner, [...path, name], drawing)}</li>);
  }
  return <ul>{children}</ul>;
}

function toNode(name: string, value: unknown, path: readonly string[], drawing: Drawing): Child {
  if (typeof value !== "object" || value === null) {
    return (
      <div class="leaf">
        <span class="name">{name}</span> <Value value={value} />{" "}
        <Evidence of={value} at={toPointer(path)} {...drawing} />
      </div>
    );
  }
  const size = Object.keys(value).length;
  const kind = Array.isArray(value) ? (size === 1 ? "item" : "items") : size === 1 ? "member" : "members";
  const isTooDeep = path.length >= MAX_DEPTH;
  if (isTooDeep) drawing.isCut = true;
  return (
    <details open={path.length < OPEN_DEPTH}>
      <summary>
        <span class="name">{name}</span>{" "}
        <span class="muted small">
          {size.toLocaleString("en")} {kind}
        </span>
      </summary>
      {isTooDeep ? null : toMembers(value, path, drawing)}
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

function Evidence({ of, at, proof }: { of: unknown; at: string } & Drawing) {
  if (proof === null) return null;
  const known = proof.evidence[at];
  const found = isObject(known) ? known : null;
  if (proof.unverified.has(at) || found?.verified === false) {
    return (
      <span class="status bad">
        <Icon name="warn" /> not found in the page
      </span>
    );
  }
  if (found === null) return null;
  const quote = String(found.quote);
  return (
    <span class="evidence">
      <Icon name="check" /> in the page{quote === String(of) ? null : <q>{quote}</q>}
    </span>
  );
}
