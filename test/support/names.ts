import { lookup as systemLookup } from "node:dns/promises";

/** The names of this world, in DNS as JSON. */
const NAMES: Record<string, { A?: string[]; AAAA?: string[] }> = {
  "public.world.example": { A: ["93.184.216.34"] },
  "private.world.example": { A: ["10.1.2.3"] },
  "loopback.world.example": { A: ["127.0.0.1"] },
  "mixed.world.example": { A: ["93.184.216.34", "192.168.1.1"] },
  "six.world.example": { A: ["93.184.216.34"], AAAA: ["::ffff:127.0.0.1"] },
  "metadata.world.example": { AAAA: ["fd00:ec2::254"] },
  // Its second answer is another one: see `lookup`.
  "rebinding.world.example": { A: ["93.184.216.34"] },
};

/** How the names resolve when a connection is made: one that was public a moment ago leads to loopback. */
export function lookup(name: string): Promise<{ address: string; family: number }[]> {
  return name === "rebinding.world.example"
    ? Promise.resolve([{ address: "127.0.0.1", family: 4 }])
    : systemLookup(name, { all: true });
}

/** What DNS as JSON says of a name. */
export function resolveName(query: URLSearchParams) {
  const [name = "", type = "A"] = [query.get("name") ?? "", query.get("type") ?? "A"];
  const addresses = NAMES[name];
  const number = { A: 1, AAAA: 28 }[type];
  const answers = addresses?.[type as "A" | "AAAA"] ?? [];
  return { Status: addresses ? 0 : 3, Answer: answers.map((data) => ({ name, type: number, data })) };
}
