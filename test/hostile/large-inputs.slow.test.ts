import { expect, it } from "vitest";
import { readCsv } from "../../src/documents/csv";
import { readDocument } from "../../src/documents/read";
import { convertHtml } from "../../src/html/convert";
import type { Schema } from "../../src/json-schema/keywords";
import { schemaProblem } from "../../src/json-schema/schema-problem";
import { readSitemap } from "../../src/site/sitemap";
import { LARGE_DOCUMENTS, LARGE_SITEMAPS, LARGE_TABLES } from "../support/hostile/large-documents";
import { LARGE_PAGES } from "../support/hostile/large-pages";
import { LARGE_SCHEMAS, LARGE_SELECTORS } from "../support/hostile/large-rules";

const ALL = {
  url: "https://a.example/",
  markdown: true,
  text: true,
  cleanHtml: true,
  metadata: true,
  links: true,
  images: true,
  onlyMainContent: true,
};
it.each([
  "60,000 rules × 90,000 elements",
  "rules that hide × 70,000 elements",
  "rules with siblings × 70,000 elements",
  "rules with 60 nested :not()",
  "190,000 <dl>",
  "a row with 500,000 cells",
  "nested <a>",
  "150,000 links",
])("a page with %s fails", (name) => {
  expect(() => convertHtml(LARGE_PAGES[name]?.() ?? "", ALL)).toThrow("takes more than 40 million steps");
});

it.each([
  "40,000 links in a line",
  "60,000 links without spaces",
  "30,000 tabs",
  "cells with large spans",
  "30,000 different classes",
  "one word of 5 million characters",
  "long words in many languages",
  "JSON-LD of 5 MB",
  "embedded state of 5 MB",
  "JSON-LD with unclosed comments",
  "70,000 labels for screen readers",
  "slides next to a long list item",
  "30,000 links back without text",
  "an address of a player with many dots",
])("a page with %s is converted", (name) => {
  expect(convertHtml(LARGE_PAGES[name]?.() ?? "", ALL).text).not.toBe("");
});

it.each(Object.entries(LARGE_SELECTORS))("%s are refused", (_, [includeSelectors, page]) => {
  expect(() => convertHtml(LARGE_PAGES[page]?.() ?? "", { ...ALL, includeSelectors })).toThrow(
    "takes more than 40 million steps",
  );
});

it.each(Object.entries(LARGE_SCHEMAS))("a schema with %s is checked within a second of CPU", (_, make) => {
  const before = process.cpuUsage();
  schemaProblem(make() as Schema);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

const read = async (bytes: Uint8Array) =>
  await readDocument(
    { bytes, contentType: null, name: "" },
    { signal: new AbortController().signal, beforeReading: async () => {} },
  );

it.each([
  "900,000 paragraphs",
  "300,000 tables",
  "6 million characters",
  "one million cells",
  "60,000 sheets in one part",
])("a document with %s is truncated", async (name) => {
  const document = await read(LARGE_DOCUMENTS[name]?.() ?? new Uint8Array());
  expect(document?.truncated).toBe(true);
  expect(document?.blocks).not.toEqual([]);
});

it.each(["a text of 60 MB", "15 million elements around the text", "4 million attributes", "500,000 hidden columns"])(
  "a document with %s before its content fails",
  async (name) => {
    await expect(read(LARGE_DOCUMENTS[name]?.() ?? new Uint8Array())).rejects.toThrow("1,500,000 elements");
  },
);

it.each(Object.entries(LARGE_TABLES))("a table with %s is truncated", (_, make) => {
  expect(readCsv(make())?.truncated).toBe(true);
});

it.each(Object.entries(LARGE_SITEMAPS))("a sitemap with %s is truncated", async (_, make) => {
  const sitemap = await readSitemap([Buffer.from(make())], { url: "https://a.example/sitemap.xml" });
  expect(sitemap?.isTruncated).toBe(true);
  expect(sitemap?.entries).not.toEqual([]);
});
