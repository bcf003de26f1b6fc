import { Budget } from "../../lib/budget";

/** The maximum length of the output, above that of the largest real page. Further lines are left out. */
const MAX_CHARS = 8_000_000;

/** Writes lines with the prefixes of the quotes, list items and footnotes around them. */
export class LineWriter {
  #lines: string[] = [];
  #budget = new Budget(MAX_CHARS);
  #prefix = "";
  /** The prefix of the next line, if a block with its own prefix begins there, such as a list item. Otherwise null. */
  #lead: string | null = null;

  /** Writes text, which may have several lines. */
  text(text: string): void {
    for (const line of text.split("\n")) {
      const before = this.#lead ?? this.#prefix;
      this.#put(line === "" ? before.trimEnd() : before + line);
      this.#lead = null;
    }
  }

  /** Writes a blank line. */
  blank(): void {
    this.#put(this.#prefix.trimEnd());
  }

  /** Writes text at the start of the next line, after its prefix. */
  lead(text: string): void {
    this.#lead = (this.#lead ?? this.#prefix) + text;
  }

  /** Runs `write`. Adds the prefix `first` to the first line that it writes, and `rest` to the other lines. */
  within(first: string, rest: string, write: () => void): void {
    const outer = this.#prefix;
    this.#lead = (this.#lead ?? outer) + first;
    this.#prefix = outer + rest;
    write();
    this.#prefix = outer;
    this.#lead = null;
  }

  toString(): string {
    return this.#lines.join("\n");
  }

  #put(line: string): void {
    if (this.#budget.spend(line.length + 1)) this.#lines.push(line);
  }
}
