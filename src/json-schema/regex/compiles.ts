export function compiles(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) !== null;
  } catch {
    return false;
  }
}
