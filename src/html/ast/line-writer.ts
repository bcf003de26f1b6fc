import { Budget } from "../../lib/budget";

/** More than the largest page says in honest words: what comes after it is left out. */
const MAX_CHARS = 8_000_000;

/** Lines that each begin with what the quotes, items and notes around them ask for. */
export class LineWriter {
  #lines: string[] = [];
  #budget = new Budget(MAX_CHARS);
  #prefix = "";
  /** Stands before the next line instead of the prefix: an item's marker. */
  #lead: string | null = null;

  text(text: string): void {
    for (const line of text.split("\n")) {
      const before = this.#lead ?? this.#prefix;
      this.#put(line === "" ? before.trimEnd() : before + line);
      this.#lead = null;
    }
  }

  blank(): void {
    this.#put(this.#prefix.trimEnd());
  }

  /** Puts something between the marker and the next line. */
  lead(text: string): void {
    this.#lead = (this.#lead ?? this.#prefix) + text;
  }

  /** What is written meanwhile begins with `first`, and its other lines with `rest`. */
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
