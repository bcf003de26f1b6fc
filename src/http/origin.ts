import { toHttpOrigin } from "../lib/env";

/** Returns where this service is reached, for the links that it makes: PUBLIC_URL's origin, or else the request's. */
export function toOrigin(env: Pick<Env, "PUBLIC_URL">, requestUrl: string): string {
  return toHttpOrigin(env.PUBLIC_URL) ?? new URL(requestUrl).origin;
}
