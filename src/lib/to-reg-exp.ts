/** Compiles a pattern of a JSON table, in the form `/source/flags`. */
export function toRegExp(pattern: string): RegExp {
  const end = pattern.lastIndexOf("/");
  return new RegExp(pattern.slice(1, end), pattern.slice(end + 1));
}
