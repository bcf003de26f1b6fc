/**
 * Calls `fetch` without Cloudflare's cache. All outbound requests use this function, and the linter refuses `fetch`
 * elsewhere. By default, Cloudflare caches responses with certain file extensions, such as .pdf, .csv and .js, for two
 * hours. It also does so for other people's sites and without a Cache-Control header
 * (https://developers.cloudflare.com/workers/reference/how-the-cache-works/).
 */
export function outboundFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  // biome-ignore lint/style/noRestrictedGlobals: the only call.
  return fetch(input, { ...init, cache: "no-store" });
}
