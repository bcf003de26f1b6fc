import { parseJsonLd } from "./json-ld";

const MAX_NODES = 500;

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
      pending.push(node["@graph"], node.mainEntity);
    }
  }
  return nodes;
}

/** Returns the types of a JSON-LD node, without the address of the vocabulary. */
export function typesOf(node: Record<string, unknown>): string[] {
  const types = [node["@type"]].flat();
  return types.filter((type) => typeof type === "string").map((type) => type.replace(/^.*[/:#]/, ""));
}
