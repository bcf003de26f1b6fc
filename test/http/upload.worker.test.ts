import { Hono } from "hono";
import { expect, it } from "vitest";
import { requireJsonOrFile } from "../../src/http/upload";
import type { AppEnv } from "../../src/model/env";
import { MAX_BODY_MS } from "../../src/model/limits";

it("a form whose end doesn't arrive in time is refused", async () => {
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set("startedAt", Date.now() - MAX_BODY_MS);
    await next();
  });
  app.post("/", requireJsonOrFile, (c) => c.text("The form was read."));
  app.onError((error, c) => c.text(error.message));
  const response = await app.request("/", {
    method: "POST",
    body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("--x\r\n")) }),
    headers: { "content-type": "multipart/form-data; boundary=x" },
  });
  expect(await response.text()).toContain("longer than 45 seconds");
});
