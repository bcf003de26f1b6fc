import type { Outcome } from "./job";
import texts from "./outcome-help.json";

export interface OutcomeHelp {
  /** The kind of page, in one or two sentences. */
  meaning: string;
  /** The caller's next step. Null if there is none. */
  advice: string | null;
}

/** Explains each outcome. The API reference and the dashboard show these texts. */
export const OUTCOME_HELP: { readonly [O in Outcome]: OutcomeHelp } = texts;
