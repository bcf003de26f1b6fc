/** The endpoints that create jobs. Paths and database rows use these names. */
export const ENDPOINT_NAMES = ["scrape", "parse", "serp", "map"] as const;
export type Endpoint = (typeof ENDPOINT_NAMES)[number];
