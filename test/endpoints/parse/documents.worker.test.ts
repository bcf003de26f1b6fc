import { expect, it } from "vitest";
import { page, site } from "../../support/client";
import { run } from "../../support/run-endpoint";

const schema = { type: "object", properties: { value: { type: "string" } }, required: ["value"] };

it.each([
  ["slides.pptx", "1.25 m", "Monday | 1.25 m", { pages: { total: 3, read: "1-3" } }],
  ["report.odt", "1.25 m", "Monday | 1.25 m", {}],
  ["heights.ods", "00042", "20.11.26 | 00042", {}],
  ["book.epub", "14 litres", "burns 14 litres of oil", {}],
])("finds the evidence for a value in %s", async (name, value, quote, meta) => {
  const answer = { data: { value }, evidence: [{ pointer: "/value", quote }] };
  const prompt = `The value. [[good ${crypto.randomUUID()} ${JSON.stringify(answer)}]]`;
  const url = `${page("document")}?name=${name}`;
  const { data, extras } = await run("parse", { url, prompt, schema, evidence: true });
  expect(data).toEqual({ value });
  expect(extras).toMatchObject({ ...meta, outcome: "ok", evidence: { "/value": { quote, verified: true } } });
});

it("gives the model only the selected pages of a PDF", async () => {
  const id = crypto.randomUUID();
  const prompt = `The value. [[good ${id} ${JSON.stringify({ value: "x" })}]]`;
  const { extras } = await run("parse", { url: page("pdf"), prompt, schema, pages: "3", page_markers: true });
  expect(extras).toMatchObject({ pages: { total: 3, read: "3" } });
  const requests = await fetch(`${site}/__model-requests?path=${id}`);
  const text = JSON.stringify(await requests.json());
  expect(text).toContain("<!-- page 3 -->");
  expect(text).toContain("The end.");
  expect(text).not.toContain("Bring a lamp");
});
