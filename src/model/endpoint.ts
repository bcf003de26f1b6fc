/** The endpoints that create jobs. Paths, scopes and database rows use these names. */
export const ENDPOINT_NAMES = ["scrape", "parse", "serp"] as const;
export type Endpoint = (typeof ENDPOINT_NAMES)[number];
