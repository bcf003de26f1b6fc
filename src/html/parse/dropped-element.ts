import { lazy } from "../../lib/lazy";
import { ENDS_DRAWING, ENDS_SELECT } from "./element-categories";

/** The element of a drawing that contains HTML. The HTML inside of it doesn't end the drawing. */
const HTML_IN_DRAWING = "foreignobject";

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
  /** True in the HTML of a drawing. */
  #isInHtml = false;
  /** The position of the page's last `</foreignObject>`, or -1. */
  readonly #lastHtmlEnd = lazy(() =>
    Math.max(this.#source.lastIndexOf("</foreignobject"), this.#source.lastIndexOf("</foreignObject")),
  );
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
    this.#isInHtml = false;
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
    } else if (this.name === "svg" || this.name === "select") {
      if (name === HTML_IN_DRAWING) this.#isInHtml = false;
      else if (isOpen && !this.#isInHtml) {
        this.name = null;
        return false;
      }
    }
    return true;
  }

  /** Returns true if the start tag belongs to the dropped element. If not, the tag ends the element. */
  includes(name: string, at: number, isSelfClosing: boolean): boolean {
    if (this.name === null) return false;
    if (this.name === "svg") {
      // Without an end tag, the HTML is ignored, because it would hide the remaining page.
      if (name === HTML_IN_DRAWING && !isSelfClosing) this.#isInHtml ||= at < this.#lastHtmlEnd();
      if (this.#isInHtml || !ENDS_DRAWING.has(name)) return true;
    } else if (this.name !== "select" || !ENDS_SELECT.has(name)) return true;
    // The start tag of a <select> inside another one is an end tag.
    const isEndTag = this.name === "select" && name === "select";
    this.name = null;
    return isEndTag;
  }

  /** Returns true inside a drawing, but not in HTML inside the drawing. */
  isDrawing(): boolean {
    return this.name === "svg" && !this.#isInHtml;
  }
}
