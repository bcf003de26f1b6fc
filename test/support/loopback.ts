import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

export interface Loopback {
  port: number;
  /** The origin, such as http://127.0.0.1:8080. */
  origin: string;
  /** Closes the server and all open connections. */
  close: () => void;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function listen(server: Server & Partial<Pick<HttpServer, "closeAllConnections">>): Promise<Loopback> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections?.();
      server.close();
    },
  };
}
