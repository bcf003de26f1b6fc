// Tests the isolation of `npm start`: private addresses, the runtime's tools, the state folder, and the cleanup of
// processes.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endBrowsers } from "../../scripts/processes.ts";
import { type Loopback, listen } from "../support/loopback.ts";
import { canReplaceHosts, type Product, startProduct } from "../support/product.ts";
import { sendHtml, sendJson } from "../support/responses.ts";

const REBINDING = "rebinding.extraction.example";

const temporary = mkdtempSync(join(tmpdir(), "extraction-isolation-"));
const arrivals: string[] = [];
const canRebind = canReplaceHosts();
let forbidden: Loopback;
let resolver: Loopback;
let site: Loopback;
let product: Product;

beforeAll(async () => {
  forbidden = await listen(
    createTcpServer((socket) => {
      arrivals.push("CONNECTION");
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<h1>private</h1>");
    }),
  );
  // The resolver returns a public address for every name.
  resolver = await listen(
    createServer((_, response) =>
      sendJson(response, { Status: 0, Answer: [{ name: "x", type: 1, data: "93.184.216.34" }] }),
    ),
  );
  site = await listen(createServer((_, response) => sendHtml(response, "<h1>A page</h1><p>A public page.</p>")));
  const hosts = join(temporary, "hosts");
  writeFileSync(hosts, `127.0.0.1 localhost ${REBINDING}\n`);
  const state = join(temporary, "state");
  mkdirSync(state, { mode: 0o755 });
  product = await startProduct({
    state,
    temporary,
    allowedHosts: `127.0.0.1:${site.port}`,
    args: ["--ip", "0.0.0.0", "--var", `DNS_RESOLVER:${resolver.origin}/`],
    ...(canRebind && { hosts }),
  });
});

afterAll(async () => {
  await product?.stop();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  for (const { close } of [forbidden, resolver, site]) close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
});

function call(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${product.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${product.live}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

describe.skipIf(!canRebind)(
  "a name that resolves to a private address after the check (needs mount namespaces)",
  () => {
    it.each([
      ["plain", {}],
      ["rendered", { js_render: true }],
    ])("isn't contacted by a %s scrape", async (_, options) => {
      const response = await call("POST", "/v1/scrape?wait=true", {
        url: `http://${REBINDING}:${forbidden.port}/`,
        ...options,
      });
      const text = await response.text();
      expect([response.status, text]).toEqual([502, expect.stringContaining("connection_failed")]);
      expect(text).not.toContain("private");
      expect(arrivals).toEqual([]);
    });

    it("isn't contacted by a webhook", async () => {
      const body = { url: `${site.origin}/`, webhook_url: `https://${REBINDING}:${forbidden.port}/hook` };
      expect((await call("POST", "/v1/scrape", body)).status).toBe(202);
      const attempts = async () => {
        const { data } = (await (await call("GET", "/v1/webhooks/deliveries")).json()) as Deliveries;
        return data.flatMap((delivery) => delivery.attempts).filter(({ error }) => error !== null).length;
      };
      await expect.poll(attempts).toBe(1);
      expect(arrivals).toEqual([]);
    });
  },
);

interface Deliveries {
  data: { attempts: { error: string | null }[] }[];
}

describe("the service's port", () => {
  it.each([
    "/cdn-cgi/explorer",
    "/cdn-cgi/explorer/api",
    "/cdn-cgi/local/explorer/api",
    "/cdn-cgi/local/explorer/api/d1/database",
    "/cdn-cgi/local/scheduled",
    "/cdn-cgi/local/email",
    "/cdn-cgi/local/r2/public/web-data-extraction/x",
    "/cdn-cgi/mf/platform-proxy",
  ])("doesn't serve the local runtime's tools: %s", async (path) => {
    const response = await fetch(product.base + path);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([
      404,
      "not_found",
    ]);
  });

  it("accepts any Host header when it listens on all addresses, and prints a warning", async () => {
    const { port } = new URL(product.base);
    const status = await new Promise((resolve, reject) => {
      const headers = { host: `machine.example:${port}` };
      request({ host: "127.0.0.1", port, path: "/health", headers }, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end();
    });
    expect(status).toBe(200);
    expect(product.output()).toContain("Warning: the service listens on 0.0.0.0, so other machines can reach it.");
  });
});

describe("the state folder", () => {
  it("is only accessible to its owner, even if it existed before", () => {
    expect(statSync(join(temporary, "state")).mode & 0o777).toBe(0o700);
  });
});

describe("npm start, when it is killed", () => {
  it("leaves no process behind", async () => {
    // Starts a render that doesn't end.
    const held = call("POST", "/v1/scrape?wait=true", { url: `${site.origin}/`, wait_for: "#never" }).catch(() => null);
    await expect.poll(() => processes().some((commandLine) => commandLine.includes(" --user-data-dir="))).toBe(true);
    product.killStartScript();
    await expect.poll(processes).toEqual([]);
    // The port is closed, because the runtime has also ended.
    const isListening = () =>
      fetch(`${product.base}/health`).then(
        () => true,
        () => false,
      );
    await expect.poll(isListening).toBe(false);
    await held;
  });
});

/** Returns the command lines of all processes that use this service's folder. */
function processes(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
      } catch {
        return ""; // Skips the process, because it ended after it was listed.
      }
    })
    .filter((commandLine) => commandLine.includes(`${temporary}/web-data-extraction`));
}
