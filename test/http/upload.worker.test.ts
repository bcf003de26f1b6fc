import { Hono } from "hono";
import { afterEach, expect, it, vi } from "vitest";
import { limitFileForm, requireJsonOrFile } from "../../src/http/upload";
import type { AppEnv } from "../../src/model/env";
import { MAX_BODY_MS } from "../../src/model/limits";

afterEach(() => void vi.useRealTimers());

it.each([
  ["the API", requireJsonOrFile],
  ["the dashboard", limitFileForm],
])("a form of %s whose end doesn't arrive in time is refused", async (_, readForm) => {
  vi.useFakeTimers();
  const app = new Hono<AppEnv>();
  app.use(async (c, next) => {
    c.set("startedAt", Date.now());
    await next();
  });
  app.post("/", readForm, (c) => c.text("The form was read."));
  app.onError((error, c) => c.text(error.message));
  const response = app.request("/", {
    method: "POST",
    body: new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode("--x\r\n")) }),
    headers: { "content-type": "multipart/form-data; boundary=x" },
  });
  await vi.advanceTimersByTimeAsync(2 * MAX_BODY_MS);
  expect(await (await response).text()).toContain("longer than 45 seconds");
});
