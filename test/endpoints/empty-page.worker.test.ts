import { expect, it } from "vitest";
import { createClient, page, read } from "../support/client";

it("a page that is empty even after rendering isn't sent to the model", async () => {
  const html = "<html><body><div id=app></div><script>document.title = 'Empty';</script></body></html>";
  const url = `${page("type")}?type=text/html&body=${encodeURIComponent(html)}`;
  const { call } = await createClient();
  const response = await call("POST", "/v1/parse?wait=true", { url, prompt: "The price" });
  const { error } = await read(response);
  expect([response.status, error.code]).toEqual([422, "unusable_page"]);
});
