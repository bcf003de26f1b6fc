/** The ways to render a page: in browser sessions that this service controls, or with Quick Actions of Browser Run. */
const RENDER_METHODS = ["sessions", "quick-actions"] as const;
export type RenderMethod = (typeof RENDER_METHODS)[number];

/** Parses the variable RENDER_METHOD. Returns `sessions` if it is empty. Throws an Error for an unknown value. */
export function toRenderMethod(text: string | undefined): RenderMethod {
  const value = text?.trim() || "sessions";
  const found = RENDER_METHODS.find((name) => name === value);
  if (found === undefined)
    throw new Error(`RENDER_METHOD is "${value}". It must be "sessions", "quick-actions" or empty.`);
  return found;
}
