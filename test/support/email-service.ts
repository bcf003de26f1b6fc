// A mail service, in Node: Resend's `POST /emails`, which writes down what it was given.
import { createServer } from "node:http";
import { json } from "./answers.ts";
import { listen } from "./loopback.ts";

export const MAIL_KEY = "a mail key of the tests";

export interface EmailService {
  url: string;
  /** The emails to an address, in their order. */
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
    const answer = (status: number, body: unknown) => json(response, body, { status });
    if (request.method !== "POST" || request.url !== "/emails") return answer(404, { name: "not_found" });
    if (request.headers.authorization !== `Bearer ${MAIL_KEY}`) return answer(401, { name: "missing_api_key" });
    const sent = JSON.parse(Buffer.concat(chunks).toString()) as SentEmail;
    const isWhole = [sent.from, sent.subject, sent.text, sent.to?.[0]].every((part) => typeof part === "string");
    if (!isWhole) return answer(422, { name: "missing_required_field" });
    emails.push(sent);
    answer(200, { id: crypto.randomUUID() });
  });
  const { origin, close } = await listen(server);
  return { url: `${origin}/emails`, emails: (to) => emails.filter((sent) => sent.to.includes(to)), close };
}
