/** What a value amounts to: its values, the characters of its texts and names, and how deep it goes. */
export interface Size {
  nodes: number;
  chars: number;
  depth: number;
  /** The characters of the paths of all values: what writing each as a JSON pointer would take. */
  pathChars: number;
}

/** Measures without recursion, and stops as soon as a limit is passed: null then. */
export function measure(value: unknown, limit: Size): Size | null {
  const size: Size = { nodes: 0, chars: 0, depth: 0, pathChars: 0 };
  const open: { value: unknown; depth: number; path: number }[] = [{ value, depth: 0, path: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    size.nodes++;
    size.depth = Math.max(size.depth, next.depth);
    size.pathChars += next.path;
    if (typeof next.value === "string") size.chars += next.value.length;
    if (exceeds(size, limit)) return null;
    if (typeof next.value !== "object" || next.value === null) continue;
    if (Array.isArray(next.value) && next.value.length > limit.nodes) return null;
    for (const name in next.value) {
      if (!Array.isArray(next.value)) size.chars += name.length;
      open.push({
        value: (next.value as Record<string, unknown>)[name],
        depth: next.depth + 1,
        path: next.path + name.length + 1,
      });
      if (open.length > limit.nodes) return null;
    }
  }
  return size;
}

function exceeds(size: Size, limit: Size): boolean {
  return (
    size.nodes > limit.nodes || size.chars > limit.chars || size.depth > limit.depth || size.pathChars > limit.pathChars
  );
}
