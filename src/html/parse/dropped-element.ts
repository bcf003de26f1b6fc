import { ENDS_DRAWING, ENDS_SELECT, TABLE_PARTS } from "./element-categories";

/** The elements of a drawing that contain HTML. The HTML inside of them doesn't end the drawing. */
const HTML_IN_DRAWING = new Set(["foreignobject", "desc", "title"]);

interface StartTag {
  name: string;
  at: number;
  isSelfClosing: boolean;
  /** True if a table is open. Its parts end a <select>. */
  isInTable: boolean;
}

/** Matches a script whose code is in a comment. Old pages have such scripts. Browsers look for comments everywhere. */
const COMMENTED_SCRIPT = /script\b[^<>]{0,1000}>\s*(?:\/\/[^\n]*\n\s*)?<!--/iy;
/** The maximum number of end tags in one script, because each is searched for from the start of the script. */
const MAX_END_TAGS = 20;
const SCRIPT_PARTS = /<!--|-->|<script(?=[\s/>])|<\/script(?=[\s/>])/gi;

/**
 * Returns true if the end tag at `end` ends a script inside the comment of another script, such as in
 * `<script><!-- document.write("<script></script>") --></script>`. See
 * https://html.spec.whatwg.org/#script-data-double-escaped-state
 */
function isNestedScript(source: string, start: number, end: number): boolean {
  COMMENTED_SCRIPT.lastIndex = start;
  if (!COMMENTED_SCRIPT.test(source)) return false;
  let state: "code" | "comment" | "nested" = "code";
  for (const [part] of source.slice(start, end).matchAll(SCRIPT_PARTS)) {
    if (part === "-->") state = "code";
    else if (part === "<!--") state = state === "code" ? "comment" : state;
    else if (part.startsWith("</")) state = "comment";
    else if (state === "comment") state = "nested";
  }
  return state === "nested";
}

/** The open element that the tree leaves out together with its contents, such as <script>. */
export class DroppedElement {
  /** The name of the element, or null if no such element is open. */
  name: string | null = null;
  /** The number of open elements in `HTML_IN_DRAWING`. */
  #htmlDepth = 0;
  /** The number of open elements of a drawing, by name. */
  readonly #open = new Map<string, number>();
  /** The position of the last end tag of the elements in `HTML_IN_DRAWING`. */
  readonly #lastEnds = new Map<string, number>();
  #at = 0;
  /** The number of `</script>` in the open script. */
  #endTags = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  /** `at`: the position of the element's name. */
  open(name: string, at: number): void {
    this.name = name;
    this.#at = at;
    this.#endTags = 0;
    this.#htmlDepth = 0;
    this.#open.clear();
  }

  /**
   * Returns true if the end tag belongs to the dropped element. If not, the tag ends the dropped element, because it
   * ends an element around it. `isOpen`: an element with this name is open around the dropped element.
   */
  close(name: string, at: number, isOpen: boolean): boolean {
    if (name === this.name) {
      const isNested =
        name === "script" && ++this.#endTags <= MAX_END_TAGS && isNestedScript(this.#source, this.#at, at);
      if (!isNested) this.name = null;
    } else if (this.name === "svg") {
      const count = this.#open.get(name) ?? 0;
      if (count > 0) {
        this.#open.set(name, count - 1);
        if (HTML_IN_DRAWING.has(name)) this.#htmlDepth--;
      } else if (isOpen && this.#htmlDepth === 0) {
        this.name = null;
        return false;
      }
    } else if (this.name === "select" && isOpen && (TABLE_PARTS.has(name) || name === "table")) {
      this.name = null;
      return false;
    }
    return true;
  }

  /** Returns true if the start tag belongs to the dropped element. If not, the tag ends the element. */
  includes(tag: StartTag): boolean {
    const { name } = tag;
    if (this.name === "svg") {
      if (this.#htmlDepth > 0 || !ENDS_DRAWING.has(name)) {
        this.#openInDrawing(tag);
        return true;
      }
    } else if (this.name !== "select" || !(ENDS_SELECT.has(name) || (tag.isInTable && TABLE_PARTS.has(name))))
      return true;
    // The start tag of a <select> inside another one is an end tag.
    const isEndTag = this.name === "select" && name === "select";
    this.name = null;
    return isEndTag;
  }

  #openInDrawing({ name, at, isSelfClosing }: StartTag): void {
    if (isSelfClosing) return;
    if (HTML_IN_DRAWING.has(name)) {
      // Without an end tag, the element is ignored, because it would hide the remaining page.
      if (at >= this.#lastEndOf(name)) return;
      this.#htmlDepth++;
    }
    this.#open.set(name, (this.#open.get(name) ?? 0) + 1);
  }

  #lastEndOf(name: string): number {
    const known = this.#lastEnds.get(name);
    if (known !== undefined) return known;
    const last = this.#source.lastIndexOf(`</${name}`);
    const end = name === "foreignobject" ? Math.max(last, this.#source.lastIndexOf("</foreignObject")) : last;
    this.#lastEnds.set(name, end);
    return end;
  }

  /** Returns true inside a drawing, but not in HTML inside the drawing. */
  isDrawing(): boolean {
    return this.name === "svg" && this.#htmlDepth === 0;
  }
}
