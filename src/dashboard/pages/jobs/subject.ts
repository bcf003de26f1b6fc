const MAX_CHARS = 90;

/** An address as one reads it, without its scheme; any other text as it is. Shortened. */
export function toShortSubject(text: string): string {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  const short = url === null ? text : `${url.host}${url.pathname === "/" ? "" : url.pathname}${url.search}`;
  return short.length <= MAX_CHARS ? short : `${short.slice(0, MAX_CHARS)}…`;
}
