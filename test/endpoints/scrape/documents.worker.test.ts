import { describe, expect, it } from "vitest";
import { createClient, page, read } from "../../support/client";

const documentAt = (name: string, type = "application/octet-stream") =>
  `${page("document")}?name=${name}&type=${encodeURIComponent(type)}`;

describe("a Word document", () => {
  it("is returned as markdown and text, with its metadata and links", async () => {
    const { scrape } = await createClient();
    const url = documentAt("report.docx");
    const { data, meta } = await read(
      await scrape({ url, formats: ["markdown", "text", "metadata", "links", "html"] }),
    );
    expect(data.markdown).toBe(`# The harbour of Leba

## Tides

The keeper writes **each height** _by hand_ in a [ledger](https://example.com/tides)[^1].

- Bring a lamp

  3. Follow the signs
  4. Wait

- Bring a friend

> Patience is a tide.

| Day | Heights | Heights |
| --- | --- | --- |
| Monday | 1.2 | 3 \\| 4 |
| Monday | 1.4 | 3.5 |

In a box

[^1]: Since 1899.`);
    expect(data.text).toContain("The keeper writes each height by hand in a ledger");
    expect(JSON.stringify(data)).not.toMatch(/HIDDEN|DELETED/);
    expect(data).not.toHaveProperty("html");
    expect(data.metadata).toMatchObject({
      title: "Report of the harbour",
      author: "A. Keeper",
      published_time: "2026-11-20T07:00:00.000Z",
    });
    expect(data.links).toEqual([{ url: "https://example.com/tides", text: "ledger" }]);
    expect(meta).toMatchObject({ outcome: "ok", credits_used: 1 });
  });

  it("without text has the outcome empty", async () => {
    const { scrape } = await createClient();
    const { meta } = await read(await scrape({ url: documentAt("empty.docx") }));
    expect(meta).toMatchObject({ outcome: "empty", outcome_reason: "The Word document has no text.", credits_used: 0 });
  });
});

describe("a workbook", () => {
  it("is returned as a table for each visible sheet", async () => {
    const { scrape } = await createClient();
    const { data } = await read(
      await scrape({ url: documentAt("report.xlsx", "text/html"), formats: ["markdown", "links", "metadata"] }),
    );
    expect(data.markdown).toBe(`## Heights

| Day | Height | Share | Open |
| --- | --- | --- | --- |
| 2026-11-20 | 0.3 | 12.50% | TRUE |
| 2026-11-20 12:00 | 42 |  | #DIV/0! |
| Both | Both | 1 |  |`);
    expect(data.links).toEqual([{ url: "https://example.com/days", text: "Day" }]);
    expect(data.metadata).toMatchObject({ title: "Report of the harbour" });
  });
});

describe("a CSV file", () => {
  it.each(["text/csv; charset=iso-8859-1", "application/octet-stream", "application/vnd.ms-excel"])(
    "is a table in markdown, and unchanged in text: %s",
    async (type) => {
      const { scrape } = await createClient();
      const { data } = await read(await scrape({ url: documentAt("report.csv", type), formats: ["markdown", "text"] }));
      expect(data.markdown).toBe(`| Tag | Höhe |
| --- | --- |
| Montag; früh | 1,2 |
| Dienstag | 3 "m" |`);
      expect(data.text).toContain('"Montag; früh";1,2');
    },
  );
});

describe("a document", () => {
  it.each([
    ["old.doc", "unsupported_content", "old binary format"],
    ["encrypted.docx", "unsupported_content", "The document is encrypted"],
    ["beginning.docx", "unsupported_content", "can't be read, because it is incomplete"],
    ["bomb.docx", "target_too_large", "1,500,000 elements"],
    ["entities.docx", "unsupported_content", "document type declaration"],
    ["archive.zip", "unsupported_content", "octet-stream"],
  ])("that can't be read fails with the reason: %s", async (name, code, words) => {
    const { scrape } = await createClient();
    const answer = await scrape({ url: documentAt(name) });
    expect([answer.status, (await read(answer)).error]).toMatchObject([
      422,
      { code, message: expect.stringContaining(words) },
    ]);
  });

  it("whose end is missing is returned up to there", async () => {
    const { scrape } = await createClient();
    const { data, meta } = await read(await scrape({ url: documentAt("broken.docx"), formats: ["text"] }));
    expect(data.text).toContain("The harbour of Leba");
    expect(meta).toMatchObject({ outcome: "ok", truncated: true });
  });

  it.each([
    ["report.docx", "A Word document can't be returned"],
    ["report.xlsx", "A workbook can't be returned"],
  ])("can't be returned as html: %s", async (name, message) => {
    const { scrape } = await createClient();
    const { error } = await read(await scrape({ url: documentAt(name), formats: ["html"] }));
    expect(error).toMatchObject({ code: "unsupported_content", message: expect.stringContaining(message) });
  });
});
