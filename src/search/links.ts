import type { EngineName } from "../contract/serp";
import { MAX_SERP_ADDRESS_CHARS } from "../model/limits";
import { BING, GOOGLE, YANDEX } from "./hosts";

/** Wrappings may be nested: a redirect to a redirect. */
const MAX_WRAPPINGS = 3;
/** What a link to a place in the target's text looks like. */
const TEXT_FRAGMENT = /#:~:text=.*$|:~:text=.*$/;
/** Google's click tag on the addresses of shops. */
const CLICK_TAG = /([?&])srsltid=[^&#]*&?/;

/** Pages of Google's search itself; its products, such as /chrome/ and /maps, are found like anybody else's. */
const GOOGLE_SEARCH =
  /^\/(?:search|url|aclk|imgres|images|webhp|sorry|preferences|setprefs|advanced_search|httpservice|shopping|async|finance\/quote|maps\/(?:search|dir|place)|travel\/(?:search|flights|hotels))(?:\/|$)/;
const BING_ADS = /^\/(?:aclk|aclick|alink)(?:\/|$)/;
const YANDEX_ADS = /^(?:yabs|an|direct)\./;
/** Of results, of pictures, of goods. */
const YANDEX_SEARCH = /(?:^|\/)search\/?$/;

export interface Target {
  url: string;
  unresolved?: true;
}

/**
 * The target of a link on Google's page, unwrapped; null for what leads back to the search. `/goto?url=` holds its target
 * encrypted: it stays as it is, marked.
 */
export function googleTarget(href: string, base: string): Target | null {
  const url = unwrap(href, base, (link) => {
    if (!GOOGLE.test(link.hostname) || link.pathname !== "/url") return null;
    // Newer links have an empty `q` beside `url`.
    return link.searchParams.get("q") || link.searchParams.get("url");
  });
  if (url === null) return null;
  if (!GOOGLE.test(url.hostname)) return toTarget(url, false);
  if (url.pathname === "/goto" && url.searchParams.get("url")) return toTarget(url, true);
  return GOOGLE_SEARCH.test(url.pathname) || url.search !== "" ? null : toTarget(url, false);
}

/** The target of a link on Bing's page, unwrapped; null for advertisements. */
export function bingTarget(href: string, base: string): Target | null {
  const url = unwrap(href, base, (link) => {
    if (!BING.test(link.hostname) || link.pathname !== "/ck/a") return null;
    const coded = link.searchParams.get("u") ?? "";
    return coded.startsWith("a1") ? fromBase64Url(coded.slice(2)) : null;
  });
  if (url === null || (BING.test(url.hostname) && BING_ADS.test(url.pathname))) return null;
  return toTarget(url, BING.test(url.hostname) && url.pathname === "/ck/a");
}

/** The target of a link on Yandex's page, unwrapped; null for advertisements and for what leads back to the search. */
export function yandexTarget(href: string, base: string): Target | null {
  const url = unwrap(href, base, (link) => {
    if (!YANDEX.test(link.hostname) || !link.pathname.startsWith("/clck/")) return null;
    return link.searchParams.get("url") ?? /\*((?:https?:)?\/\/.+)$/.exec(link.href)?.[1] ?? null;
  });
  if (url === null) return null;
  const isSearch = YANDEX_SEARCH.test(url.pathname) && url.searchParams.has("text");
  const isOwn = YANDEX.test(url.hostname) && (YANDEX_ADS.test(url.hostname) || isSearch);
  return isOwn ? null : toTarget(url, YANDEX.test(url.hostname) && url.pathname.startsWith("/clck/"));
}

export const TARGET_OF: Readonly<Record<EngineName, (href: string, base: string) => Target | null>> = {
  google: googleTarget,
  bing: bingTarget,
  yandex: yandexTarget,
};

/** The address after all wrappings that `inside` opens; null when it isn't http(s), or too long. */
function unwrap(href: string, base: string, inside: (link: URL) => string | null): URL | null {
  let url = parse(href, base);
  for (let count = 0; url && count < MAX_WRAPPINGS; count++) {
    const wrapped = inside(url);
    if (wrapped === null) break;
    const next = /^(?:https?:)?\/\//i.test(wrapped) ? parse(wrapped, url.href) : null;
    if (next === null) break;
    url = next;
  }
  return url;
}

function parse(address: string, base: string): URL | null {
  const url = address.length > MAX_SERP_ADDRESS_CHARS ? null : URL.parse(address.trim(), base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_SERP_ADDRESS_CHARS ? url : null;
}

function toTarget(url: URL, isWrapped: boolean): Target {
  return { url: withoutMarks(url), ...(isWrapped && { unresolved: true }) };
}

function withoutMarks(url: URL): string {
  const address = url.href.replace(TEXT_FRAGMENT, "");
  // By URLSearchParams all parameters would be written anew, which some servers don't take.
  return CLICK_TAG.test(address) ? address.replace(CLICK_TAG, "$1").replace(/[?&](?=#|$)/, "") : address;
}

function fromBase64Url(text: string): string | null {
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}
