/** The endpoints that make jobs, as paths, scopes and rows name them. */
export const ENDPOINT_NAMES = ["scrape", "parse", "serp"] as const;
export type Endpoint = (typeof ENDPOINT_NAMES)[number];
