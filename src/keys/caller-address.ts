/**
 * Returns the caller's IP address, or null if it isn't known. Cloudflare sets CF-Connecting-IP on each request. In the
 * local runtime, a caller could set this header, so the variable CALLER_ADDRESS sets one address for all callers. If
 * CALLER_ADDRESS is `unknown`, returns null. A key with a list of allowed IPs refuses an unknown address.
 */
export function readCallerAddress(env: Pick<Env, "CALLER_ADDRESS">, headers: Headers): string | null {
  const fixed = env.CALLER_ADDRESS;
  if (fixed !== "") return fixed === "unknown" ? null : fixed;
  return headers.get("cf-connecting-ip");
}

/** Returns true if all callers have the same address, because CALLER_ADDRESS is set. */
export function hasSharedAddress(env: Pick<Env, "CALLER_ADDRESS">): boolean {
  return env.CALLER_ADDRESS !== "";
}
