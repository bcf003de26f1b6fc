/** A script in the source of a page. */
export interface Script {
  /** The attributes as the page wrote them. */
  attributes: string;
  code: string;
}

const MAX_SCRIPTS = 600;
/** The maximum length of all scripts. */
const MAX_CODE_CHARS = 6_000_000;
const START_TAG = /<script(?=[\s>])([^<>]*)>/i;

/** Returns the first scripts in the source of a page. The tree of a document has only those with data. */
export function scriptsIn(html: string): Script[] {
  const scripts: Script[] = [];
  let left = MAX_CODE_CHARS;
  for (const part of html.split(/<\/script/i, MAX_SCRIPTS)) {
    const start = START_TAG.exec(part);
    const code = start ? part.slice(start.index + start[0].length) : "";
    left -= code.length;
    if (start && left >= 0) scripts.push({ attributes: start[1] ?? "", code });
  }
  return scripts;
}

/** Returns true for a script from another file. */
export function hasSource({ attributes }: Script): boolean {
  return /(?:^|\s)src\s*=/i.test(attributes);
}
