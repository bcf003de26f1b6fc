import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expect, it } from "vitest";
import { decodeHtml } from "../../../src/html/encoding/decode";
import { bodyOf, parseDocument } from "../../../src/html/parse/document";
import { NEVER_TEXT } from "../../../src/html/parse/dom";

/** The elements whose contents aren't compared. A browser with scripts doesn't show a <noscript>. */
const SKIPPED = new Set([...NEVER_TEXT, "svg", "iframe", "noscript", "noembed", "noframes", "frameset"]);
/** The test reads one of so many pages. With the environment variable ALL_PAGES, it reads all. */
const SAMPLE = process.env.ALL_PAGES ? 1 : 40;

function pagesIn(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return pagesIn(path);
    return /\.html(?:\.gz)?$/.test(name) ? [path] : [];
  });
}

function readPage(path: string): string {
  const bytes = readFileSync(path);
  return decodeHtml(path.endsWith(".gz") ? gunzipSync(bytes) : bytes, "text/html");
}

interface TextNode {
  name: string;
  text?: string;
  children?: readonly TextNode[];
}

/** Returns the text below a node without white space. */
function textOf(node: TextNode): string {
  if (node.text !== undefined) return node.text.replace(/\s+/g, "");
  if (SKIPPED.has(node.name)) return "";
  return (node.children ?? []).map(textOf).join("");
}

function fromParse5(node: DefaultTreeAdapterTypes.ChildNode | DefaultTreeAdapterTypes.Document): TextNode {
  if ("value" in node) return { name: node.nodeName, text: node.value };
  return { name: node.nodeName.toLowerCase(), children: "childNodes" in node ? node.childNodes.map(fromParse5) : [] };
}

type OwnNode = { name?: string; data?: string; children?: readonly unknown[] };

function fromOurs(node: OwnNode): TextNode {
  if (node.data !== undefined) return { name: "#text", text: node.data };
  return { name: node.name ?? "", children: (node.children ?? []).map((child) => fromOurs(child as OwnNode)) };
}

const fixtures = process.env.FIXTURES;
const pages = fixtures
  ? ["wcxb", "recipes", "extract"].flatMap((set) => pagesIn(join(fixtures, set))).filter((_, at) => at % SAMPLE === 0)
  : [];

describe("the pages of the fixtures", () => {
  it("have the same text in the same order as in the tree of parse5", { timeout: 600_000 }, ({ skip }) => {
    skip(pages.length === 0, "FIXTURES isn't set");
    const different = pages.flatMap((path) => {
      const html = readPage(path);
      // The parser moves the parts of a streamed page, as its scripts do.
      if (html.includes("<!--$?-->")) return [];
      const expected = textOf(fromParse5(parse(html)));
      const actual = textOf(fromOurs(bodyOf(parseDocument(html))));
      return expected === actual ? [] : [path.slice(fixtures?.length)];
    });
    expect(different).toEqual([]);
  });
});
