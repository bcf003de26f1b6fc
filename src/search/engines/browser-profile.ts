import { acceptLanguage } from "../places/locale";
import type { Device, SearchQuery } from "../results/result-page";
import type { SearchEngine } from "./search-engine";

/** The browser that a search imitates. */
interface BrowserProfile {
  userAgent: string;
  viewport: { width: number; height: number };
  isMobile: boolean;
}

/** The part of the user agent that names a current Chrome. Chrome changes only the major version in its user agent. */
const CHROME = "Chrome/153.0.0.0";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

export const BROWSER_PROFILES: { readonly [D in Device]: BrowserProfile } = {
  desktop: {
    userAgent: `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} ${CHROME} Safari/537.36`,
    viewport: { width: 1280, height: 800 },
    isMobile: false,
  },
  mobile: {
    userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} ${CHROME} Mobile Safari/537.36`,
    viewport: { width: 412, height: 915 },
    isMobile: true,
  },
};

/** Returns the headers of an ordinary browser. They have the same language and market as the search URL. */
export function requestHeaders(engine: SearchEngine, query: SearchQuery): Record<string, string> {
  const cookie = engine
    .cookies(query)
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ");
  return {
    "user-agent": BROWSER_PROFILES[query.device].userAgent,
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": acceptLanguage(query),
    ...(cookie && { cookie }),
  };
}
