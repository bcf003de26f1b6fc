/** Returns the name and the HTML of each page. A line has the name, the title and the HTML of the body. */
export function toPages(lines: string): (readonly [name: string, html: string])[] {
  return lines
    .trim()
    .split("\n")
    .map((line) => {
      const [name = "", ...rest] = line.split(" | ");
      const body = rest.pop() ?? "";
      return [name, `<!doctype html><html><head><title>${rest.join(" | ")}</title></head><body>${body}</body></html>`];
    });
}

/** Returns the outcome, the name and the HTML of each page. The name begins with the outcome. */
export function toModels(lines: string): (readonly [outcome: string, name: string, html: string])[] {
  return toPages(lines).map(([name, html]) => [name.split(" ")[0] ?? "", name, html]);
}
