import { invalidParameter } from "./invalid-request";

/** Returns the key of a query parameter such as `metadata[order]`, or null for any other parameter. */
export function toMetadataKey(name: string): string | null {
  return /^metadata\[(.*)\]$/s.exec(name)?.[1] ?? null;
}

export function toMetadataParameter(key: string): `metadata[${string}]` {
  return `metadata[${key}]`;
}

const FILTER_RULE = "must have a key in brackets, such as metadata[order]=1042";

/**
 * Combines the query parameters `metadata[key]` into one parameter `metadata`, which `MetadataFilter` reads. The schema
 * of a query can't have parameters with variable names. Throws AppError if a key is given twice or is missing.
 */
export function foldMetadata(query: URLSearchParams): URLSearchParams {
  const folded = new URLSearchParams();
  const metadata = new Map<string, string>();
  for (const [name, value] of query) {
    const key = toMetadataKey(name);
    if (name === "metadata" || key === "") throw invalidParameter(name, FILTER_RULE);
    if (key === null) folded.append(name, value);
    else if (metadata.has(key)) throw invalidParameter(name, "must not be repeated");
    else metadata.set(key, value);
  }
  if (metadata.size > 0) folded.set("metadata", JSON.stringify(Object.fromEntries(metadata)));
  return folded;
}
