import type { Element } from "domhandler";

const NONE: ReadonlySet<string> = new Set();
/** Pages have some hundreds. */
const MAX_KNOWN = 10_000;

/** The classes of elements, each attribute split once: a page may have rules by the thousand that all ask for the same one. */
export class ClassSets {
  readonly #known = new Map<string, ReadonlySet<string>>();

  of({ attribs }: Element): ReadonlySet<string> {
    const names = attribs.class;
    if (!names) return NONE;
    const known = this.#known.get(names);
    if (known) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const classes: ReadonlySet<string> = new Set(names.split(/\s+/).filter(Boolean));
    this.#known.set(names, classes);
    return classes;
  }
}
