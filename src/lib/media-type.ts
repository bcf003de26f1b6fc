/** Whether a media type, in lower case and without parameters, is that of a document with markup. */
export function isMarkupType(type: string): boolean {
  return type === "text/html" || type === "application/xhtml+xml";
}

/** How a page's type is told in a message. Servers write what they like in its place: nobody else's sentences are passed on. */
export function toTypeWords(type: string): string {
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? `of the type ${type}` : "of an unknown type";
}
