/** The operator's proxies by country. The values are templates of their URLs. */
type Proxies = ReadonlyMap<string, string>;

export interface ProxyAddress {
  /** True for an https:// URL: the connection to the proxy itself uses TLS. */
  secure: boolean;
  /** As the URL parser spells it, with IPv6 in brackets. */
  hostname: string;
  port: number;
  /** The value of Proxy-Authorization. */
  authorization: string | null;
}

const ANY_COUNTRY = "*";
// The values that templates are checked with.
const SAMPLE_COUNTRY = "US";
const SAMPLE_SESSION = "0";

/**
 * Reads the secret PROXIES: a JSON object from country code (ISO 3166-1 alpha-2) or `*` to a proxy's URL, such as
 * `http://user-{session}:password@{country}.proxy.example:8080`. Throws an Error that names the invalid entry without its
 * URL.
 */
export function parseProxies(json: string | undefined): Proxies {
  if (json === undefined || json.trim() === "") return new Map();
  return new Map(
    Object.entries(parseObject(json)).map(([key, template]) => {
      if (key !== ANY_COUNTRY && !/^[a-z]{2}$/i.test(key)) {
        throw new Error(`PROXIES: "${key}" is neither an ISO 3166-1 alpha-2 country code nor "*".`);
      }
      if (typeof template !== "string" || toAddress(template, SAMPLE_COUNTRY, SAMPLE_SESSION) === null) {
        throw new Error(
          `PROXIES: the entry "${key}" is not a proxy's URL, like http://user:password@proxy.example:8080, ` +
            "with a percent-encoded user and password and no placeholders but {country} and {session}.",
        );
      }
      return [key.toUpperCase(), template];
    }),
  );
}

/** Returns the proxy of the country, or else the one for any country, or else null. `session` names a new proxy session. */
export function chooseProxy(proxies: Proxies, country: string, session: string): ProxyAddress | null {
  const template = proxies.get(country.toUpperCase()) ?? proxies.get(ANY_COUNTRY);
  return template === undefined ? null : toAddress(template, country, session);
}

function parseObject(json: string): object {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // The parser's own message would quote the credentials.
    throw new Error("PROXIES is not valid JSON.");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new Error('PROXIES must be a JSON object, like {"DE": "http://user:password@proxy.example:8080"}.');
  }
  return value;
}

/** Fills a template. Returns null if the result isn't a proxy's URL. */
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

/** Returns null without credentials, and undefined if they aren't percent-encoded or the user has a colon, which Basic can't express. */
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
