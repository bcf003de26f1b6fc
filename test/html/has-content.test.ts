import { expect, it } from "vitest";
import { hasContent } from "../../src/html/has-content";
import { parseVisiblePage } from "../../src/html/visible-page";
import injections from "../fixtures/parse/injections.html?raw";

const SCRIPT = '<script src="/main.js"></script>';
const NAV = '<nav><a href="/a">Home</a> <a href="/b">Shop</a> <a href="/c">About us</a></nav>';
const SENTENCES = "The lamp is made of brass and glass. It costs 19.50 EUR and is in stock.";

it.each([
  ["no markup at all", ""],
  ["an empty body", "<html><body></body></html>"],
  ["an empty mount element", `<body><div id="app"></div>${SCRIPT}`],
  [
    "an empty mount element and a request to enable JavaScript",
    `<noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div>${SCRIPT}`,
  ],
  [
    "a visible request to enable JavaScript",
    `<p>Please enable JavaScript. This site needs JavaScript to work at all. Thank you.</p>${SCRIPT}`,
  ],
  [
    "a request to enable JavaScript in another language",
    `<p>Bitte aktivieren Sie JavaScript in Ihrem Browser. Danke. Diese Seite wartet.</p>${SCRIPT}`,
  ],
  ["a loading message", `<p>Loading, please wait. This may take a moment, or two. Thank you.</p>${SCRIPT}`],
  [
    "header and footer around an empty mount element",
    `${NAV}<app-root></app-root><footer>${SENTENCES}</footer>${SCRIPT}`,
  ],
  [
    "a footer after an empty unknown element",
    `<div id="container"></div><footer>${SENTENCES.repeat(7)}</footer>${SCRIPT}`,
  ],
  [
    "a footer that only its class name shows",
    `<div id="content"></div><div class="site-footer">${SENTENCES.repeat(7)}</div>${SCRIPT}`,
  ],
  [
    "many links around an empty main element",
    `<nav>${Array.from({ length: 40 }, (_, at) => `<a href="/${at}">Category number ${at} of things</a>`).join("")}</nav><main></main>${SCRIPT}`,
  ],
  ["a price next to an empty element", `<h1>Lamp</h1><p>19.50 EUR</p><div id="offers"></div>${SCRIPT}`],
  ["only a copyright notice", `<div class="view"></div><p>Example</p><p>© 2024 Example</p>${SCRIPT}`],
  ["a loading message with an onload handler", '<body onload="load()"><p>Please wait'],
  ["a consent box", `<div id="cookie-banner"><p>${SENTENCES.repeat(7)}</p></div>${SCRIPT}`],
  ["only a menu", `${NAV}${SCRIPT}`],
  ["only content that a script must make visible", `<div style="opacity:0">${SENTENCES.repeat(9)}</div>${SCRIPT}`],
  [
    "only JSON-LD about the site",
    `<script type="application/ld+json">{"@type":"WebSite","name":"A","url":"b","about":"c"}</script><div id=app></div>${SCRIPT}`,
  ],
])("returns false for a page with %s", (_, html) => {
  expect(hasContent(parseVisiblePage(html))).toBe(false);
});

it.each([
  ["two sentences", `<p>${SENTENCES}</p>${SCRIPT}`],
  ["a single word and no script", "<p>Closed"],
  [
    "a product in JSON-LD",
    `<script type="application/ld+json">{"@type":"Product","name":"Lamp","sku":"1","offers":{"price":1}}</script><div id=app></div>${SCRIPT}`,
  ],
  ["text inside the mount element", `<div id="app"><main><h1>Lamp</h1><p>${SENTENCES}</p></main></div>${SCRIPT}`],
  [
    "a list of links",
    `<ul>${Array.from({ length: 40 }, (_, at) => `<li><a href="/${at}">The story of the lamp, number ${at}</a></li>`).join("")}</ul>${SCRIPT}`,
  ],
  ["opening hours", `<h1>Opening hours</h1><p>Mo–Fr 9–17, Sa 10–14</p>${SCRIPT}`],
  ["a small table", `<table><tr><td>A</td><td>1</td></tr><tr><td>B</td><td>2</td></tr></table>${SCRIPT}`],
  ["a price", `<h1>Tide lamp</h1><p>€ 19.50</p><p>In stock</p>${SCRIPT}`],
  ["an article with an empty widget", `<article><p>${SENTENCES.repeat(16)}</p></article><div id="app"></div>${SCRIPT}`],
  [
    "an article in a body with the class name of a consent tool",
    `<body class="a onetrust-live"><main><p>${SENTENCES.repeat(7)}</p></main>${SCRIPT}`,
  ],
  ["an article with its own header", `<article><header><p>${SENTENCES}</p></header></article>${SCRIPT}`],
  ["a table", `<table>${"<tr><td>Monday</td><td>7:30</td><td>Leba</td></tr>".repeat(30)}</table>${SCRIPT}`],
  [
    "a long text that mentions JavaScript",
    `<p>${SENTENCES.repeat(8)} To comment, please enable JavaScript.</p>${SCRIPT}`,
  ],
  [
    "an empty element after a long text",
    `<article><p>${SENTENCES.repeat(40)}</p></article><div id="app"></div>${SCRIPT}`,
  ],
  ["hidden text", injections],
])("returns true for a page with %s", (_, html) => {
  expect(hasContent(parseVisiblePage(html))).toBe(true);
});
