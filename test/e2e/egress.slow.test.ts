// Tests outgoing connections of the local runtime. workerd sends them through the egress Worker, which refuses private
// addresses.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../scripts/bundle.ts";
import { configuredHosts, EGRESS_WORKER, egressWorkerOptions, specialRanges } from "../../scripts/egress/network.ts";
import { CERTIFICATE } from "../support/certificate.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import { startUntrustedSite } from "../support/untrusted.ts";

const SCRIPT = `export default { fetch: async (request) => {
  const target = new URL(request.url).searchParams.get("url");
  try { return new Response(await (await fetch(target)).text()); } catch (error) { return new Response(error.message, { status: 502 }); }
} };`;

/** A host and port that refuses connections. */
const REFUSED = "127.0.0.1:1";

const folder = mkdtempSync(join(tmpdir(), "extraction-egress-"));
const lines: string[] = [];
let configured: Loopback;
let other: Loopback;
let untrusted: Awaited<ReturnType<typeof startUntrustedSite>>;
/** Has a trusted certificate, but ends each connection after the handshake. */
let interrupted: Loopback;
const arrivals: string[] = [];
let runtime: Miniflare;

beforeAll(async () => {
  configured = await listen(createServer((_, response) => response.end("configured")));
  other = await listen(
    createServer((_, response) => response.end("other")).on("connection", () => arrivals.push("CONNECTION")),
  );
  untrusted = await startUntrustedSite("http://127.0.0.1:1");
  const { key, cert } = CERTIFICATE;
  interrupted = await listen(createHttpsServer({ key, cert }, (request) => request.socket.destroy()));
  const script = join(folder, "egress.mjs");
  await bundle(join(import.meta.dirname, "../../scripts/egress/worker.ts"), script);
  const ALLOWED_PRIVATE_HOSTS = [untrusted.host, `127.0.0.1:${interrupted.port}`, REFUSED].join();
  const variables = { ALLOWED_PRIVATE_HOSTS, OPENAI_BASE_URL: `${configured.origin}/v1` };
  const app = {
    name: "app",
    modules: true,
    script: SCRIPT,
    compatibilityDate: "2026-10-01",
    outboundService: EGRESS_WORKER,
  };
  runtime = new Miniflare(
    convertV4MiniflareOptions({
      workers: [app, egressWorkerOptions(readFileSync(script, "utf8"), variables)],
      handleStructuredLogs: ({ message }) => void lines.push(message),
    }),
  );
});

afterAll(async () => {
  await runtime.dispose();
  for (const server of [configured, other, untrusted, interrupted]) server.close();
  rmSync(folder, { recursive: true });
});

async function fetchInRuntime(url: string): Promise<{ status: number; text: string }> {
  const response = await runtime.dispatchFetch(`http://app/?url=${encodeURIComponent(url)}`);
  return { status: response.status, text: await response.text() };
}

describe("the local runtime's fetch", () => {
  it("connects to configured hosts", async () => {
    expect(await fetchInRuntime(`${configured.origin}/`)).toEqual({ status: 200, text: "configured" });
  });

  it("doesn't connect to other hosts on this machine", async () => {
    expect((await fetchInRuntime(`${other.origin}/`)).status).toBe(502);
    expect(arrivals).toEqual([]);
  });

  it("checks the resolved address when it connects", async () => {
    // The egress Worker allows this host name. The connection is refused only because the runtime checks the resolved
    // address.
    expect((await fetchInRuntime(`http://localhost:${other.port}/`)).status).toBe(502);
    expect(arrivals).toEqual([]);
    expect(lines.join("\n")).toContain(`connecting to localhost:${other.port} is not allowed`);
  });

  it("says that TLS failed, so that the service can report it", async () => {
    const failed = { status: 502, text: "The TLS handshake failed." };
    expect(await fetchInRuntime(`${untrusted.origin}/`)).toEqual(failed);
    expect(await fetchInRuntime(`${configured.origin.replace("http:", "https:")}/`)).toEqual(failed);
    for (const host of [REFUSED, `127.0.0.1:${interrupted.port}`, `127.0.0.1:${other.port}`]) {
      const { status, text } = await fetchInRuntime(`https://${host}/`);
      expect([status, text]).toEqual([502, expect.not.stringContaining("TLS")]);
    }
    expect(arrivals).toEqual([]);
  });

  it.each(specialRanges())("doesn't connect to addresses in %s", async (range) => {
    const [address = ""] = range.split("/");
    const host = address.includes(":") ? `[${address}]` : address;
    lines.length = 0;
    expect((await fetchInRuntime(`http://${host}/`)).status).toBe(502);
    expect(lines.join("\n")).toContain("is not allowed");
  });
});

describe("the configured hosts", () => {
  it("are the hosts and ports of all URLs of the operator's services", () => {
    const variables = {
      ALLOWED_PRIVATE_HOSTS: "127.0.0.1:3000, localhost:3001",
      ANTHROPIC_BASE_URL: "http://models.internal",
      SERP_BING_ORIGIN: "https://gateway.internal",
      MAIL_URL: "http://[::1]:8025/emails",
      ALERT_WEBHOOK: "http://alerts.internal/hook",
      OPENAI_BASE_URL: "",
      USER_AGENT: "http://not.an.address",
    };
    expect(configuredHosts(variables)).toBe(
      "127.0.0.1:3000, localhost:3001,models.internal:80,gateway.internal:443,[::1]:8025,alerts.internal:80",
    );
  });
});
