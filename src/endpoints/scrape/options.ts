import type { ScrapeRequest } from "../../contract/scrape";
import type { ConvertOptions } from "../../html/convert";

/** What a request asks of the conversion of its page. */
export function toConversion(request: ScrapeRequest, url: string): ConvertOptions {
  const wants = new Set(request.formats);
  return {
    url,
    markdown: wants.has("markdown"),
    text: wants.has("text"),
    metadata: wants.has("metadata"),
    links: wants.has("links"),
    onlyMainContent: request.only_main_content,
    includeSelectors: request.include_selectors ?? [],
    excludeSelectors: request.exclude_selectors ?? [],
  };
}
