import type { RealPage } from "./pages.ts";

interface PageContent {
  title: string;
  /** The HTML of the main content. */
  main: string;
  /** The HTML of additional elements in the head. */
  head?: string;
  /** The HTML of the links that aren't part of the main content. */
  footer?: string;
}

/** Returns an HTML document. */
export function toDocument({ title, main, head = "", footer = "" }: PageContent): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>
<header><a href="/">Ship chandler</a></header>
<main><article><h1>${title}</h1>${main}</article></main>
<footer>${footer}</footer></body></html>`;
}

/** Returns a link. */
export function link(href: string, text = href, attributes = ""): string {
  return `<a href="${href.replaceAll("&", "&amp;")}"${attributes}>${text}</a>`;
}

/** Returns a list of links. */
export function list(links: string[]): string {
  return `<ul>${links.map((item) => `<li>${item}</li>`).join("\n")}</ul>`;
}

interface RealDocument {
  page: RealPage;
  /** Returns the href of a link to a real page. `position` is the link's position on the page. */
  toHref: (path: string, position: number) => string;
  titles: ReadonlyMap<string, string>;
  head?: string;
  footer?: string;
}

/** Returns the document of a real page. */
export function toRealDocument({ page, toHref, titles, head = "", footer = "" }: RealDocument): string {
  const links = page.links.map((path, position) => link(toHref(path, position), titles.get(path)));
  const text = page.paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join("\n");
  return toDocument({ title: page.title, main: `${text}\n${list(links)}`, head, footer });
}
