import { CONTENT_USES, type ContentSignals, type ContentUse } from "../model/crawl";

/** Parses a Content-Signal header, or the value of such a line of robots.txt (https://contentsignals.org). */
export function parseContentSignal(text: string): ContentSignals {
  let signals: ContentSignals = {};
  for (const part of text.toLowerCase().split(",")) {
    const [, name = "", value] = /^\s*(search|ai-input|ai-train)\s*=\s*(yes|no)\s*$/.exec(part) ?? [];
    if (value !== undefined) signals = mergeSignals(signals, { [name.replace("-", "_")]: value === "yes" });
  }
  return signals;
}

/** Returns the signals of both sources. If one allows a use that the other one refuses, the use is refused. */
export function mergeSignals(one: ContentSignals, other: ContentSignals): ContentSignals {
  const merged = { ...one, ...other };
  for (const use of CONTENT_USES) if (one[use] === false) merged[use] = false;
  return merged;
}

/** Returns true if the signals refuse a use. `noai` and a reservation of text and data mining refuse both uses of AI. */
export function refusesUse(signals: ContentSignals, use: ContentUse | undefined): boolean {
  if (use === undefined) return false;
  return signals[use] === false || (use !== "search" && (signals.noai ?? signals.tdm_reservation ?? false));
}
