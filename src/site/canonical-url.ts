/**
 * The query parameters that only track visitors and don't change the page. Sources: the lists of Firefox
 * (https://firefox.settings.services.mozilla.com, query-stripping), Brave
 * (https://github.com/brave/adblock-lists/blob/master/brave-lists/clean-urls.json) and the documentation of Google
 * Analytics, Google Ads, Mailchimp, HubSpot and Matomo. The names are in lower case.
 */
const TRACKING: ReadonlySet<string> = new Set(
  (
    "gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid srsltid _ga _gl fbclid igshid igsh msclkid " +
    "mc_cid mc_eid mc_tc yclid ysclid _openstat twclid ttclid li_fat_id epik rdt_cid " +
    "_hsenc _hsmi __hssc __hstc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_anon_id oly_enc_id " +
    "wickedid rb_clickid s_cid _kx ml_subscriber ml_subscriber_hash _branch_match_id"
  ).split(" "),
);
/** The beginnings of the names of tracking parameters, of Google Analytics, Matomo and HubSpot. */
const TRACKING_PREFIX = /^(?:utm|mtm|pk|piwik|hsa)_/;

/** Parameters with the id of a session in PHP, Java, ASP, ColdFusion, osCommerce and Zen Cart. */
const SESSION = /^(?:phpsessid|jsessionid|aspsessionid[a-z]*|asp\.net_sessionid|cfid|cftoken|oscsid|zenid)$/;
/** The names of parameters that often contain the id of a session. The value shows whether it is one. */
const MAYBE_SESSION = /^(?:sid|session|sessid|session_?id)$/;
/** Matches values with letters and digits. A `sid` that contains only digits can be the number of a story. */
const SESSION_ID = /^(?=.*\d)(?=.*[a-z])[\w,-]{8,}$/i;
/** Matches the session id in the path of an ASP.NET application without cookies, such as `/(S(lit3py55t21z5v55vlm25s55))`. */
const ASP_NET_SESSION = /\/\((?:[A-Z]\([0-9a-zA-Z_-]{20,}\))+\)(?=\/|$)/g;

/** The maximum length of a URL. Servers refuse longer URLs. */
const MAX_URL_CHARS = 8_000;
/** One change can require another: without its session id, a segment can become `..`. Usually, one pass is enough. */
const MAX_PASSES = 5;

/**
 * Returns the canonical URL: one form for all URLs that lead to the same page, as far as the URLs show this. Returns
 * null if the URL isn't http or https, has a user name or a password, or is too long.
 *
 * Removes the fragment, the default port, tracking parameters, session ids, an empty query and a dot after the host.
 * Resolves dot segments, and normalizes the case of the host and of percent-encodings (RFC 3986, section 6.2.2).
 * Doesn't
 * sort parameters and doesn't change `www.`, the scheme or slashes, because these can lead to other pages.
 */
export function toCanonicalUrl(address: string, base?: string): string | null {
  let pass = normalize(address, base);
  for (let passes = 1; pass?.isChanged && passes < MAX_PASSES; passes++) pass = normalize(pass.canonical);
  return pass?.canonical ?? null;
}

/** Normalizes the URL once. `isChanged` is true if another pass may change the result. */
function normalize(address: string, base?: string): { canonical: string; isChanged: boolean } | null {
  const url = address.length > MAX_URL_CHARS ? null : URL.parse(address, base);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") return null;
  const host = url.host.replace(/\.(?=:|$)/, "");
  const path = normalizeEncoding(withoutSession(url.pathname));
  const query = normalizeEncoding(toQuery(url.search));
  const canonical = `${url.protocol}//${host}${path}${query}`;
  if (host === "" || canonical.length > MAX_URL_CHARS) return null;
  return { canonical, isChanged: path !== url.pathname || query !== url.search };
}

/** Removes parameters that don't change the page. `search` is empty or begins with `?`. */
function toQuery(search: string): string {
  const kept = search
    .slice(1)
    .split("&")
    .filter((parameter) => !isIgnored(parameter));
  const query = kept.join("&");
  return query === "" ? "" : `?${query}`;
}

function isIgnored(parameter: string): boolean {
  const [name = "", ...values] = parameter.split("=");
  const key = normalizeEncoding(name).toLowerCase();
  return TRACKING.has(key) || TRACKING_PREFIX.test(key) || isSession(key, values.join("="));
}

function isSession(key: string, value: string): boolean {
  return SESSION.test(key) || (MAYBE_SESSION.test(key) && SESSION_ID.test(value));
}

/** Removes session ids such as `;jsessionid=1A2B` from the path. */
function withoutSession(path: string): string {
  const own = path.includes("/(") ? path.replace(ASP_NET_SESSION, "") || "/" : path;
  return own.includes(";")
    ? own.replace(/;([\w.]+)=([^;/]*)/g, (parameter, name: string, value: string) =>
        isSession(name.toLowerCase(), value) ? "" : parameter,
      )
    : own;
}

/** Decodes unreserved characters, and writes other percent-encodings in upper case (RFC 3986, section 6.2.2). */
export function normalizeEncoding(text: string): string {
  return text.replace(/%[0-9a-f]{2}/gi, (encoded) => {
    const char = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
    return /[\w.~-]/.test(char) ? char : encoded.toUpperCase();
  });
}
