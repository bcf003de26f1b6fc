/**
 * The address that a request came from; null when it isn't known. Cloudflare's edge overwrites CF-Connecting-IP. The local
 * runtime keeps one that a caller sends, so there the variable CALLER_ADDRESS stands for every caller: `unknown` is in no
 * allow-list.
 */
export function readCallerAddress(env: Pick<Env, "CALLER_ADDRESS">, headers: Headers): string | null {
  const fixed = env.CALLER_ADDRESS;
  if (fixed !== "") return fixed === "unknown" ? null : fixed;
  return headers.get("cf-connecting-ip");
}

/** Returns true if the service can't tell its callers' addresses apart. */
export function hasSharedAddress(env: Pick<Env, "CALLER_ADDRESS">): boolean {
  return env.CALLER_ADDRESS !== "";
}
