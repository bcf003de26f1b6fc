/**
 * JSON that was cut off somewhere, made whole again: what is complete stays, a text that was cut in the middle stays as
 * far as it goes, and what is open is closed. Null when nothing of it can be kept.
 */
export function closeJson(cut: string): string | null {
  // The brackets that are open, innermost last, and up to where everything is complete.
  const open: string[] = [];
  let safe = { at: 0, open: 0 };
  let isValue = true;
  const keep = (at: number) => {
    safe = { at, open: open.length };
  };
  const SIGNS = /["{}[\],:]/g;
  for (let found = SIGNS.exec(cut); found !== null; found = SIGNS.exec(cut)) {
    const { 0: sign, index } = found;
    if (sign === '"') {
      const end = stringEnd(cut, index);
      if (end === -1) {
        if (!isValue) break;
        return `${withoutHalfEscape(cut)}"${closers(open)}`;
      }
      if (isValue) keep(end);
      SIGNS.lastIndex = end;
    } else if (sign === ":") isValue = true;
    else if (sign === ",") {
      keep(index);
      isValue = open.at(-1) === "]";
    } else if (sign === "{" || sign === "[") {
      open.push(sign === "{" ? "}" : "]");
      keep(index + 1);
      isValue = sign === "[";
    } else {
      open.pop();
      keep(index + 1);
      if (open.length === 0) break;
    }
  }
  return safe.at === 0 ? null : cut.slice(0, safe.at) + closers(open.slice(0, safe.open));
}

/** The index after the string's closing quote, -1 when it has none. */
function stringEnd(json: string, start: number): number {
  const SIGNS = /["\\]/g;
  SIGNS.lastIndex = start + 1;
  for (let found = SIGNS.exec(json); found !== null; found = SIGNS.exec(json)) {
    if (found[0] === '"') return found.index + 1;
    SIGNS.lastIndex = found.index + 2;
  }
  return -1;
}

function withoutHalfEscape(cut: string): string {
  const backslashes = /\\+$/.exec(cut)?.[0].length ?? 0;
  if (backslashes % 2 === 1) return cut.slice(0, -1);
  const half = /\\u[\da-f]{0,3}$/i.exec(cut);
  if (half === null) return cut;
  const before = /\\*$/.exec(cut.slice(0, half.index))?.[0].length ?? 0;
  return before % 2 === 0 ? cut.slice(0, half.index) : cut;
}

function closers(open: readonly string[]): string {
  return open.toReversed().join("");
}
