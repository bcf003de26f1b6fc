import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleForNode } from "../bundle.ts";
import type { ProxyPolicy } from "./socks-proxy.ts";

const PROJECT = resolve(import.meta.dirname, "../..");

/**
 * The functions of src/net/egress.ts that the proxies use. They are declared again, because their original types need
 * the types of Workers.
 */
interface Egress {
  parseEgressPolicy: (allowed: string, ownOrigins: string[]) => object;
  isExempt: (url: URL, policy: object) => boolean;
  findRefusal: (url: string, policy: object) => string | null;
  findAddressRefusal: (address: string) => string | null;
}

/**
 * Creates a policy from ALLOWED_PRIVATE_HOSTS ("host:port, host:port") and the service's own origins. Throws if an
 * entry is invalid.
 */
export type MakePolicy = (allowed: string, ownOrigins: string[]) => ProxyPolicy;

/**
 * Loads the Worker's egress policy, because the proxies apply the same rules. Writes the bundle of the policy to
 * `folder`.
 */
export async function loadPolicy(folder: string): Promise<MakePolicy> {
  const file = join(folder, "policy.mjs");
  await bundlePolicy(file);
  return await importPolicy(file);
}

/** Writes the bundle of the policy to `file`. */
export async function bundlePolicy(file: string): Promise<void> {
  await bundleForNode(join(PROJECT, "src", "net", "egress.ts"), file);
}

/** Imports a bundle that `bundlePolicy` wrote. */
export async function importPolicy(file: string): Promise<MakePolicy> {
  const { parseEgressPolicy, isExempt, findRefusal, findAddressRefusal }: Egress = await import(
    pathToFileURL(file).href
  );
  return (allowed, ownOrigins) => {
    const policy = parseEgressPolicy(allowed, ownOrigins);
    return {
      findRefusal: (url) => findRefusal(url, policy),
      isExempt: (url) => isExempt(new URL(url), policy),
      findAddressRefusal,
    };
  };
}
