// The package contains the tests of https://github.com/html5lib/html5lib-tests as JSON.
import tests from "@mixmark-io/domino/test/html5lib-tests.json";
import { type AnyNode, isText } from "domhandler";
import { expect, it } from "vitest";
import { bodyOf, parseDocument } from "../../../src/html/parse/document";
import { isElement } from "../../../src/html/parse/dom";
import { type OriginalTree, originalTree } from "../../../src/html/parse/original-tree";
import { DEVIATIONS } from "./deviations";

interface ExpectedNode {
  tag?: string;
  text?: string;
  children?: ExpectedNode[];
}

interface Test {
  data: string;
  fragment?: unknown;
  script?: "on" | "off";
  document: { tree: ExpectedNode[] };
}

/** The elements whose contents the tree leaves out, or that it keeps in another form. */
const HOLLOW = new Set("script style svg select iframe noembed noframes textarea canvas template title".split(" "));
/** The elements of frames. The parser reads the contents of <noframes> instead. */
const FRAMES = new Set(["frameset", "frame"]);
/** The parser continues unclosed elements for bold text, links and so on only in the same block. */
const FORMATTING = new Set("a b big code em font i nobr s small strike strong tt u".split(" "));

function write(name: string, contents: () => string): string {
  if (name === "head" || FRAMES.has(name)) return "";
  if (FORMATTING.has(name)) return contents();
  return `<${name}>${HOLLOW.has(name) ? "" : contents()}</${name}>`;
}

function writeExpected({ tag, text, children = [] }: ExpectedNode): string {
  if (tag === undefined) return text ?? "";
  return write(tag.toLowerCase(), () => children.map(writeExpected).join(""));
}

function writeActual(node: AnyNode, tree: OriginalTree): string {
  if (isText(node)) return node.data;
  if (!isElement(node)) return "";
  const children = () => tree.childrenOf(node).map((child) => writeActual(child, tree));
  return write(node.name, () => children().join(""));
}

/** Removes white space next to tags, because the parser leaves out some of it. */
function normalize(html: string): string {
  return html
    .replace(/\s+/g, " ")
    .replace(/ ?(<[^>]*>) ?/g, "$1")
    .trim();
}

function findBody(nodes: readonly ExpectedNode[]): ExpectedNode | undefined {
  for (const node of nodes) {
    const body = node.tag === "body" ? node : findBody(node.children ?? []);
    if (body) return body;
  }
  return undefined;
}

/** The tests of whole pages with a <body>. Tests of fragments, and of one setting for scripts, are left out. */
const PAGES = Object.entries(tests as Record<string, Test[]>).flatMap(([file, list]) =>
  list.flatMap(({ data, fragment, script, document }) => {
    const body = findBody(document.tree);
    return body && !fragment && !script ? [{ file, data, body }] : [];
  }),
);

it("builds the tree of the HTML standard, except for the listed deviations", () => {
  const different: string[] = [];
  for (const { file, data, body } of PAGES) {
    const document = parseDocument(data);
    const expected = normalize(writeExpected(body));
    const actual = normalize(writeActual(bodyOf(document), originalTree(document)));
    if (expected !== actual) different.push(`${file}: ${data}`);
  }
  const listed = DEVIATIONS.flatMap(({ pages }) => pages);
  expect(PAGES.length).toBeGreaterThan(1_300);
  expect(different.filter((page) => !listed.includes(page))).toEqual([]);
  expect(listed.filter((page) => !different.includes(page))).toEqual([]);
});
