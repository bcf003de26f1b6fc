import { once } from "node:events";
import { type AddressInfo, createServer, connect as netConnect, type Socket } from "node:net";
import { type Address, type Lookup, lookup as systemLookup } from "./lookup.ts";

/** RFC 1928: the only version, command and method that browsers use here, and the replies that we give. */
const VERSION = 5;
const NO_AUTHENTICATION = 0;
const NO_ACCEPTABLE_METHOD = 0xff;
const CONNECT = 1;
const ADDRESS_TYPE = { ipv4: 1, name: 3, ipv6: 4 } as const;
export const REPLY = {
  succeeded: 0,
  failure: 1,
  notAllowed: 2,
  hostUnreachable: 4,
  refused: 5,
  commandNotSupported: 7,
} as const;

const HANDSHAKE_TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 30_000;

/** The egress policy (src/net/egress.ts). A refusal is a sentence that says why; null allows. */
export interface ProxyPolicy {
  /** Checks a URL as it is written. */
  findRefusal: (url: string) => string | null;
  /** Checks an address that a name leads to. */
  findAddressRefusal: (address: string) => string | null;
  /** True if the operator allows this host and port, whatever its address is. */
  isExempt: (url: string) => boolean;
}

export interface SocksProxyOptions {
  policy: ProxyPolicy;
  /** The hosts file and DNS by default. */
  lookup?: Lookup;
}

export interface SocksProxy {
  /** For Chromium's `proxyServer`: `socks5://127.0.0.1:port`. */
  url: string;
  close: () => void;
}

/**
 * Serves a SOCKS5 proxy (RFC 1928, CONNECT only) on loopback that connects where the egress policy allows. It resolves
 * each name once, checks every address, and connects to an address that it checked, so a name can't change in between
 * (DNS rebinding). The browser's requests, prefetches and certificate fetches have no other way out.
 */
export async function serveSocksProxy({ policy, lookup = systemLookup }: SocksProxyOptions): Promise<SocksProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.once("close", () => sockets.delete(client));
    // A connection that breaks ends with its socket.
    client.on("error", () => client.destroy());
    serve(client, policy, lookup).catch(() => client.destroy());
  });
  server.unref();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `socks5://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function serve(client: Socket, policy: ProxyPolicy, lookup: Lookup): Promise<void> {
  client.setTimeout(HANDSHAKE_TIMEOUT_MS, () => client.destroy());
  const reader = new Reader(client);
  const [version, methodCount = 0] = await reader.take(2);
  const methods = await reader.take(methodCount);
  if (version !== VERSION || !methods.includes(NO_AUTHENTICATION)) {
    client.end(Buffer.from([VERSION, NO_ACCEPTABLE_METHOD]));
    return;
  }
  client.write(Buffer.from([VERSION, NO_AUTHENTICATION]));

  const [, command] = await reader.take(3);
  const host = await readHost(reader);
  const port = (await reader.take(2)).readUInt16BE();
  client.setTimeout(0);
  if (command !== CONNECT || host === null) {
    client.end(toReply(REPLY.commandNotSupported));
    return;
  }
  reader.keepReading();
  const target = await connectTo({ host, port, client }, policy, lookup);
  if (client.destroyed) return;
  if (typeof target === "number") {
    client.end(toReply(target));
    return;
  }
  client.write(toReply(REPLY.succeeded));
  pipe(client, target, reader.release());
}

/** Null for an address type that doesn't exist. */
async function readHost(reader: Reader): Promise<string | null> {
  const [type] = await reader.take(1);
  if (type === ADDRESS_TYPE.ipv4) return [...(await reader.take(4))].join(".");
  if (type === ADDRESS_TYPE.name) {
    const [length = 0] = await reader.take(1);
    return (await reader.take(length)).toString("latin1");
  }
  if (type !== ADDRESS_TYPE.ipv6) return null;
  const bytes = await reader.take(16);
  const groups = Array.from({ length: 8 }, (_, i) => bytes.readUInt16BE(2 * i).toString(16));
  return `[${groups.join(":")}]`;
}

/**
 * Connects to an address that the policy allows. Returns the reply that says why if it can't. Opens no connection for a
 * client that has closed its own.
 */
async function connectTo(
  { host, port, client }: { host: string; port: number; client: Socket },
  policy: ProxyPolicy,
  lookup: Lookup,
): Promise<Socket | number> {
  // The scheme isn't known here, and the policy is the same for both.
  const url = `http://${host}:${port}/`;
  if (policy.findRefusal(url) !== null) return REPLY.notAllowed;
  const { hostname } = new URL(url);
  const literal = /^\[(.+)\]$/.exec(hostname)?.[1] ?? (/^[\d.]+$/.test(hostname) ? hostname : null);
  let addresses: Address[];
  try {
    addresses =
      literal === null ? await lookup(hostname) : [{ address: literal, family: literal.includes(":") ? 6 : 4 }];
  } catch {
    return REPLY.hostUnreachable;
  }
  if (addresses.length === 0) return REPLY.hostUnreachable;
  const isAllowed =
    policy.isExempt(url) || addresses.every(({ address }) => policy.findAddressRefusal(address) === null);
  if (!isAllowed) return REPLY.notAllowed;
  return client.destroyed ? REPLY.failure : await open(addresses, port, client);
}

/**
 * Connects to the first of these addresses that answers, as browsers do (RFC 8305). The connection ends with the
 * client's.
 */
function open(addresses: Address[], port: number, client: Socket): Promise<Socket | number> {
  return new Promise((resolve) => {
    const socket = netConnect({
      host: "target",
      port,
      autoSelectFamily: true,
      noDelay: true,
      lookup: (_host, _options, done) => done(null, addresses),
    });
    client.once("close", () => {
      socket.destroy();
      resolve(REPLY.failure);
    });
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy(new Error("The connection timed out.")));
    socket.once("error", (error: NodeJS.ErrnoException) => {
      socket.destroy();
      resolve(toFailure(error));
    });
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.removeAllListeners("error");
      resolve(socket);
    });
  });
}

function toFailure(error: NodeJS.ErrnoException): number {
  const codes = error instanceof AggregateError ? error.errors.map(({ code }) => code) : [error.code];
  if (codes.includes("ECONNREFUSED")) return REPLY.refused;
  return codes.some((code) => /UNREACH/.test(code ?? "")) ? REPLY.hostUnreachable : REPLY.failure;
}

/** `early`: what the client sent before it was told that the connection is there. */
function pipe(client: Socket, target: Socket, early: Buffer): void {
  client.setNoDelay(true);
  target.on("error", () => client.destroy());
  // Not destroyed: it may still have bytes to send.
  target.once("close", () => client.end());
  if (early.length > 0) target.write(early);
  client.pipe(target);
  target.pipe(client);
}

function toReply(code: number): Buffer {
  return Buffer.from([VERSION, code, 0, ADDRESS_TYPE.ipv4, 0, 0, 0, 0, 0, 0]);
}

/** Reads exact numbers of bytes from a socket, until it is released. */
class Reader {
  readonly #socket: Socket;
  #buffered = Buffer.alloc(0);
  readonly #bufferNext = () => {
    const chunk: Buffer | null = this.#socket.read();
    if (chunk !== null) this.#buffered = Buffer.concat([this.#buffered, chunk]);
  };

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** Throws when the connection ends before that. */
  async take(size: number): Promise<Buffer> {
    while (this.#buffered.length < size) {
      const chunk: Buffer | null = this.#socket.read();
      if (chunk !== null) this.#buffered = Buffer.concat([this.#buffered, chunk]);
      else if (this.#socket.readableEnded || this.#socket.destroyed) throw new Error("The connection ended.");
      else await once(this.#socket, "readable", { signal: closeSignal(this.#socket) });
    }
    const taken = this.#buffered.subarray(0, size);
    this.#buffered = this.#buffered.subarray(size);
    return taken;
  }

  /** Reads until `release`. A socket only notices that the other side closed it while it is read. */
  keepReading(): void {
    this.#socket.on("readable", this.#bufferNext);
    this.#bufferNext();
  }

  /** Returns the bytes that were read and not taken. The socket may be piped after this. */
  release(): Buffer {
    this.#socket.off("readable", this.#bufferNext);
    return this.#buffered;
  }
}

/** Aborts when the socket closes: it isn't readable any more after that. */
function closeSignal(socket: Socket): AbortSignal {
  const closed = new AbortController();
  socket.once("close", () => closed.abort());
  return closed.signal;
}
