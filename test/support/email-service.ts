// A stand-in for Resend's `POST /emails` that logs the emails.
import { createServer } from "node:http";
import { listen } from "./loopback.ts";
import { sendJson } from "./responses.ts";

export const MAIL_KEY = "test email key";

export interface EmailService {
  url: string;
  /** Returns the emails to an address, oldest first. */
  emails: (to: string) => SentEmail[];
  close: () => void;
}

export interface SentEmail {
  from: string;
  to: string[];
  subject: string;
  text: string;
}

export async function startEmailService(): Promise<EmailService> {
  const emails: SentEmail[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const respond = (status: number, body: unknown) => sendJson(response, body, { status });
    if (request.method !== "POST" || request.url !== "/emails") return respond(404, { name: "not_found" });
    if (request.headers.authorization !== `Bearer ${MAIL_KEY}`) return respond(401, { name: "missing_api_key" });
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as SentEmail;
    const isComplete = [sent.from, sent.subject, sent.text, sent.to?.[0]].every((part) => typeof part === "string");
    if (!isComplete) return respond(422, { name: "missing_required_field" });
    // Resend refuses some addresses, for example addresses to which an earlier email bounced.
    if (sent.to[0]?.startsWith("refused-")) return respond(422, { name: "validation_error" });
    emails.push(sent);
    respond(200, { id: crypto.randomUUID() });
  });
  const { origin, close } = await listen(server);
  return { url: `${origin}/emails`, emails: (to) => emails.filter((sent) => sent.to.includes(to)), close };
}
