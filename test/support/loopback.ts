import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";

export interface Loopback {
  port: number;
  /** As http://127.0.0.1:… */
  origin: string;
  /** With every connection that is still open. */
  close: () => void;
}

/** Lets the server listen at a port of its own. */
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
