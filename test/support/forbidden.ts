// A loopback host that the service must never contact. It logs everything that arrives.
import { createSocket } from "node:dgram";
import { createServer } from "node:http";
import { listen } from "./loopback.ts";

export interface ForbiddenHost {
  origin: string;
  /** The port of the UDP socket. */
  udpPort: number;
  arrivals: () => string[];
  close: () => void;
}

export async function startForbiddenHost(): Promise<ForbiddenHost> {
  const arrivals: string[] = [];
  const server = createServer((request, response) => {
    arrivals.push(`${request.method} ${request.url}`);
    response.setHeader("access-control-allow-origin", "*");
    response.end("private");
  });
  server.on("upgrade", (request, socket) => {
    arrivals.push(`UPGRADE ${request.url}`);
    socket.destroy();
  });
  server.on("connection", () => arrivals.push("CONNECTION"));
  const { origin, close } = await listen(server);
  const udp = createSocket("udp4").on("message", () => arrivals.push("UDP"));
  await new Promise<void>((ready) => udp.bind(0, "127.0.0.1", ready));
  return {
    origin,
    udpPort: udp.address().port,
    arrivals: () => arrivals,
    close: () => {
      close();
      udp.close();
    },
  };
}
