// Runs these tests again with the stand-ins for Cloudflare's `fetch` and browser service. The local runtime throws an
// error where Cloudflare returns a response.
import { describe } from "vitest";

describe("scrape", async () => void (await import("../routes/scrape.worker.test")));
describe("serp", async () => void (await import("../routes/serp.worker.test")));
describe("webhooks", async () => void (await import("../routes/webhooks.worker.test")));
