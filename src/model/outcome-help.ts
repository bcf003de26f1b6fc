import type { Outcome } from "./job";

export interface OutcomeHelp {
  /** The kind of page, in one or two sentences. */
  meaning: string;
  /** The caller's next step. Null if there is none. */
  advice: string | null;
}

/** Explains each outcome. The API reference and the dashboard show these texts. */
export const OUTCOME_HELP: { readonly [O in Outcome]: OutcomeHelp } = {
  ok: { meaning: "The page is an ordinary page.", advice: null },
  needs_rendering: {
    meaning: "The page is an application shell. Its scripts load the content in a browser.",
    advice: "Render the page (render: auto). If the page was rendered, wait for an element of its content (wait_for).",
  },
  empty: {
    meaning: "The page has no content.",
    advice: "Open the URL in your browser. If the page has content there, render the page (render: auto).",
  },
  soft_404: {
    meaning: "The page says that it doesn't exist, but its HTTP status is a success.",
    advice: "Check the URL. The site may have moved or deleted the page.",
  },
  login: {
    meaning: "The page is a sign-in form.",
    advice: "Use the URL of a public page. This service doesn't sign in to sites.",
  },
  consent: {
    meaning: "The page is a consent form. The site shows its content after a visitor accepts cookies.",
    advice: "Try another country (proxy_country). Many sites show the form only in some countries.",
  },
  paywall: {
    meaning: "The page contains only the beginning of its text. The complete text needs a subscription.",
    advice: "Use another source, or request access from the publisher.",
  },
  parked: {
    meaning: "The domain is parked or for sale. It has no content.",
    advice: "Check the spelling of the host name.",
  },
  maintenance: {
    meaning: "The site is unavailable because of maintenance.",
    advice: "Try again later.",
  },
};
