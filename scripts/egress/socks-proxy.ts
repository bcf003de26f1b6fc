import { once } from "node:events";
import { type AddressInfo, createServer, connect as netConnect, type Socket } from "node:net";
import { type Address, type Lookup, lookup as systemLookup } from "./lookup.ts";

/** The version of the SOCKS protocol (RFC 1928). The constants below are also from this RFC. */
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

/**
 * The egress policy (src/net/egress.ts). If a request is refused, the functions return a sentence with the reason, or
 * else null.
 */
export interface ProxyPolicy {
  /** Checks a URL before its name is resolved. */
  findRefusal: (url: string) => string | null;
  /** Checks a resolved address. */
  findAddressRefusal: (address: string) => string | null;
  /** Returns true if the operator allows this host and port at any address. */
  isExempt: (url: string) => boolean;
}

export interface SocksProxyOptions {
  policy: ProxyPolicy;
  /** Default: the system's hosts file and DNS servers. */
  lookup?: Lookup;
}

export interface SocksProxy {
  /** The value for Chromium's `proxyServer`: `socks5://127.0.0.1:port`. */
  url: string;
  close: () => void;
}

/**
 * Starts a SOCKS5 proxy (RFC 1928, only CONNECT) on loopback that enforces the egress policy. To prevent DNS rebinding,
 * the proxy resolves each name once, checks all addresses and connects to a checked address. All of the browser's
 * connections go through the proxy, including prefetches and certificate fetches.
 */
export async function serveSocksProxy({ policy, lookup = systemLookup }: SocksProxyOptions): Promise<SocksProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    sockets.add(client);
    client.once("close", () => sockets.delete(client));
    // Without a handler, a connection error would end the process.
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

/** Reads the host of a request. Returns null if the address type is unknown. */
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
 * Connects to the target if the policy allows it. Returns a SOCKS reply code if there is no connection. Doesn't connect
 * if the client has already disconnected.
 */
async function connectTo(
  { host, port, client }: { host: string; port: number; client: Socket },
  policy: ProxyPolicy,
  lookup: Lookup,
): Promise<Socket | number> {
  // The policy takes a URL. The proxy doesn't know the scheme, but the policy is the same for http and https.
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

/** Connects to the first address that responds (RFC 8305). If the client disconnects, the connection is closed. */
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

/** Pipes the sockets in both directions. `early` has the bytes that the client sent before it got the success reply. */
function pipe(client: Socket, target: Socket, early: Buffer): void {
  client.setNoDelay(true);
  target.on("error", () => client.destroy());
  // Calls `end` instead of `destroy`. Otherwise, bytes in the buffer would not be sent to the client.
  target.once("close", () => client.end());
  if (early.length > 0) target.write(early);
  client.pipe(target);
  target.pipe(client);
}

function toReply(code: number): Buffer {
  return Buffer.from([VERSION, code, 0, ADDRESS_TYPE.ipv4, 0, 0, 0, 0, 0, 0]);
}

/** Reads bytes from a socket in blocks of a given size. After `release`, the socket can be piped. */
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

  /** Returns the next `size` bytes. Throws if the connection ends first. */
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

  /**
   * Buffers incoming bytes until `release`. If nothing reads the socket, Node doesn't detect that the client has
   * disconnected.
   */
  keepReading(): void {
    this.#socket.on("readable", this.#bufferNext);
    this.#bufferNext();
  }

  /** Stops reading. Returns the bytes that were read but not taken. */
  release(): Buffer {
    this.#socket.off("readable", this.#bufferNext);
    return this.#buffered;
  }
}

/**
 * Returns a signal that aborts when the socket closes. `take` needs it, because a closed socket never emits "readable".
 */
function closeSignal(socket: Socket): AbortSignal {
  const closed = new AbortController();
  socket.once("close", () => closed.abort());
  return closed.signal;
}
