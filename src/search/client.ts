import type { EngineName } from "../contract/serp";
import type { Device, Query } from "./engine";
import { acceptLanguage, bingMarket } from "./locale";

export interface Client {
  userAgent: string;
  viewport: { width: number; height: number };
  isMobile: boolean;
}

/** Current Chrome, whose user agent is frozen but for its major version. */
const CHROME = "Chrome/153.0.0.0";
const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";

export const CLIENTS: Readonly<Record<Device, Client>> = {
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

/** The headers of a person's browser, in line with the parameters of the address. */
export function requestHeaders(engine: EngineName, query: Query): Record<string, string> {
  const cookie = cookiesOf(engine, query);
  return {
    "user-agent": CLIENTS[query.device].userAgent,
    accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
    "accept-language": acceptLanguage(query),
    ...(cookie && { cookie }),
  };
}

/** "name=value; …": Google's say that the cookie question was answered, Bing's name the market; empty for Yandex. */
export function cookiesOf(engine: EngineName, query: Query): string {
  if (engine === "google") return "SOCS=CAESHAgBEhIaAB; CONSENT=PENDING+987";
  const { market, language } = bingMarket(query);
  if (engine !== "bing" || !market) return "";
  const tag = market.toLowerCase();
  const ui = language?.toLowerCase() ?? tag;
  return `_EDGE_S=mkt=${tag}&ui=${ui}; _EDGE_CD=m=${tag}&u=${ui}`;
}
