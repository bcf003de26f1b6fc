/** The kinds of pages. A forum has posts or answers. A collection is a list of products, a listing any other list. */
export const PAGE_KINDS = [
  "article",
  "collection",
  "documentation",
  "forum",
  "listing",
  "product",
  "recipe",
  "service",
] as const;
export type PageKind = (typeof PAGE_KINDS)[number];
