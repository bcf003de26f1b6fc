import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import ipaddr from "ipaddr.js";
import type { V4WorkerOptions } from "miniflare";
import { ENGINE_NAMES, toOriginVariable } from "../../src/model/engine.ts";
import { PROVIDER_NAMES, toVariable } from "../../src/models/provider-names.ts";

/** The name of the egress Worker in the local runtime. */
export const EGRESS_WORKER = "egress";

/** The variables with URLs of the operator's own services, which may be at private addresses. */
const OPERATOR_ADDRESSES: readonly string[] = [
  ...PROVIDER_NAMES.map((name) => toVariable(name, "BASE_URL")),
  ...ENGINE_NAMES.map(toOriginVariable),
  "SERP_PROVIDER_ORIGIN",
  "YANDEX_API_ORIGIN",
  "MAIL_URL",
  "ALERT_WEBHOOK",
  "DNS_RESOLVER",
];

/**
 * Returns the options of the egress Worker. The service's `outboundService` refers to it, so every `fetch` of the
 * service goes through it. `script` is the bundle of worker.ts. `variables` are the service's variables.
 *
 * Public requests use a network that allows only public addresses. The runtime resolves the name, checks the addresses
 * and connects to one of them. Therefore the address can't change between the check and the connection.
 */
export function egressWorkerOptions(script: string, variables: Readonly<Record<string, unknown>>): V4WorkerOptions {
  return {
    name: EGRESS_WORKER,
    modules: [{ type: "ESModule", path: "egress.mjs", contents: script }],
    compatibilityDate: "2026-10-01",
    // connect_pass_through lets `connect()` reach the operator's proxies (PROXIES).
    compatibilityFlags: ["nodejs_compat", "connect_pass_through"],
    bindings: { CONFIGURED_HOSTS: configuredHosts(variables) },
    serviceBindings: {
      PUBLIC: { network: { allow: ["public"], deny: specialRanges(), tlsOptions: tlsOptions() } },
      ANY: anyNetwork(),
    },
  };
}

/** Returns a network with public and private addresses. */
export function anyNetwork() {
  return { network: { allow: ["public", "private", "240.0.0.0/4"], tlsOptions: tlsOptions() } };
}

function tlsOptions() {
  return { trustBrowserCas: true, trustedCertificates: trustedCertificates() };
}

/** Returns the comma-separated host:port of all services that the operator configured. Skips invalid URLs. */
export function configuredHosts(variables: Readonly<Record<string, unknown>>): string {
  const hosts = OPERATOR_ADDRESSES.flatMap((name) => {
    const url = URL.parse(String(variables[name] ?? ""));
    return url === null || url.hostname === "" ? [] : [toHostPort(url)];
  });
  return [String(variables.ALLOWED_PRIVATE_HOSTS ?? ""), ...hosts].filter(Boolean).join(",");
}

/**
 * Returns the address ranges that `findAddressRefusal` refuses, as CIDRs. The runtime's own definition of "public"
 * includes some of these ranges. ISATAP addresses are missing, because they don't form a range. They reach private
 * addresses only on a machine that runs an ISATAP tunnel.
 */
export function specialRanges(): string[] {
  const special = [ipaddr.IPv4, ipaddr.IPv6].flatMap(({ prototype }) =>
    // The cast is necessary, because the types of ipaddr.js don't declare `SpecialRanges`.
    Object.values(
      (prototype as unknown as { SpecialRanges: Record<string, AddressRange | AddressRange[]> }).SpecialRanges,
    ),
  );
  const ranges = special.flatMap((range) =>
    Array.isArray(range[0]) ? (range as AddressRange[]) : [range as AddressRange],
  );
  return [
    ...ranges.map(([address, bits]) => `${address}/${bits}`),
    // Azure's metadata host, and all IPv6 addresses outside 2000::/3 (see src/net/egress.ts).
    "168.63.129.16/32",
    "::/3",
    "4000::/2",
    "8000::/1",
  ];
}

type AddressRange = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

function toHostPort(url: URL): string {
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? 443 : 80)}`;
}

/**
 * Returns the certificates that Miniflare's default network trusts: NODE_EXTRA_CA_CERTS and, on Windows, Node's root
 * certificates.
 */
function trustedCertificates(): string[] {
  const roots = process.platform === "win32" ? [...rootCertificates] : [];
  const file = process.env.NODE_EXTRA_CA_CERTS;
  const extra = file ? readFileSync(file, "utf8") : "";
  return [...roots, ...(extra.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? [])];
}
