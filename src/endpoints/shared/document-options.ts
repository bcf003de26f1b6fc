import type { DocumentFields } from "../../contract/document-options";
import type { JobExtras } from "../../model/job";
import { formatPages, type PageSelection, parsePageRanges } from "../../model/page-ranges";
import { toOcrMeta } from "./ocr";
import type { Content } from "./read-content";

/** Returns the pages of a document that a request selects. */
export function toPageSelection({ pages, page_markers: pageMarkers = false }: DocumentFields): PageSelection {
  const ranges = pages === undefined ? null : parsePageRanges(pages);
  return ranges === null ? { pageMarkers } : { pages: ranges, pageMarkers };
}

/** Returns the fields of `meta` that describe a document. Other content has none. */
export function toDocumentMeta(content: Content): JobExtras {
  if (content.kind !== "document" || content.document.pages === undefined) return {};
  const { pages, needsOcr } = content.document;
  return {
    pages: { total: pages.total, read: formatPages(pages.read) },
    ...(needsOcr && { needs_ocr: true }),
    ...toOcrMeta(content),
  };
}
