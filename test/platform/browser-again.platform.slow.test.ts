// Runs these tests again with the stand-ins for Cloudflare's `fetch` and browser service. The local runtime throws an
// error where Cloudflare returns a response.
import { describe } from "vitest";

describe("browser", async () => void (await import("../browser/browser.worker.test")));
describe("browser-host", async () => void (await import("../browser/browser-host.worker.test")));
