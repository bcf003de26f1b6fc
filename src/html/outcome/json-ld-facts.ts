import { parseJsonLd } from "../metadata/json-ld";

const MAX_NODES = 500;

/** Returns the types of all JSON-LD nodes of a page, without the address of the vocabulary. */
export function typesInJsonLd(sources: readonly string[]): ReadonlySet<string> {
  const types = new Set<string>();
  for (const node of nodesInJsonLd(sources))
    for (const type of [node["@type"]].flat()) if (typeof type === "string") types.add(type.replace(/^.*[/:#]/, ""));
  return types;
}

/** Returns the nodes of all JSON-LD scripts, including those in arrays, in `@graph` and in `mainEntity`. */
export function nodesInJsonLd(sources: readonly string[]): Record<string, unknown>[] {
  const nodes: Record<string, unknown>[] = [];
  const pending: unknown[] = sources.map(parseJsonLd);
  for (let at = 0; at < pending.length && nodes.length < MAX_NODES; at++) {
    const value = pending[at];
    if (Array.isArray(value)) pending.push(...value.slice(0, MAX_NODES));
    else if (typeof value === "object" && value !== null) {
      const node = value as Record<string, unknown>;
      nodes.push(node);
      pending.push(node["@graph"], node.mainEntity, node.hasPart);
    }
  }
  return nodes;
}
