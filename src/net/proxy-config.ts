/** The operator's proxies: URL templates by country code or `*`. */
type Proxies = ReadonlyMap<string, string>;

export interface ProxyAddress {
  /** True if the connection to the proxy uses TLS (an https:// URL). */
  secure: boolean;
  /** The hostname in the URL parser's spelling. IPv6 addresses have brackets. */
  hostname: string;
  port: number;
  /** The value of the Proxy-Authorization header. Null if the URL has no credentials. */
  authorization: string | null;
}

const ANY_COUNTRY = "*";
// Sample values that fill a template to validate it.
const SAMPLE_COUNTRY = "US";
const SAMPLE_SESSION = "0";

/**
 * Parses the secret PROXIES: a JSON object from country code (ISO 3166-1 alpha-2) or `*` to a proxy's URL, such as
 * `http://user-{session}:password@{country}.proxy.example:8080`. Throws an Error that names the invalid entry, but not
 * its URL, because the URL has credentials.
 */
export function parseProxies(json: string | undefined): Proxies {
  if (json === undefined || json.trim() === "") return new Map();
  return new Map(
    Object.entries(parseObject(json)).map(([key, template]) => {
      if (key !== ANY_COUNTRY && !/^[a-z]{2}$/i.test(key)) {
        throw new Error(`PROXIES: "${key}" is not a valid key. Use an ISO 3166-1 alpha-2 country code or "*".`);
      }
      if (typeof template !== "string" || toAddress(template, SAMPLE_COUNTRY, SAMPLE_SESSION) === null) {
        throw new Error(
          `PROXIES: the entry "${key}" is not a valid proxy URL. Use a form like http://user:password@proxy.example:8080, ` +
            "with percent-encoded credentials and no placeholders except {country} and {session}.",
        );
      }
      return [key.toUpperCase(), template];
    }),
  );
}

/** Returns the proxy for the country, or for any (`*`), or null. `session` fills the template's `{session}`. */
export function chooseProxy(proxies: Proxies, country: string, session: string): ProxyAddress | null {
  const template = proxies.get(country.toUpperCase()) ?? proxies.get(ANY_COUNTRY);
  return template === undefined ? null : toAddress(template, country, session);
}

function parseObject(json: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The error has no `cause`, because the parser's message would quote the credentials.
    throw new Error("PROXIES is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error('PROXIES must be a JSON object, like {"DE": "http://user:password@proxy.example:8080"}.');
  }
  return value;
}

/** Fills a template. Returns null if the result isn't a valid proxy URL. */
function toAddress(template: string, country: string, session: string): ProxyAddress | null {
  const filled = template
    .replaceAll("{country}", country.toLowerCase())
    .replaceAll("{session}", encodeURIComponent(session));
  const url = URL.parse(filled);
  if (url === null || !/^https?:\/\//i.test(filled) || /[{}]/.test(filled)) return null;
  if (url.hostname === "" || url.port === "0" || url.pathname !== "/" || url.search !== "" || url.hash !== "")
    return null;
  const secure = url.protocol === "https:";
  const authorization = toAuthorization(url);
  if (authorization === undefined) return null;
  return { secure, hostname: url.hostname, port: Number(url.port) || (secure ? 443 : 80), authorization };
}

/**
 * Returns the value of Proxy-Authorization, or null if the URL has no credentials. Returns undefined if the credentials
 * aren't percent-encoded, or if the user name has a colon, which Basic authentication doesn't support.
 */
function toAuthorization(url: URL): string | null | undefined {
  if (url.username === "" && url.password === "") return null;
  try {
    const user = decodeURIComponent(url.username);
    if (user.includes(":")) return undefined;
    return `Basic ${Buffer.from(`${user}:${decodeURIComponent(url.password)}`).toString("base64")}`;
  } catch {
    return undefined;
  }
}
