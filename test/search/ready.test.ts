import { expect, it } from "vitest";
import { parseDocument } from "../../src/html/parse/document";
import { findAll, toTest } from "../../src/search/dom";
import { ENGINES } from "../../src/search/engines";
import { PAGES } from "./pages";

/** What only the page's source tells: a notice without a name, and a shell of scripts, which may go on to a page. */
const NEVER_READY = new Set(["googleNoneBasic", "googleShell"]);

it.each(Object.entries(PAGES))("a browser knows that this page is to be read: %s", (name, html) => {
  const engine = Object.entries(ENGINES).find(([prefix]) => name.startsWith(prefix))?.[1];
  const found = findAll(parseDocument(html), toTest(engine?.readySelector ?? "#none"), 1);
  expect(found.length > 0).toBe(!NEVER_READY.has(name));
});

it.each(Object.values(ENGINES))("a page that resolves itself isn't ready", ({ readySelector }) => {
  const html = '<form><input name="q" value="x"></form><p>Verifying your request</p>';
  expect(findAll(parseDocument(html), toTest(readySelector))).toEqual([]);
});
