/** Returns the headers of a response that the browser stores as a file. */
export function toDownloadHeaders(fileName: string, contentType: string): Record<string, string> {
  return {
    "content-type": contentType,
    "content-disposition": `attachment; filename="${fileName}"`,
    "x-content-type-options": "nosniff",
  };
}
