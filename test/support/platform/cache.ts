// Cloudflare's cache for the `fetch` of a Worker. Sources: cache/concepts/default-cache-behavior.mdx and
// cache/how-to/configure-cache-status-code.mdx of cloudflare/cloudflare-docs.

/** The file extensions that Cloudflare caches by default. It doesn't look at the media type. */
const EXTENSIONS: ReadonlySet<string> = new Set(
  (
    "7z avi avif apk bin bmp bz2 class css csv doc docx dmg ejs eot eps exe flac gif gz ico iso jar jpg jpeg js mid " +
    "midi mkv mp3 mp4 ogg otf pdf pict pls png ppt pptx ps rar svg svgz swf tar tif tiff ttf webm webp woff woff2 xls " +
    "xlsx zip zst"
  ).split(" "),
);
const MINUTE_MS = 60_000;
/** The time that a response is cached without Cache-Control and Expires, by its status. */
const TTL_MS: Readonly<Record<number, number>> = {
  200: 120 * MINUTE_MS,
  206: 120 * MINUTE_MS,
  301: 120 * MINUTE_MS,
  302: 20 * MINUTE_MS,
  303: 20 * MINUTE_MS,
  404: 3 * MINUTE_MS,
  410: 3 * MINUTE_MS,
};

/** Returns true if the response to such a request may be in the cache. */
export function isCacheable(method: string, url: URL): boolean {
  const file = url.pathname.split("/").at(-1) ?? "";
  const extension = /\.([a-z0-9]+)$/i.exec(file)?.[1]?.toLowerCase() ?? "";
  return method === "GET" && (EXTENSIONS.has(extension) || url.pathname === "/robots.txt");
}

/** Returns the time (ms) that a response to a cacheable request stays in the cache, or 0. */
export function toTtlMs(status: number, headers: Headers, now: number): number {
  const usual = TTL_MS[status];
  if (usual === undefined || headers.has("set-cookie")) return 0;
  const control = headers.get("cache-control")?.toLowerCase() ?? "";
  if (/\b(?:private|no-store|no-cache)\b/.test(control)) return 0;
  const age = /\bs-maxage=(\d+)/.exec(control)?.[1] ?? /\bmax-age=(\d+)/.exec(control)?.[1];
  if (age !== undefined) return Number(age) * 1_000;
  const expires = Date.parse(headers.get("expires") ?? "");
  return Number.isNaN(expires) ? usual : Math.max(0, expires - now);
}
