import type { Path } from "./keywords";

/** Returns a path as a JSON Pointer (RFC 6901). */
export function toPointer(path: Path): string {
  return path.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Parses a JSON Pointer. Returns null if the string isn't a JSON Pointer. */
export function parsePointer(pointer: string): Path | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split("/")
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at a path. Returns undefined if there is no value. Ignores properties of prototypes. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const name of path) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, name)) return undefined;
    if (Array.isArray(at) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}
