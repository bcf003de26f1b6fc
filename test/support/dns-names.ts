import { lookup as systemLookup } from "node:dns/promises";

/** The DNS records of the test domains. */
const NAMES: Record<string, { A?: string[]; AAAA?: string[] }> = {
  "public.world.example": { A: ["93.184.216.34"] },
  "private.world.example": { A: ["10.1.2.3"] },
  "loopback.world.example": { A: ["127.0.0.1"] },
  "mixed.world.example": { A: ["93.184.216.34", "192.168.1.1"] },
  "six.world.example": { A: ["93.184.216.34"], AAAA: ["::ffff:127.0.0.1"] },
  "metadata.world.example": { AAAA: ["fd00:ec2::254"] },
  // The service checks this public address, but `lookup` resolves the name to loopback (DNS rebinding).
  "rebinding.world.example": { A: ["93.184.216.34"] },
};

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
  const addresses = NAMES[name];
  const number = { A: 1, AAAA: 28 }[type];
  const records = addresses?.[type as "A" | "AAAA"] ?? [];
  return { Status: addresses ? 0 : 3, Answer: records.map((data) => ({ name, type: number, data })) };
}
