import { Budget } from "../../lib/budget";

/** More than the text of the largest real page. The rest is left out. */
const MAX_CHARS = 8_000_000;

/** Writes lines with the prefixes of the quotes, items and notes around them. */
export class LineWriter {
  #lines: string[] = [];
  #budget = new Budget(MAX_CHARS);
  #prefix = "";
  /** Replaces the prefix of the next line: the marker of an item. */
  #lead: string | null = null;

  /** Writes the lines of a text. */
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

  /** Adds text between the marker and the next line. */
  lead(text: string): void {
    this.#lead = (this.#lead ?? this.#prefix) + text;
  }

  /** Runs `write`. Its first line gets the prefix `first`, and its other lines `rest`. */
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
