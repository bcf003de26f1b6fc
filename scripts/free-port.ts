import { type AddressInfo, createServer } from "node:net";

/** With these error codes, this port can't be used, but another port of the same address may be free. */
const UNAVAILABLE_CODES = ["EADDRINUSE", "EACCES"];

/**
 * Returns the preferred port if it is free at this address, or else any free port. 0 means any port. Rejects if the
 * service can't listen on the address.
 */
export function freePort(preferred = 0, address = "127.0.0.1"): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (preferred !== 0 && UNAVAILABLE_CODES.includes(error.code ?? "")) found(freePort(0, address));
      else failed(new Error(`The service can't listen on ${address}: ${error.message}`));
    });
    server.listen(preferred, address, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
