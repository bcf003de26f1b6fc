import { Budget } from "../../lib/budget";
import type { Block, List, ListItem } from "../ast/blocks";

/** The parts of a text format that differ between formats. */
export interface Format {
  /** Returns false for a block that the format leaves out. */
  includes: (block: Block) => boolean;
  /** Returns true if no blank line separates two blocks. `isInItem`: true for the blocks of a list item. */
  joins: (before: Block, after: Block, isInItem: boolean) => boolean;
  /** Returns the marker of a list item. `previous`: the block before the list. */
  markerOf: (list: List, item: ListItem, previous: Block | undefined) => string;
  /** Writes a block that isn't a list. `previous`: the block before it. */
  write: (writer: BlockWriter, block: Exclude<Block, List>, previous: Block | undefined) => void;
}

/** The maximum length of the output, above that of the largest real page. Further lines are left out. */
const MAX_CHARS = 8_000_000;

/** Writes blocks as lines, with the prefixes of the quotes, list items and footnotes around them. */
export class BlockWriter {
  readonly #format: Format;
  readonly #lines: string[] = [];
  readonly #budget = new Budget(MAX_CHARS);
  #prefix = "";
  /** The prefix of the next line, if a block with its own prefix begins there, such as a list item. Otherwise null. */
  #lead: string | null = null;

  constructor(format: Format) {
    this.#format = format;
  }

  /** Writes blocks. `isInItem`: true for the blocks of a list item. */
  blocks(blocks: readonly Block[], isInItem = false): this {
    const { includes, joins, write } = this.#format;
    const included = blocks.filter(includes);
    included.forEach((block, at) => {
      const previous = included[at - 1];
      if (previous && !joins(previous, block, isInItem)) this.#blank();
      if (block.type === "list") this.#list(block, previous);
      else write(this, block, previous);
    });
    return this;
  }

  /** Writes text, which may have several lines. */
  text(text: string): void {
    for (const line of text.split("\n")) {
      const before = this.#lead ?? this.#prefix;
      this.#put(line === "" ? before.trimEnd() : before + line);
      this.#lead = null;
    }
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

  #list(list: List, previous: Block | undefined): void {
    list.items.forEach((item, at) => {
      const before = list.items[at - 1];
      if (before && (this.#isLoose(before) || this.#isLoose(item))) this.#blank();
      const marker = this.#format.markerOf(list, item, previous);
      this.within(marker, " ".repeat(marker.length), () => this.#item(item));
    });
  }

  #item({ checked, children }: ListItem): void {
    if (checked !== null) this.#lead += checked ? "[x] " : "[ ] ";
    if (!children.some(this.#format.includes)) this.text("");
    this.blocks(children, true);
  }

  /** Returns true if an item contains a blank line, so that blank lines separate it from other items. */
  #isLoose({ children }: ListItem): boolean {
    const included = children.filter(this.#format.includes);
    return included.some((block, at) => at > 0 && !this.#format.joins(included[at - 1] as Block, block, true));
  }

  #blank(): void {
    this.#put(this.#prefix.trimEnd());
  }

  #put(line: string): void {
    if (this.#budget.spend(line.length + 1)) this.#lines.push(line);
  }
}
