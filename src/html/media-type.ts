/** Whether a media type, in lower case and without parameters, is that of a document with markup. */
export function isMarkupType(type: string): boolean {
  return type === "text/html" || type === "application/xhtml+xml";
}
