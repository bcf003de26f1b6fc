import { newNonce } from "../lib/crypto";
import { PAGE_SCRIPTS } from "./page-scripts.generated.mjs";

/** The report of a page about itself. Only the scripts of that page can change it. */
export interface PageReport {
  /** The URL of the document after redirects. Differs from the response's if the page has navigated. */
  url: string;
  /** The HTTP status of the document, or 0 if the browser doesn't report it. */
  status: number;
  contentType: string;
  isLoaded: boolean;
  visibility: string | null;
}

/**
 * A script that a Quick Action adds to the page. It writes a report into the markup, because a Quick Action returns only
 * the markup. If the page's content security policy forbids inline scripts, there is no report.
 */
export class ReportScript {
  /** The id of the script's element. The page can't know it before the script runs. */
  readonly id = `r${newNonce()}`;
  readonly content: string;

  /** `readVisibility`: a JavaScript expression that returns the visibility of the elements, or null. */
  constructor(readVisibility: string | null) {
    const reader = readVisibility === null ? "null" : `() => ${readVisibility}`;
    this.content = `${PAGE_SCRIPTS.writeReport}(${JSON.stringify(this.id)}, ${reader});`;
  }

  /**
   * Separates the report from the markup. The report is null if the script didn't run. Returns null if the markup has
   * neither a valid report nor the script: the page has changed the functions that read the markup.
   */
  take(markup: string): { html: string; report: PageReport | null } | null {
    const start = markup.lastIndexOf(`<!--${this.id}:`);
    const end = start === -1 ? -1 : markup.indexOf("-->", start);
    if (end === -1) {
      const html = this.#withoutScript(markup);
      return html === markup ? null : { html, report: null };
    }
    const report = toReport(markup.slice(start + `<!--${this.id}:`.length, end));
    if (report === null) return null;
    return { html: markup.slice(0, start) + markup.slice(end + "-->".length), report };
  }

  /** Removes the script's element, which is still in the page if the script didn't run. */
  #withoutScript(markup: string): string {
    const at = markup.indexOf(`id="${this.id}"`);
    const start = at === -1 ? -1 : markup.lastIndexOf("<script", at);
    const end = start === -1 ? -1 : markup.indexOf("</script>", start);
    return end === -1 ? markup : markup.slice(0, start) + markup.slice(end + "</script>".length);
  }
}

function toReport(text: string): PageReport | null {
  try {
    const { url, status, contentType, isLoaded, visibility } = JSON.parse(decodeURIComponent(text));
    if (typeof url !== "string" || typeof status !== "number" || typeof isLoaded !== "boolean") return null;
    if (typeof contentType !== "string") return null;
    return { url, status, contentType, isLoaded, visibility: typeof visibility === "string" ? visibility : null };
  } catch {
    return null;
  }
}
