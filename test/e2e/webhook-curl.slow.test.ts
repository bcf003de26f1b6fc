import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "vitest";
import { MAX_INLINE_PAYLOAD_CHARS, PAYLOAD_FILE, toCurl } from "../../src/webhooks/curl.ts";
import { listen } from "../support/loopback.ts";

const folder = mkdtempSync(join(tmpdir(), "extraction-curl-"));
const requests: { target: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
const { origin, close } = await listen(
  createServer(async (request, response) => {
    requests.push({ target: `${request.method} ${request.url}`, headers: request.headers, body: await text(request) });
    response.end();
  }),
);
afterAll(() => {
  close();
  rmSync(folder, { recursive: true, force: true });
});

const PAYLOADS: [name: string, payload: string][] = [
  ["plain JSON", '{"event":"job.failed"}'],
  ["quotes and shell syntax", JSON.stringify({ a: `it's "so" $HOME $(touch x) \`touch x\` !! \\' ; rm x | cat` })],
  ["line breaks and control characters", JSON.stringify({ a: "a\nb\r\tc\u0000\u001b\\n" })],
  ["letters of many scripts", JSON.stringify({ a: "müze 東京 🗼 \u2028\u2029 \u202e" })],
  ["a leading @, which names a file", "@/etc/hostname"],
  ["a payload that is too long for the command", JSON.stringify({ a: "ü's".repeat(MAX_INLINE_PAYLOAD_CHARS) })],
];

describe.skipIf(spawnSync("curl", ["--version"]).status !== 0)("the curl command of a delivery", () => {
  it.each(PAYLOADS)("sends exactly the same request: %s", async (_, payload) => {
    const headers = {
      "Content-Type": "application/json",
      "User-Agent": "It's the service (+https://example.com)",
      "X-Webhook-Signature": `sha256=${"0a".repeat(32)}`,
      "webhook-signature":
        "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4= v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    };
    const path = "/hook's/{a,b}?list[]=1&range=[1-3]&q=%22$HOME";
    writeFileSync(join(folder, PAYLOAD_FILE), payload);
    const child = execFile("bash", ["-c", toCurl({ url: `${origin}${path}`, headers, payload })], { cwd: folder });
    expect((await once(child, "exit"))[0]).toBe(0);
    const [sent, ...others] = requests.splice(0);
    expect(others).toEqual([]);
    expect([sent?.target, sent?.body]).toEqual([`POST ${path}`, payload]);
    for (const [name, value] of Object.entries(headers)) expect(sent?.headers[name.toLowerCase()]).toBe(value);
  });
});
