import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { SignedRequest } from "./verify.ts";

/** An event has a result of at most 1 MB, so a larger body isn't an event of the service. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** A request that was answered. `body` is null if it wasn't a POST request, or if its body was too large. */
export interface Received extends Omit<SignedRequest, "body"> {
  at: Date;
  method: string;
  path: string;
  body: Buffer | null;
  /** The status of the response. */
  status: number;
}

/**
 * Starts a receiver on loopback that answers every POST request with `status`. Calls `onRequest` after each answer.
 * Throws an Error with a message for the user if the port is in use.
 */
export async function startReceiver(
  { port, status }: { port: number; status: number },
  onRequest: (received: Received) => void,
): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response, status).then(
      (received) => onRequest(received),
      // The connection broke before the request was complete. The service reports it in the delivery's log.
      () => request.destroy(),
    );
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    throw new Error(`Port ${port} is in use. Stop the program that uses it, or choose another port with --port.`);
  });
  return server;
}

async function answer(request: IncomingMessage, response: ServerResponse, status: number): Promise<Received> {
  const { method = "", url: path = "/" } = request;
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  const received = { at: new Date(), method, path, headers };
  if (method !== "POST") return end(response, 405, { ...received, body: null });
  const body = await readBody(request);
  return end(response, body === null ? 413 : status, { ...received, body });
}

function end(response: ServerResponse, status: number, received: Omit<Received, "status">): Received {
  response.writeHead(status, status === 405 ? { allow: "POST" } : {}).end();
  return { ...received, status };
}

/** Returns the body, or null if it is larger than MAX_BODY_BYTES. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return size <= MAX_BODY_BYTES ? Buffer.concat(chunks) : null;
}
