import type { Endpoint } from "../contract/common";
import { CREDITS } from "../limits";

/** Credits of a request. Rendering adds one to a scrape; a parse costs the same whether it rendered or not. */
export function toPrice(endpoint: Endpoint, rendered: boolean): number {
  return CREDITS[endpoint] + (endpoint === "scrape" && rendered ? CREDITS.rendering : 0);
}
