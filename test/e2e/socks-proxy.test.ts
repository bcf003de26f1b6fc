// Tests the browser's filtering proxy with SOCKS5 over TCP, as Chromium uses it.
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Address, Lookup } from "../../scripts/egress/lookup.ts";
import { loadPolicy, type MakePolicy } from "../../scripts/egress/policy.ts";
import { REPLY, type SocksProxy, serveSocksProxy } from "../../scripts/egress/socks-proxy.ts";
import { type Loopback, listen } from "../support/loopback.ts";

const GREETING = [5, 1, 0];
const PRIVATE = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "0.0.0.0", "168.63.129.16", "198.18.0.1"];
const PRIVATE_6 = ["::1", "::ffff:7f00:1", "fd00::1", "fe80::1", "64:ff9b::7f00:1", "2002:7f00:1::"];

const folder = mkdtempSync(join(tmpdir(), "extraction-socks-"));
const arrivals: string[] = [];
let makePolicy: MakePolicy;
let echo: Loopback;
let lookups: string[] = [];
const proxies: SocksProxy[] = [];

beforeAll(async () => {
  makePolicy = await loadPolicy(folder);
  echo = await listen(
    createServer((socket) => {
      arrivals.push("CONNECTION");
      socket.on("error", () => {});
      socket.pipe(socket);
    }),
  );
});

afterAll(() => {
  for (const { close } of proxies) close();
  echo.close();
  rmSync(folder, { recursive: true });
});

/**
 * Starts a proxy that resolves only these names. `exempt` has the format of ALLOWED_PRIVATE_HOSTS. Returns the proxy's
 * port.
 */
async function startProxy(names: Record<string, string[]> = {}, exempt = "", lookup?: Lookup): Promise<number> {
  lookups = [];
  arrivals.length = 0;
  const proxy = await serveSocksProxy({
    policy: makePolicy(exempt, ["http://own.example.com"]),
    lookup:
      lookup ??
      ((name) => {
        lookups.push(name);
        const addresses = names[name];
        if (addresses === undefined) return Promise.reject(new Error("ENOTFOUND"));
        return Promise.resolve(addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })));
      }),
  });
  proxies.push(proxy);
  return Number(new URL(proxy.url).port);
}

/** Sends the bytes, and reads until the connection closes or `size` bytes have arrived. */
async function exchange(port: number, bytes: number[], size: number): Promise<{ answer: number[]; socket: Socket }> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write(Buffer.from(bytes));
  let answer = Buffer.alloc(0);
  while (answer.length < size && !socket.readableEnded) {
    const chunk: Buffer | null = socket.read();
    if (chunk !== null) answer = Buffer.concat([answer, chunk]);
    else await Promise.race([once(socket, "readable"), once(socket, "close")]);
    if (socket.destroyed) break;
  }
  return { answer: [...answer], socket };
}

function toName(name: string, port: number): number[] {
  return [5, 1, 0, 3, name.length, ...Buffer.from(name), port >> 8, port & 255];
}

function toIPv4(address: string, port: number): number[] {
  return [5, 1, 0, 1, ...address.split(".").map(Number), port >> 8, port & 255];
}

function toIPv6(address: string, port: number): number[] {
  const url = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left = "", right] = url.split("::");
  const groups = (text: string) => text.split(":").filter(Boolean);
  const [head, tail] = [groups(left), groups(right ?? "")];
  const filled = [...head, ...Array(right === undefined ? 0 : 8 - head.length - tail.length).fill("0"), ...tail];
  const bytes = filled.map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
  return [5, 1, 0, 4, ...bytes, port >> 8, port & 255];
}

/** Sends the greeting and the request. Returns the reply code of the request. */
async function replyTo(port: number, request: number[]): Promise<number | undefined> {
  const { answer, socket } = await exchange(port, [...GREETING, ...request], 12);
  socket.destroy();
  expect(answer.slice(0, 2)).toEqual([5, 0]);
  return answer[3];
}

describe("the filtering proxy", () => {
  it("connects to an exempt host and forwards bytes in both directions", async () => {
    const port = await startProxy({}, `127.0.0.1:${echo.port}`);
    // The client sends its first bytes together with the request.
    const hello = [...Buffer.from("hello")];
    const { answer, socket } = await exchange(port, [...GREETING, ...toIPv4("127.0.0.1", echo.port), ...hello], 17);
    expect(answer.slice(0, 4)).toEqual([5, 0, 5, REPLY.succeeded]);
    expect(answer.slice(12)).toEqual(hello);
    socket.destroy();
  });

  it.each(PRIVATE)("refuses the literal address %s", async (address) => {
    const port = await startProxy();
    expect(await replyTo(port, toIPv4(address, echo.port))).toBe(REPLY.notAllowed);
    expect(await replyTo(port, toName(address, echo.port))).toBe(REPLY.notAllowed);
    expect(arrivals).toEqual([]);
  });

  it.each(PRIVATE_6)("refuses the literal address %s", async (address) => {
    const port = await startProxy();
    expect(await replyTo(port, toIPv6(address, echo.port))).toBe(REPLY.notAllowed);
  });

  it.each([...PRIVATE, ...PRIVATE_6])(
    "refuses a name that resolves to %s, even if it has other addresses",
    async (address) => {
      const names = { "rebinding.example.com": [address], "mixed.example.com": ["93.184.216.34", address] };
      const port = await startProxy(names);
      expect(await replyTo(port, toName("rebinding.example.com", echo.port))).toBe(REPLY.notAllowed);
      expect(await replyTo(port, toName("mixed.example.com", echo.port))).toBe(REPLY.notAllowed);
      expect(arrivals).toEqual([]);
    },
  );

  it("connects to the checked address and resolves the name only once", async () => {
    const port = await startProxy({ "exempt.example.com": ["127.0.0.1"] }, `exempt.example.com:${echo.port}`);
    expect(await replyTo(port, toName("exempt.example.com", echo.port))).toBe(REPLY.succeeded);
    expect(lookups).toEqual(["exempt.example.com"]);
  });

  it.each(["localhost", "own.example.com", "printer", "router.lan", "x.test"])("refuses the name %s", async (name) => {
    const port = await startProxy({ [name]: ["93.184.216.34"] });
    expect(await replyTo(port, toName(name, 80))).toBe(REPLY.notAllowed);
    expect(lookups).toEqual([]);
  });

  it("refuses ports that the Fetch standard blocks, such as 25", async () => {
    const port = await startProxy({ "mail.example.com": ["93.184.216.34"] });
    expect(await replyTo(port, toName("mail.example.com", 25))).toBe(REPLY.notAllowed);
  });

  it("reports unknown names and refused connections", async () => {
    const closed = await listen(createServer());
    closed.close();
    const port = await startProxy({}, `127.0.0.1:${closed.port}`);
    expect(await replyTo(port, toName("unknown.example.com", 80))).toBe(REPLY.hostUnreachable);
    expect(await replyTo(port, toIPv4("127.0.0.1", closed.port))).toBe(REPLY.refused);
  });

  it("doesn't connect if the client closes while the name is resolved", async () => {
    const host = "slow.example.com";
    let started = () => {};
    let answer = (_: Address[]) => {};
    const lookupStarted = new Promise<void>((resolve) => (started = resolve));
    const addresses = new Promise<Address[]>((resolve) => (answer = resolve));
    const exempt = `${host}:${echo.port},127.0.0.1:${echo.port}`;
    const port = await startProxy({}, exempt, () => {
      started();
      return addresses;
    });
    const client = connect(port, "127.0.0.1");
    client.write(Buffer.from([...GREETING, ...toName(host, echo.port)]));
    await lookupStarted;
    // The client ends its side of the connection. The proxy must then end the other side, which closes the socket.
    client.end();
    client.resume();
    await once(client, "close");
    answer([{ address: "127.0.0.1", family: 4 }]);
    expect(await replyTo(port, toIPv4("127.0.0.1", echo.port))).toBe(REPLY.succeeded);
    expect(arrivals).toEqual(["CONNECTION"]);
  });

  it.each([
    ["BIND", [5, 2, 0, 1, 1, 2, 3, 4, 0, 80]],
    ["UDP ASSOCIATE", [5, 3, 0, 1, 1, 2, 3, 4, 0, 80]],
    ["an unknown address type", [5, 1, 0, 9, 0, 80]],
  ])("doesn't support %s", async (_, request) => {
    expect(await replyTo(await startProxy(), request)).toBe(REPLY.commandNotSupported);
  });

  it.each([
    ["another SOCKS version", [4, 1, 0]],
    ["only password authentication", [5, 1, 2]],
  ])("refuses clients that request %s", async (_, greeting) => {
    const { answer } = await exchange(await startProxy(), greeting, 2);
    expect(answer).toEqual([5, 255]);
  });
});
