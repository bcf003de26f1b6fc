import { join, resolve } from "node:path";
import { importBundled } from "../bundle.ts";
import type { ProxyPolicy } from "./socks-proxy.ts";

const PROJECT = resolve(import.meta.dirname, "../..");

/** The part of src/net/egress.ts that is used here. Its own types are a Worker's. */
interface Egress {
  egressPolicy: (allowed: string, ownOrigins: string[]) => object;
  isExempt: (url: URL, policy: object) => boolean;
  refusal: (url: string, policy: object) => string | null;
  addressRefusal: (address: string) => string | null;
}

/** Makes a policy from ALLOWED_PRIVATE_HOSTS ("host:port, host:port") and the service's own origins. Throws for a bad entry. */
export type MakePolicy = (allowed: string, ownOrigins: string[]) => ProxyPolicy;

/** Loads the Worker's egress policy, so that the proxies have the same one. `folder` is for its bundle. */
export async function loadPolicy(folder: string): Promise<MakePolicy> {
  const source = join(PROJECT, "src", "net", "egress.ts");
  const { egressPolicy, isExempt, refusal, addressRefusal } = await importBundled<Egress>(
    source,
    join(folder, "policy.mjs"),
  );
  return (allowed, ownOrigins) => {
    const policy = egressPolicy(allowed, ownOrigins);
    return {
      refusal: (url) => refusal(url, policy),
      isExempt: (url) => isExempt(new URL(url), policy),
      addressRefusal,
    };
  };
}
