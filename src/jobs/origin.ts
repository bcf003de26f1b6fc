/** Where this service is reached, for the links that it makes: what PUBLIC_URL says, else what the request shows. */
export function toOrigin(env: Pick<Env, "PUBLIC_URL">, requestUrl: string): string {
  const fixed = env.PUBLIC_URL === "" ? null : URL.parse(env.PUBLIC_URL);
  return (fixed ?? new URL(requestUrl)).origin;
}
