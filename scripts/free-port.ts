import { type AddressInfo, createServer } from "node:net";

/** Why a port can't be used though the address can. */
const TAKEN = ["EADDRINUSE", "EACCES"];

/**
 * Returns the wanted port if it is free at this address, else any free port. 0 means any port. Rejects if the address can't be
 * listened on.
 */
export function freePort(wanted = 0, address = "127.0.0.1"): Promise<number> {
  return new Promise((found, failed) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (wanted !== 0 && TAKEN.includes(error.code ?? "")) found(freePort(0, address));
      else failed(new Error(`The service can't listen on ${address}: ${error.message}`));
    });
    server.listen(wanted, address, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => found(port));
    });
  });
}
