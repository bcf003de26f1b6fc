// A stand-in for Turnstile's siteverify. A token is the base64url of a JSON object: the page's host name, the widget's
// action and the visitor's IP address. It is valid once.
import { createServer } from "node:http";
import { type Loopback, listen } from "./loopback.ts";
import { sendJson } from "./responses.ts";

export const TURNSTILE_SECRET = "a secret of Turnstile";

export function startTurnstile(): Promise<Loopback> {
  const used = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const refuse = (code: string) => sendJson(response, { success: false, "error-codes": [code] });
    const form = new URLSearchParams(Buffer.concat(chunks).toString());
    if (request.method !== "POST" || request.url !== "/turnstile/v0/siteverify") return refuse("bad-request");
    if (form.get("secret") !== TURNSTILE_SECRET) return refuse("invalid-input-secret");
    const token = form.get("response") ?? "";
    if (token === "reset") return void request.socket.destroy();
    if (token === "page") return void response.writeHead(502).end("<h1>Bad gateway</h1>");
    if (!token.startsWith("ey")) return refuse("invalid-input-response");
    const { hostname, action, ip } = JSON.parse(Buffer.from(token, "base64url").toString());
    if (ip !== form.get("remoteip")) return refuse("invalid-input-response");
    if (used.has(token)) return refuse("timeout-or-duplicate");
    used.add(token);
    sendJson(response, { success: true, "error-codes": [], challenge_ts: new Date().toISOString(), hostname, action });
  });
  return listen(server);
}
