import type { Document } from "domhandler";
import { headOf } from "../html/parse/document";
import { attribute, elementsUnder } from "../html/parse/dom";
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

/**
 * Returns what a page's headers and its `<head>` say about uses of the page: Content-Signal, `noai` and `noimageai` of
 * the robots directives, and the reservation of TDMRep (https://www.w3.org/community/tdmrep).
 */
export function readContentSignals(
  header: (name: string) => string | null = () => null,
  document: Document | null,
): ContentSignals {
  const signals = parseContentSignal(header("content-signal") ?? "");
  const metas = document === null ? [] : elementsUnder(headOf(document)).filter(({ name }) => name === "meta");
  const found = [["robots", header("x-robots-tag") ?? ""]];
  found.push(["tdm-reservation", header("tdm-reservation") ?? ""]);
  for (const meta of metas) found.push([attribute(meta, "name").trim().toLowerCase(), attribute(meta, "content")]);
  for (const [name, content = ""] of found) {
    const values = content.split(",").map((value) => value.trim().toLowerCase());
    if (name === "robots" && values.includes("noai")) signals.noai = true;
    if (name === "robots" && values.includes("noimageai")) signals.noimageai = true;
    if (name === "tdm-reservation" && values.includes("1")) signals.tdm_reservation = true;
  }
  return signals;
}

/** Returns true if the signals refuse a use. `noai` and a reservation of text and data mining refuse both uses of AI. */
export function refusesUse(signals: ContentSignals, use: ContentUse | undefined): boolean {
  if (use === undefined) return false;
  return signals[use] === false || (use !== "search" && (signals.noai ?? signals.tdm_reservation ?? false));
}
