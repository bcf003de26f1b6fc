import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verify } from "@octokit/webhooks-methods";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endBrowsers } from "../../scripts/processes.ts";
import { makeCertificate } from "../support/certificate.ts";
import { pages } from "../support/pages.ts";
import { type Product, startProduct } from "../support/product.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";

const temporary = mkdtempSync(join(tmpdir(), "extraction-e2e-"));
let site: Server;
let receiver: Receiver;
let product: Product;
let start: () => Promise<Product>;

beforeAll(async () => {
  const certificate = await makeCertificate(temporary);
  receiver = await startReceiver(certificate);
  site = createServer((_, response) => {
    response.setHeader("content-type", "text/html; charset=utf-8");
    response.end(pages.article);
  });
  await new Promise<void>((ready) => site.listen(0, "127.0.0.1", ready));
  const allowedHosts = `127.0.0.1:${(site.address() as AddressInfo).port},${receiver.host}`;
  const env = { NODE_EXTRA_CA_CERTS: certificate.file };
  start = () => startProduct({ state: join(temporary, "state"), temporary, allowedHosts, env });
  product = await start();
});

afterAll(async () => {
  await product.stop();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  site.close();
  receiver.close();
  rmSync(temporary, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${product.base}${path}`, {
    method,
    headers: { authorization: `Bearer ${product.live}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what each test reads, it asserts.
  return (await response.json()) as any;
}

it("a delivery outlives the service: killed after the first attempt, it makes the second on time", async () => {
  const path = "/outlives/fail";
  const posts = () => receiver.posts(path);
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  const { job_id } = await call("POST", "/v1/scrape", { url, webhook_url: `${receiver.origin}${path}?times=1` });
  const attempts = async () => (await call("GET", `/v1/webhooks/deliveries?job_id=${job_id}`)).data[0]?.attempts ?? [];
  await expect.poll(attempts, { timeout: 10_000 }).toHaveLength(1);
  await product.kill();
  product = await start();

  await expect.poll(() => posts().length, { timeout: 60_000 }).toBe(2);
  const [first, second] = posts();
  // The pause is kept, not begun anew by the second start.
  expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(30_000);
  expect(second).toMatchObject({ body: first?.body, headers: { "x-webhook-id": job_id, "x-webhook-attempt": "2" } });
  const { secret } = (await call("GET", "/v1/webhooks")).data;
  const body = Buffer.from(second?.body ?? "", "base64").toString();
  expect(await verify(secret, body, second?.headers["x-webhook-signature"] ?? "")).toBe(true);
  await expect.poll(attempts, { timeout: 10_000 }).toMatchObject([{ status_code: 500 }, { status_code: 200 }]);
  expect(product.output()).not.toContain(secret);
});
