// A mail service, in Node: Resend's `POST /emails`, which writes down what it was given.
import { createServer } from "node:http";
import { json } from "./answers.ts";
import { listen } from "./loopback.ts";

export const MAIL_KEY = "a mail key of the tests";

export interface MailService {
  url: string;
  /** The letters to an address, in their order. */
  letters: (to: string) => Letter[];
  close: () => void;
}

export interface Letter {
  from: string;
  to: string[];
  subject: string;
  text: string;
}

export async function startMail(): Promise<MailService> {
  const letters: Letter[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const answer = (status: number, body: unknown) => json(response, body, { status });
    if (request.method !== "POST" || request.url !== "/emails") return answer(404, { name: "not_found" });
    if (request.headers.authorization !== `Bearer ${MAIL_KEY}`) return answer(401, { name: "missing_api_key" });
    const letter = JSON.parse(Buffer.concat(chunks).toString()) as Letter;
    const isWhole = [letter.from, letter.subject, letter.text, letter.to?.[0]].every(
      (part) => typeof part === "string",
    );
    if (!isWhole) return answer(422, { name: "missing_required_field" });
    letters.push(letter);
    answer(200, { id: crypto.randomUUID() });
  });
  const { origin, close } = await listen(server);
  return { url: `${origin}/emails`, letters: (to) => letters.filter((letter) => letter.to.includes(to)), close };
}
