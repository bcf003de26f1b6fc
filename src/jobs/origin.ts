/** Where this service is reached, for the links that it makes: what PUBLIC_URL says, else what the request shows. */
export function toOrigin(env: Pick<Env, "PUBLIC_URL">, requestUrl: string): string {
  return (URL.parse(env.PUBLIC_URL) ?? new URL(requestUrl)).origin;
}
