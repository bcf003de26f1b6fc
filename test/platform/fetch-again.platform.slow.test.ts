// Runs these tests again with the stand-ins for Cloudflare's `fetch` and browser service. The local runtime throws an
// error where Cloudflare returns a response.
import { describe } from "vitest";

describe("fetch-page", async () => void (await import("../net/fetch-page.worker.test")));
describe("page", async () => void (await import("../net/page.worker.test")));
