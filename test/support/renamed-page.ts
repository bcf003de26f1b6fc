const ATTRIBUTE =
  /(\s)(class|id|for|aria-controls|aria-labelledby|aria-describedby|aria-owns|js[a-z]+|data-[\w.-]+)(?:=("[^"]*"|'[^']*'|[^\s"'>]+))?(?=[\s/>])/gi;

/**
 * Replaces the names that a search engine can change at any time: class names, ids, names of data attributes, and values
 * of attributes for scripts. Equal names stay equal. Values of data attributes, roles, labels and addresses stay.
 */
export function renamePage(html: string): string {
  const names = new Map<string, string>();
  const rename = (kind: string, name: string) => {
    const key = `${kind} ${name}`;
    const renamed = names.get(key) ?? `${kind}${names.size.toString(36)}`;
    names.set(key, renamed);
    return renamed;
  };
  return html.replace(ATTRIBUTE, (_, space: string, attribute: string, value: string | undefined) => {
    const name = attribute.toLowerCase();
    if (name.startsWith("data-")) return `${space}data-${rename("d", name)}${value === undefined ? "" : `=${value}`}`;
    const kind = name === "class" ? "c" : name.startsWith("js") ? "j" : "i";
    return `${space}${attribute}${value === undefined ? "" : `=${value.replace(/[^\s"']+/g, (word) => rename(kind, word))}`}`;
  });
}
