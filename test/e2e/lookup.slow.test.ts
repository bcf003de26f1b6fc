// Tests how `npm start` resolves names: from the hosts file first, then with DNS servers. The DNS servers are UDP
// servers on loopback.
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Lookup, makeLookup } from "../../scripts/egress/lookup.ts";

const A = 1;
const AAAA = 28;
const NO_ERROR = 0x8180;
const NAME_ERROR = 0x8183;

const ZONE: Record<string, { [type: number]: number[][] }> = {
  "both.example.com": { [A]: [[192, 0, 2, 1], [192, 0, 2, 2]], [AAAA]: [[0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1]] }, // biome-ignore format: a table
  "four.example.com": { [A]: [[192, 0, 2, 4]] },
  "six.example.com": { [AAAA]: [[0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 6]] },
  "empty.example.com": {},
};

const folder = mkdtempSync(join(tmpdir(), "extraction-lookup-"));
const hostsFile = join(folder, "hosts");
const server = createSocket("udp4");
let queries: string[] = [];
let lookup: Lookup;

beforeAll(async () => {
  server.on("message", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    queries.push(`${name} ${type}`);
    if (!name.includes("slow"))
      server.send(toResponse(query.subarray(0, end), ZONE[name]?.[type], name in ZONE), port, address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
});

beforeEach(() => {
  queries = [];
  writeFileSync(hostsFile, "");
  lookup = makeLookup({ hostsFile, servers: [`127.0.0.1:${server.address().port}`] });
});

afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

/** Waits until the server has received this many different queries. */
async function receiveQueries(count: number): Promise<void> {
  while (new Set(queries).size < count) await once(server, "message");
}

/** Reads the first question of a DNS query (RFC 1035, 4.1.2). It begins after the 12 bytes of the header. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Creates the response to a DNS query with one question. The response repeats the question (RFC 1035, 4.1.3). */
function toResponse(query: Buffer, addresses: number[][] = [], exists: boolean): Buffer {
  const header = Buffer.alloc(12);
  for (const [i, field] of [query.readUInt16BE(0), exists ? NO_ERROR : NAME_ERROR, 1, addresses.length].entries())
    header.writeUInt16BE(field, 2 * i);
  const records = addresses.map((address) => {
    const type = address.length === 4 ? A : AAAA;
    // The fields are a pointer to the question's name, the type, the class IN, a TTL of 60 seconds, and the length.
    return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length, ...address]);
  });
  return Buffer.concat([header, query.subarray(12), ...records]);
}

it("resolves names from the hosts file without DNS queries", async () => {
  writeFileSync(
    hostsFile,
    "# 192.0.2.9 comment\n192.0.2.7\tPrinter.Example.com printer # office\r\n2001:db8::7 printer\nnonsense name\n",
  );
  expect(await lookup("printer.example.COM")).toEqual([{ address: "192.0.2.7", family: 4 }]);
  expect(await lookup("printer.")).toEqual([
    { address: "192.0.2.7", family: 4 },
    { address: "2001:db8::7", family: 6 },
  ]);
  expect(queries).toEqual([]);
  await expect(lookup("comment")).rejects.toThrow("ENOTFOUND");
});

it("reads the hosts file again when it changes", async () => {
  writeFileSync(hostsFile, "192.0.2.7 four.example.com");
  expect(await lookup("four.example.com")).toEqual([{ address: "192.0.2.7", family: 4 }]);
  writeFileSync(hostsFile, "192.0.2.8 four.example.com");
  utimesSync(hostsFile, 1, 1);
  expect(await lookup("four.example.com")).toEqual([{ address: "192.0.2.8", family: 4 }]);
  rmSync(hostsFile);
  expect(await lookup("four.example.com")).toEqual([{ address: "192.0.2.4", family: 4 }]);
});

it.each([
  ["both.example.com", ["192.0.2.1", "192.0.2.2", "2001:db8::1"]],
  ["Four.Example.com.", ["192.0.2.4"]],
  ["six.example.com", ["2001:db8::6"]],
])("queries DNS for IPv4 and IPv6 addresses: %s", async (name, addresses) => {
  expect((await lookup(name)).map(({ address }) => address)).toEqual(addresses);
});

it.each(["unknown.example.com", "empty.example.com", "single", "not..valid"])(
  "rejects a name without an address: %s",
  (name) => expect(lookup(name)).rejects.toThrow(),
);

it.each([
  ["192.0.2.3", ["192.0.2.3"]],
  ["2001:db8::3", ["2001:db8::3"]],
  ["localhost", ["127.0.0.1", "::1"]],
  ["app.localhost", ["127.0.0.1", "::1"]],
])("doesn't query DNS for %s", async (name, addresses) => {
  expect((await lookup(name)).map(({ address }) => address)).toEqual(addresses);
  expect(queries).toEqual([]);
});

it("shares concurrent lookups of a name, and doesn't cache the result", async () => {
  await Promise.all(["four.example.com", "FOUR.example.com", "four.example.com."].map(lookup));
  expect(queries.toSorted()).toEqual(["four.example.com 1", "four.example.com 28"]);
  await lookup("four.example.com");
  expect(queries).toHaveLength(4);
});

it("isn't delayed by names whose servers never respond, and abandons their lookups", async () => {
  const settled: string[] = [];
  const slow: Promise<unknown>[] = [];
  while (slow.length < 200) {
    const query = lookup(`slow-${slow.length}.example.com`);
    slow.push(
      query.then(
        () => settled.push("found"),
        () => settled.push("abandoned"),
      ),
    );
    // The kernel drops packets when more than about 250 wait for one socket.
    if (slow.length % 50 === 0) await receiveQueries(2 * slow.length);
  }
  await lookup("four.example.com");
  settled.push("four");
  await Promise.all(slow);
  expect(settled).toEqual(["four", ...Array(200).fill("abandoned")]);
});
