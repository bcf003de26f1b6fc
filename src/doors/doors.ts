import type { Hono } from "hono";
import type { AppEnv } from "../model/env";
import { firecrawl } from "./firecrawl/firecrawl";
import { jinaReader, jinaSearch } from "./jina";
import { serpapi } from "./serpapi";
import { tavily } from "./tavily";

/** Each door with the beginning of its paths. `run_worker_first` in wrangler.toml names them, too. */
export const DOORS: readonly (readonly [path: string, door: Hono<AppEnv>])[] = [
  ["/firecrawl", firecrawl],
  ["/serpapi", serpapi],
  ["/r", jinaReader],
  ["/s", jinaSearch],
  ["/tavily", tavily],
];
