import type { EngineName, Query } from "./engine";
import { directWays, type SearchContext, type Way } from "./ways";

/** All configured ways to ask an engine, in the order in which they are tried. */
export function waysOf(context: SearchContext, engine: EngineName, query: Query): Way[] {
  return directWays(context, engine, query);
}
