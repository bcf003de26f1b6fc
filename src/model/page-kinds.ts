/**
 * The kinds of pages. A forum is any page of posts, such as a thread or questions with answers. A collection is a list of
 * products. A listing is any other list.
 */
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
