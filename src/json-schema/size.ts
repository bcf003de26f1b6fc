import { AppError } from "../model/errors";
import { MAX_BODY_DEPTH, MAX_BODY_VALUES } from "../model/limits";

/** The size of a JSON value: the number of values in it, and the characters of strings and names. */
export interface Size {
  nodes: number;
  chars: number;
  depth: number;
  /** The total length of the JSON Pointers of all values. */
  pathChars: number;
}

/** Throws AppError if a request's body has too many values, or is nested too deeply. */
export function checkBodySize(body: unknown): void {
  if (measureSize(body, { nodes: MAX_BODY_VALUES, depth: MAX_BODY_DEPTH }) !== null) return;
  const message = `The body can have at most ${MAX_BODY_VALUES} values, nested at most ${MAX_BODY_DEPTH} levels deep.`;
  throw new AppError("invalid_request", message);
}

/** Measures a value without recursion. Returns null if a limit is exceeded. Omitted limits are infinite. */
export function measureSize(value: unknown, limits: Partial<Size> = {}): Size | null {
  const { nodes = Infinity, chars = Infinity, depth = Infinity, pathChars = Infinity } = limits;
  const size: Size = { nodes: 0, chars: 0, depth: 0, pathChars: 0 };
  const open: { value: unknown; depth: number; path: number }[] = [{ value, depth: 0, path: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    size.nodes++;
    size.depth = Math.max(size.depth, next.depth);
    size.pathChars += next.path;
    if (typeof next.value === "string") size.chars += next.value.length;
    if (size.nodes > nodes || size.chars > chars || size.depth > depth || size.pathChars > pathChars) return null;
    if (typeof next.value !== "object" || next.value === null) continue;
    if (Array.isArray(next.value) && next.value.length > nodes) return null;
    for (const name in next.value) {
      if (!Array.isArray(next.value)) size.chars += name.length;
      open.push({
        value: (next.value as Record<string, unknown>)[name],
        depth: next.depth + 1,
        path: next.path + name.length + 1,
      });
      if (open.length > nodes) return null;
    }
  }
  return size;
}
