import { toChoice } from "../lib/env.ts";

/** The methods to render a page: in sessions of a browser that this service controls, or with Quick Actions. */
export const RENDER_METHODS = ["sessions", "quick-actions"] as const;
export type RenderMethod = (typeof RENDER_METHODS)[number];

/** Parses the variable RENDER_METHOD. Returns `sessions` if it is empty. Throws an Error for an unknown value. */
export function toRenderMethod(text: string | undefined): RenderMethod {
  return toChoice("RENDER_METHOD", RENDER_METHODS, text) ?? "sessions";
}
