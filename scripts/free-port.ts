import { type AddressInfo, createServer } from "node:net";

/** The wanted port of loopback, or any other when it is taken; 0: any. */
export function freePort(wanted = 0): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", () => (wanted === 0 ? failed(new Error("No port is free.")) : found(freePort())));
    server.listen(wanted, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
