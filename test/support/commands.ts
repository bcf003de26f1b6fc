/** A command to a browser, in the Chrome DevTools Protocol. `sessionId` is missing for commands to the whole browser. */
export interface Command {
  id: number;
  method: string;
  sessionId?: string;
}

/** The fate of a command. With `lose`, it gets no response. A promise delays it and all later commands. */
export type Fate = "send" | "lose" | "refuse" | "close";

/**
 * Returns a browser binding with a proxy between the host and its browsers. `decide` gets each command, and the number
 * of its connection, from 1.
 */
export function interceptCommands(
  binding: BrowserRun,
  decide: (command: Command, connection: number) => Fate | Promise<Fate>,
): BrowserRun {
  let connections = 0;
  const fetch: Fetcher["fetch"] = async (...args) => {
    const response = await binding.fetch(...args);
    if (response.webSocket === null) return response;
    const connection = ++connections;
    const { 0: client, 1: server } = new WebSocketPair();
    const browser = response.webSocket;
    browser.accept();
    server.accept();
    const close = () => {
      for (const socket of [browser, server]) if (socket.readyState === WebSocket.OPEN) socket.close();
    };
    let queue = Promise.resolve();
    const handle = async (data: string) => {
      const command = JSON.parse(data) as Command;
      const { id, method, sessionId } = command;
      const fate = await decide(command, connection);
      if (server.readyState !== WebSocket.OPEN) return;
      if (fate === "send") browser.send(data);
      if (fate === "close") close();
      if (fate === "refuse")
        server.send(JSON.stringify({ id, sessionId, error: { code: -32_601, message: `'${method}' wasn't found` } }));
    };
    server.addEventListener("message", ({ data }) => {
      queue = queue.then(() => handle(String(data)));
    });
    browser.addEventListener("message", ({ data }) => {
      if (server.readyState === WebSocket.OPEN) server.send(data);
    });
    server.addEventListener("close", close);
    browser.addEventListener("close", close);
    return new Response(null, { status: 101, webSocket: client });
  };
  return { fetch } as BrowserRun;
}
