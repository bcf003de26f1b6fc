import type { Document, Element } from "domhandler";
import { bodyOf } from "../../html/parse/document";
import { attribute } from "../../html/parse/dom";
import { getOrMake } from "../../lib/lazy";
import { type FoundBlocks, placeBlocks, type Sitelink } from "./blocks";
import { textOf } from "./element-text";
import { type LinkRules, type LinkTarget, nextLink, parseAddress, toTarget, unwrapLink } from "./links";
import { distinct } from "./listing";
import type { Matcher } from "./matchers";
import { PageIndex } from "./page-index";
import { type EmptyPageKind, emptyPage, type OrganicResult, type ResultPage } from "./result-page";
import type { Disagreement } from "./structure";
import { toSnippet } from "./texts";

/** The parts of an engine's definition that the readers of its pages need. */
export interface PageRules {
  links: LinkRules;
  /** The URL parameter with the offset or number of the page. `first` is its value for the first page, by default 0. */
  paging: { parameter: string; first?: number };
  /** Returns the URL of the advertiser that an ad states. */
  statedUrl(link: Element, click: URL | null): string | null;
  /** Matches elements that the engine hides by its style sheet. */
  isHidden: Matcher;
}

/** A page of a search engine. Each link is read once. */
export interface OpenPage {
  rules: PageRules;
  document: Document;
  body: Element;
  url: string;
  index: PageIndex;
  /** Returns the target of a link, or null if it is an ad or leads back to the search. */
  targetOf(link: Element): LinkTarget | null;
  /** Returns the URL of a link to the engine's search, or null. */
  ownUrl(link: Element): URL | null;
  /** Returns the URL of a link to another site, or null. */
  readLink(link: Element): string | null;
  isAdLink: Matcher;
  /** Returns the URL of the advertiser, or the click address of an ad. */
  adUrl(link: Element): string;
}

/** A page of a search engine with its organic results. */
export interface EnginePage extends OpenPage {
  /** The elements of the organic results. */
  organic: readonly Element[];
  isResult: Matcher;
}

/** Matches links within the page, and links that run a script. */
const NO_PAGE = /^(?:#|javascript:|$)/i;

/** `elements`: the elements of the page that are read. */
export function openPage(document: Document, elements: Iterable<Element>, url: string, rules: PageRules): OpenPage {
  const { links } = rules;
  const known = new Map<Element, { address: URL | null; target: LinkTarget | null }>();
  const read = (link: Element) =>
    getOrMake(known, link, () => {
      const href = attribute(link, "href");
      const address = NO_PAGE.test(href) ? null : unwrapLink(href, url, links.unwrap);
      return { address, target: address && toTarget(links, address) };
    });
  const targetOf = (link: Element) => read(link).target;
  const ownUrl = (link: Element) => {
    const { address } = read(link);
    return address && links.hosts.test(address.hostname) && !links.isRedirect(address) ? address : null;
  };
  const readLink = (link: Element) => (ownUrl(link) ? null : (targetOf(link)?.url ?? null));
  return {
    ...{ rules, document, body: bodyOf(document), url, index: new PageIndex(elements) },
    ...{ targetOf, ownUrl, readLink },
    isAdLink(link) {
      const { address } = read(link);
      return address !== null && links.isAd(address);
    },
    adUrl(link) {
      const click = read(link).address;
      return readLink(link) ?? (parseAddress(rules.statedUrl(link, click) ?? "") ?? click)?.href ?? url;
    },
  };
}

/** Returns an organic result. Returns null without a title or a target. */
export function toOrganic(
  page: OpenPage,
  link: Element,
  { title, snippet, sitelinks }: { title: string; snippet: () => string; sitelinks?: (url: string) => Sitelink[] },
): OrganicResult | null {
  const target = page.targetOf(link);
  if (!target || title === "") return null;
  const links = sitelinks?.(target.url) ?? [];
  return { title, ...target, ...toSnippet(snippet()), ...(links.length > 0 && { sitelinks: links }) };
}

/** Reads the results of elements. Omits duplicates. */
export function readResults(
  elements: Iterable<Element>,
  read: (element: Element) => OrganicResult | null,
): Map<Element, OrganicResult> {
  const found = new Map<Element, OrganicResult>();
  for (const element of elements) {
    const result = read(element);
    if (result) found.set(element, result);
  }
  const kept = new Set(distinct([...found.values()]));
  return new Map([...found].filter(([, result]) => kept.has(result)));
}

/** Converts what was read from a page to the form that all engines share. */
export function toResultPage(
  page: OpenPage,
  results: ReadonlyMap<Element, OrganicResult>,
  {
    total,
    emptyKind,
    readBlocks,
    disagreement,
    isCorrected,
  }: {
    total: number | null;
    /** Classifies a page without results, for example as a block page or a consent page. */
    emptyKind: () => EmptyPageKind;
    readBlocks: (page: EnginePage) => FoundBlocks;
    disagreement: Disagreement | null;
    isCorrected?: boolean;
  },
): ResultPage {
  const { document, url, rules } = page;
  const empty = results.size === 0 ? emptyPage(emptyKind(), total) : null;
  if (empty && empty.kind !== "no_results") return empty;
  const organic = [...results.keys()];
  const items = new Set(organic);
  const blocks = placeBlocks(document, readBlocks({ ...page, organic, isResult: (at) => items.has(at) }), organic);
  return {
    ...(empty ?? { kind: "results", total, next: nextLink(document, url, rules.paging) }),
    // Readers of blocks can add sitelinks to the results.
    organic: [...results.values()],
    blocks,
    ...(isCorrected && { isCorrected }),
    ...(disagreement && { disagreement }),
  };
}

/** Returns true for a status with which engines refuse suspected bots. */
export function isRefusal(status: number | undefined): boolean {
  return status === 429 || status === 403;
}

/** Returns the text of the page's title. */
export function pageTitle({ index }: OpenPage, maxChars: number): string {
  const [title] = index.named("title");
  return title ? textOf(title, maxChars) : "";
}
