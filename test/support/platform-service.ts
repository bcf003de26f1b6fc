// Starts the service with the stand-ins for Cloudflare's `fetch` and browsers, and the test addresses of
// `npm run deploy -- --verify`. Runs as a separate process, because Miniflare reads the environment when it is loaded.
// The first argument is the settings of the browsers as JSON. Prints a JSON object of the type `Served`, and ends after
// SIGTERM.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setUpBrowser } from "../../scripts/browser.ts";
import { bundle } from "../../scripts/bundle.ts";
import type { Targets } from "../../scripts/deploy/verify/targets.ts";
import { newSecret } from "../../scripts/local-state.ts";
import { endBrowsers } from "../../scripts/processes.ts";
import { CERTIFICATE } from "./certificate.ts";
import { resolveName } from "./dns-names.ts";
import { listen } from "./loopback.ts";
import { browserServiceOptions, WITH_BROWSER_SERVICE } from "./platform/browser-service-options.ts";
import type { Settings } from "./platform/browser-settings.ts";
import { startDiagnosis } from "./platform/diagnosis.ts";
import { EDGE_WORKER, edgeWorkerOptions } from "./platform/edge.ts";
import { sendJson } from "./responses.ts";
import { startVerificationSite } from "./verification-site.ts";

export interface Served {
  base: string;
  adminToken: string;
  targets: Partial<Targets>;
}

const NAME = "platform";
const TOKEN = "stand-in-admin-token";
const settings = JSON.parse(process.argv[2] ?? "{}") as Partial<Settings>;
const temporary = mkdtempSync(join(tmpdir(), "extraction-platform-"));
Object.assign(process.env, (await setUpBrowser()).env, { TMPDIR: temporary, WRANGLER_LOG: "error" });
process.env.NODE_EXTRA_CA_CERTS = CERTIFICATE.file;
const { startRuntime } = await import("../../scripts/local-runtime.ts");
const { productOptions, setUpService } = await import("../../scripts/product.ts");

const dns = await listen(
  createServer(({ url = "" }, response) => sendJson(response, resolveName(new URL(url, "http://dns").searchParams))),
);
const diagnosis = await startDiagnosis(CERTIFICATE.cert);
const site = await startVerificationSite(CERTIFICATE);
const bundled = async (entry: string, name: string) => {
  const file = join(temporary, `${name}.mjs`);
  await bundle(join(import.meta.dirname, entry), file);
  return file;
};
const [worker, edge, browsers] = await Promise.all([
  bundled("../../src/index.ts", "worker"),
  bundled("platform/edge-worker.ts", "edge"),
  bundled("platform/browser-service.ts", "browsers"),
]);
const bindings = {
  ALLOWED_PRIVATE_HOSTS: site.hosts.join(),
  BROWSER_NETWORK: "public",
  ADMIN_TOKEN: TOKEN,
  SIGNING_SECRET: "a secret of the stand-in",
  ENCRYPTION_KEY: "another secret of the stand-in",
};
const runtime = startRuntime(
  worker,
  { ...productOptions(bindings), ...WITH_BROWSER_SERVICE, name: NAME, outboundService: EDGE_WORKER },
  {
    auxiliaryWorkers: [
      edgeWorkerOptions(edge, {
        DIAGNOSIS: diagnosis.origin,
        SERVERS: site.hosts.join(),
        NAMES: JSON.stringify({ "cloudflare-dns.com": { page: dns.origin } }),
      }),
      browserServiceOptions(readFileSync(browsers, "utf8"), settings),
    ],
  },
);
const secrets = { live: newSecret("live"), test: newSecret("test"), signing: "", encryption: "" };
await setUpService(runtime, NAME, { secrets, credits: 1_000 });
process.once("SIGTERM", () => void stop());
const served: Served = { base: (await runtime.ready).origin, adminToken: TOKEN, targets: site.targets };
console.log(JSON.stringify(served));

async function stop(): Promise<void> {
  await runtime.dispose();
  await endBrowsers((commandLine) => commandLine.includes(temporary));
  for (const server of [dns, diagnosis, site]) server.close();
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
}
