import type { PriceLine } from "./receipt";

/** The methods for loading the page of a request. */
export const LOAD_METHODS = [
  "plain",
  "browser",
  "plain_then_browser",
  "search_api",
  "given_html",
  "given_file",
  "capture",
] as const;
export type LoadMethod = (typeof LOAD_METHODS)[number];

/** The ways in which the data of a request with a schema is found. */
export const STRATEGIES = ["model", "auto", "page"] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** A method to run a request, with its highest price. It is chosen when the job is created, and the run follows it. */
export interface RunPlan {
  method: LoadMethod;
  /** The language model that the run calls. Omitted if it calls none. */
  model?: string;
  /** The strategy with which data is found. Omitted if the request needs no data. */
  strategy?: Strategy;
  /** The reason why the strategy isn't the requested one. Omitted if it is. */
  strategyReason?: string;
  /** The highest price with a live key. */
  lines: PriceLine[];
  /** The highest price of all pages that the run loads as separate jobs. It isn't reserved with the job. */
  pageLines?: PriceLine[];
}

/** Returns the highest price with a live key, including that of the pages that the run loads. */
export function allLines({ lines, pageLines = [] }: RunPlan): PriceLine[] {
  return [...lines, ...pageLines];
}

/** The methods to run a request, the preferred one first. */
export type RunPlans = readonly [RunPlan, ...RunPlan[]];
