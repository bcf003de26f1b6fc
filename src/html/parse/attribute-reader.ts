import type { Attributes } from "./element-categories";

/** Half of all elements have no attributes. They share this object to save memory. */
export const NO_ATTRIBUTES: Attributes = Object.freeze({});

/** Reads the attributes of one start tag after the other. */
export class AttributeReader {
  /** The attributes of the start tag that is being read, or that was read last. */
  all: Attributes = NO_ATTRIBUTES;
  /** The name and the value of the attribute that is being read. */
  name = "";
  value = "";
  /** The values of all `class` and `id` attributes. */
  readonly names = { classes: new Set<string>(), ids: new Set<string>() };

  /** Begins a start tag. */
  begin(): void {
    this.all = NO_ATTRIBUTES;
  }

  /** Adds the attribute, unless the start tag already has one of this name. */
  add(): void {
    const { name, value } = this;
    this.value = "";
    if (this.all === NO_ATTRIBUTES) this.all = {};
    else if (this.all[name] !== undefined && Object.hasOwn(this.all, name)) return;
    this.all[name] = value;
    if (name === "class") this.names.classes.add(value);
    else if (name === "id") this.names.ids.add(value);
  }
}
