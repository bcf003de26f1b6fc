// Fetches the OpenAPI document from the built Worker and writes it to .cache/openapi.json.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Log, LogLevel } from "miniflare";
import { bundle } from "./bundle.ts";
import { startRuntime } from "./local-runtime.ts";
import { parseOptions } from "./options.ts";
import { productOptions } from "./product.ts";

parseOptions(
  `node scripts/openapi.ts

Writes the OpenAPI document to .cache/openapi.json.`,
  {},
);

const PROJECT = resolve(import.meta.dirname, "..");
const ORIGIN = "https://extraction.test";

const temporary = mkdtempSync(join(tmpdir(), "extraction-openapi-"));
const worker = join(temporary, "worker.mjs");
await bundle(join(PROJECT, "src", "index.ts"), worker);
const miniflare = startRuntime(worker, productOptions({}), { log: new Log(LogLevel.ERROR) });
try {
  const response = await miniflare.dispatchFetch(`${ORIGIN}/openapi.json`);
  if (!response.ok)
    throw new Error(`GET /openapi.json failed with status ${response.status}: ${await response.text()}`);
  mkdirSync(join(PROJECT, ".cache"), { recursive: true });
  writeFileSync(join(PROJECT, ".cache", "openapi.json"), JSON.stringify(await response.json(), null, 2));
} finally {
  await miniflare.dispose();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
}
