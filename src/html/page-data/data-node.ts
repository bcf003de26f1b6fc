/** The kind of declaration or markup that a value of a page was read from. */
export type DataSource =
  | "json_ld"
  | "microdata"
  | "rdfa"
  | "open_graph"
  | "meta"
  | "embedded_state"
  | "table"
  | "definition_list"
  | "label";

interface NodeBase {
  /** The property in the source, or the label's text. */
  name: string;
  source: DataSource;
  /** The place in the page, for example `json_ld[0]/offers/price` or a CSS path. */
  position: string;
  /**
   * Set if the node doesn't describe the page's subject: `repeated` if it is in one of several similar boxes, and
   * `section` if it is in a part about something else, such as shipping.
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

export interface DataList extends NodeBase {
  kind: "list";
  items: readonly DataNode[];
}

/** A node of the tree of data that a page declares or shows with labels. */
export type DataNode = DataValue | DataObject | DataList;
