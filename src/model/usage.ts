/** The values by which a usage report can be grouped. `code` is the outcome or the error code of the jobs. */
export const USAGE_DIMENSIONS = ["day", "endpoint", "key", "code"] as const;
export type UsageDimension = (typeof USAGE_DIMENSIONS)[number];
