import { lookup as systemLookup } from "node:dns/promises";
import { DNS_RECORDS } from "./dns-records.ts";

/**
 * Resolves a name for a connection. The rebinding name has a public address when the service checks it, but resolves to
 * loopback for the connection.
 */
export function lookup(name: string): Promise<{ address: string; family: number }[]> {
  return name === "rebinding.world.example"
    ? Promise.resolve([{ address: "127.0.0.1", family: 4 }])
    : systemLookup(name, { all: true });
}

/** Returns the response of a DNS-over-HTTPS server in JSON. */
export function resolveName(query: URLSearchParams) {
  const [name = "", type = "A"] = [query.get("name") ?? "", query.get("type") ?? "A"];
  const addresses = DNS_RECORDS[name];
  const number = { A: 1, AAAA: 28 }[type];
  const records = addresses?.[type as "A" | "AAAA"] ?? [];
  return { Status: addresses ? 0 : 3, Answer: records.map((data) => ({ name, type: number, data })) };
}
