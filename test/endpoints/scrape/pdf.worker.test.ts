import { describe, expect, it } from "vitest";
import { createClient, page, read } from "../../support/client";

describe("a PDF", () => {
  it("is returned as markdown and text, with its metadata and links", async () => {
    const { scrape } = await createClient();
    const url = page("pdf");
    const answer = await scrape({ url, formats: ["markdown", "text", "metadata", "links", "html"] });
    expect(await answer.json<{ data: unknown }>()).toMatchObject({
      success: true,
      data: {
        markdown: `# The harbour of Leba

## Tides

The keeper writes each height by hand in a ledger that has been kept since 1899, and 2 * 3 = 6 visitors are welcome on Sundays.

A second paragraph stands apart from the first, and goes on where the page ends.

- Bring a lamp
- Bring a friend, as the way is long and the light is poor

1. Wait for the signal
2. Leave

The end.`,
        text: expect.stringContaining(
          "A second paragraph stands apart from the first, and goes on where the page ends.",
        ),
        metadata: {
          title: "Report of the harbour",
          author: "A. Keeper",
          published_time: "2026-11-20T07:00:00.000Z",
          language: "en",
          url,
          status_code: 200,
          content_type: "application/pdf",
        },
        links: [{ url: "https://example.com/tides", text: "" }],
      },
    });
  });

  it("is recognized by its bytes, regardless of the content type", async () => {
    const { scrape } = await createClient();
    for (const type of ["application/octet-stream", "text/html"]) {
      const { data } = await read(await scrape({ url: `${page("pdf")}?type=${type}`, formats: ["text"] }));
      expect(data.text).toContain("The keeper writes");
    }
  });

  it.each([
    ["encrypted", "unsupported_content", "password"],
    ["broken", "unsupported_content", "can't be read"],
  ])("fails with a reason if it has no extractable text: %s", async (kind, code, words) => {
    const { scrape } = await createClient();
    const answer = await scrape({ url: `${page("pdf")}?kind=${kind}`, formats: ["text"] });
    expect([answer.status, (await read(answer)).error]).toMatchObject([
      422,
      { code, message: expect.stringContaining(words) },
    ]);
  });

  it("without text has the outcome empty, which is free", async () => {
    const { scrape } = await createClient();
    const { data, meta } = await read(await scrape({ url: `${page("pdf")}?kind=scan`, formats: ["markdown", "text"] }));
    expect(data).toEqual({ markdown: "", text: "" });
    expect(meta).toMatchObject({
      outcome: "empty",
      needs_ocr: true,
      pages: { total: 1, read: "1" },
      outcome_reason: "The PDF has no text; it is probably a scan.",
      hint: expect.stringContaining("ocr: true"),
      credits_used: 0,
    });
  });

  it("has only the selected pages, with a comment at the start of each page on request", async () => {
    const { scrape } = await createClient();
    const request = { url: page("pdf"), formats: ["markdown", "text"], pages: "2-9", page_markers: true };
    const { data, meta } = await read(await scrape(request));
    expect(data.markdown).toMatch(
      /^<!-- page 2 -->\n\n[\s\S]*goes on where the page ends\.[\s\S]*<!-- page 3 -->\n\n[\s\S]*The end\.$/,
    );
    expect(data.text).not.toContain("Tides");
    expect(meta.pages).toEqual({ total: 3, read: "2-3" });
  });

  it("has its first 500 pages, and later ones on request", async () => {
    const { scrape } = await createClient();
    const url = `${page("pdf")}?kind=long`;
    const first = await read(await scrape({ url, formats: ["text"] }));
    expect(first.meta).toMatchObject({ truncated: true, pages: { total: 501, read: "1-500" } });
    const last = await read(await scrape({ url, formats: ["text"], pages: "1,501-" }));
    expect(last.meta).toMatchObject({ pages: { total: 501, read: "1,501" } });
    expect(last.meta).not.toHaveProperty("truncated");
  });

  it("fails if it has none of the selected pages", async () => {
    const { scrape } = await createClient();
    const answer = await scrape({ url: page("pdf"), pages: "4-5" });
    expect([answer.status, (await read(answer)).error]).toMatchObject([
      422,
      { code: "section_not_found", message: expect.stringContaining("only 3 pages") },
    ]);
  });

  it.each(["", "0", "2-1", "3,1", "1-3,3", "-4", "1;2", "a", "1-2-3", `1,${"2".repeat(300)}`, 5])(
    "refuses the pages %j with the name of the field",
    async (pages) => {
      const { scrape } = await createClient();
      const answer = await scrape({ url: page("pdf"), pages });
      expect([answer.status, (await read(answer)).error]).toMatchObject([
        400,
        { code: "invalid_request", details: [{ path: "pages", message: expect.stringContaining("'1-5,9'") }] },
      ]);
    },
  );

  it("can't be returned as html", async () => {
    const { scrape } = await createClient();
    const answer = await scrape({ url: page("pdf"), formats: ["html"] });
    expect([answer.status, (await read(answer)).error.code]).toEqual([422, "unsupported_content"]);
  });
});
