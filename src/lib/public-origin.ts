/** Where this service is reached, for the links that it makes: `PUBLIC_URL`, else the origin of the request. */
export function toPublicOrigin(publicUrl: string, requestUrl: string): string {
  return (URL.parse(publicUrl) ?? new URL(requestUrl)).origin;
}
