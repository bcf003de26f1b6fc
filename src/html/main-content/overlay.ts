import type { Element } from "domhandler";
import { CONSENT } from "./words";

/** A dialog or a consent box. */
export function isOverlay({ name, attribs }: Element): boolean {
  return (
    name === "dialog" ||
    /^(?:alert)?dialog$/i.test(attribs.role ?? "") ||
    attribs["aria-modal"] === "true" ||
    CONSENT.test(`${attribs.id ?? ""} ${attribs.class ?? ""}`)
  );
}
