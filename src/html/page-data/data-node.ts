/** The kind of declaration that a value of a page was read from. `shown` is the text of the page, which isn't a declaration. */
export type DataSource = "json_ld" | "microdata" | "rdfa" | "open_graph" | "meta" | "embedded_state" | "shown";

interface NodeBase {
  /** The property in the source. */
  name: string;
  source: DataSource;
  /** The place in the page, for example `json_ld[0]/offers/price` or `h1[0]`. */
  position: string;
  /**
   * Set if the node doesn't describe the page's subject: `repeated` if it is in one of several similar boxes, and
   * `section` if it is a heading other than the headline.
   */
  part?: "repeated" | "section";
}

export interface DataValue extends NodeBase {
  kind: "value";
  value: string | number | boolean;
  /** The words of the page or of the declaration that show the value. */
  quote: string;
}

export interface DataObject extends NodeBase {
  kind: "object";
  types: readonly string[];
  members: readonly DataNode[];
}

interface DataList extends NodeBase {
  kind: "list";
  items: readonly DataNode[];
}

/** A node of the tree of data that a page declares, and of the text that it shows. */
export type DataNode = DataValue | DataObject | DataList;
