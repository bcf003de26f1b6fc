/**
 * The headers that a request can't set, by folded name or prefix. The value is the advice at the end of the error
 * message.
 */
const CONNECTION = "the service manages the connection to the target";
const FORWARDED = "it would misstate the origin of the request";
const PLATFORM = "only proxies and networks set it";
const BROWSER = "only browsers set it";

const REFUSED_NAMES: ReadonlyMap<string, string> = new Map([
  ["connection", CONNECTION],
  ["keep-alive", CONNECTION],
  ["transfer-encoding", CONNECTION],
  ["te", CONNECTION],
  ["trailer", CONNECTION],
  ["upgrade", CONNECTION],
  ["http2-settings", CONNECTION],
  ["content-length", CONNECTION],
  ["expect", CONNECTION],
  ["host", "it is always the host of 'url'"],
  ["accept-encoding", "the service decodes the response itself"],
  ["forwarded", FORWARDED],
  ["x-real-ip", FORWARDED],
  ["true-client-ip", FORWARDED],
  ["via", FORWARDED],
  ["cdn-loop", PLATFORM],
  ["cookie", "use 'cookies'"],
  ["cookie2", "use 'cookies'"],
  ["set-cookie", "use 'cookies'"],
  ["user-agent", "use 'user_agent'"],
]);

const REFUSED_PREFIXES: readonly [prefix: string, reason: string][] = [
  ["proxy-", CONNECTION],
  ["x-forwarded-", FORWARDED],
  ["cf-", PLATFORM],
  ["sec-", BROWSER],
  ["webhook-", "it is reserved for the service's own webhooks"],
  ["x-webhook-", "it is reserved for the service's own webhooks"],
];

/**
 * Returns the reason why a request can't set a header, or null if it can. The reason follows the words "can't be set,
 * because".
 */
export function headerRefusal(name: string): string | null {
  const folded = name.toLowerCase();
  return REFUSED_NAMES.get(folded) ?? REFUSED_PREFIXES.find(([prefix]) => folded.startsWith(prefix))?.[1] ?? null;
}
