import type { JobExtras, Outcome } from "./job";
import texts from "./outcome-help.json";

export interface OutcomeHelp {
  /** The kind of page, in one or two sentences. */
  meaning: string;
  /** The caller's next step. Null if there is none. */
  advice: string | null;
}

/** Explains each outcome. The API reference and the dashboard show these texts. */
export const OUTCOME_HELP: { readonly [O in Outcome]: OutcomeHelp } = texts;

const SCAN_ADVICE = "The PDF has scanned pages. Send the request again with ocr: true.";

/** Returns the caller's next step after an outcome, or null if there is none. A later version may have stored others. */
export function toAdvice(outcome: string | null, extras: JobExtras | null): string | null {
  // A request with `ocr` gets the reasons why its pages weren't read.
  if (extras?.needs_ocr === true) return extras.ocr === undefined ? SCAN_ADVICE : null;
  return (OUTCOME_HELP as { [outcome: string]: OutcomeHelp | undefined })[outcome ?? "ok"]?.advice ?? null;
}
