import { describe, expect, it } from "vitest";
import { findMountElement, hasContent, LOADING, requiresJavaScript } from "../../src/html/has-content";
import { parseDocument } from "../../src/html/parse/document";
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

describe("a text that requires JavaScript", () => {
  it.each([
    "Enable JavaScript.",
    "Please activate JavaScript.",
    "This page requires JavaScript.",
    "Turn on Java Script.",
    "You need JavaScript.",
    "The app needs JavaScript.",
    "This site does not work without JavaScript.",
    "Our site doesn't work without JavaScript.",
    "You cannot use this site without JavaScript.",
    "We are unable to show the page without JavaScript.",
    "The use of this site is limited without JavaScript.",
    "The features of our page are reduced without JavaScript.",
    "Bitte aktivieren Sie JavaScript.",
    "Diese Seite benötigt JavaScript.",
    "Activez JavaScript.",
    "Vous devez activer JavaScript.",
    "Ce site nécessite JavaScript.",
    "Habilite JavaScript.",
    "Activa JavaScript.",
    "Ative o JavaScript.",
    "Attiva JavaScript.",
    "Abilita JavaScript.",
    "Schakel JavaScript in.",
    "Włącz JavaScript.",
    "JavaScript'i etkinleştirin.",
    "Включите JavaScript.",
    "Необходим JavaScript.",
    "JavaScript must be enabled.",
    "JavaScript is required.",
    "JavaScript is disabled.",
    "JavaScript is turned off.",
    "JavaScript muss aktiviert sein.",
    "JavaScript ist deaktiviert.",
    "JavaScript est désactivé.",
    "JavaScript doit être activé.",
    "JavaScript ist erforderlich.",
    "JavaScript es requerido.",
    "JavaScript debe estar habilitado.",
    "JavaScript è necessario.",
    "JavaScript deve essere abilitato.",
    "JavaScript è disattivato.",
    "JavaScript moet ingeschakeld zijn.",
    "JavaScript jest wyłączony.",
    "JavaScript musi być włączony.",
    "JavaScript jest wymagany.",
    "JavaScript etkin olmalı.",
    "JavaScript devre dışı.",
    "JavaScript отключен.",
    "JavaScript должен быть включен.",
    "JavaScript необходим.",
    "JavaScriptを有効にしてください。",
    "JavaScriptが無効です。",
    "请启用 JavaScript，JavaScript 未启用",
    "JavaScript 未啟用",
    "JavaScript 被禁用",
    "JavaScript를 활성화하세요",
    "JavaScript가 필요합니다",
  ])("is: %s", (text) => {
    expect(requiresJavaScript(text)).toBe(true);
    expect(requiresJavaScript(`The lamp is new. ${text}`)).toBe(true);
  });

  it.each([
    "The lamp is controlled by JavaScript.",
    "The lamp requires JavaScript.",
    "Lamps work without JavaScript.",
    "Enable the lamp. Learn JavaScript.",
    "A course about JavaScript",
  ])("isn't: %s", (text) => {
    expect(requiresJavaScript(text)).toBe(false);
  });
});

describe("a loading message", () => {
  it.each(
    (
      "Loading|Loading…|- loading data|Please wait|Just a moment, please|One moment|Seite wird geladen|" +
      "Inhalt wird geladen|Inhalte wird geladen|Daten wird geladen|Wird geladen|Lade Daten|Laden|Bitte warten|" +
      "Chargement|Cargando|Un momento|Carregando|A carregar|Caricamento|Bezig met laden|Even geduld|Ładowanie|" +
      "Wczytywanie|Trwa ładowanie|Yükleniyor|Загрузка|Идет загрузка|Идёт загрузка|Загружаем|読み込み中|読込中|ロード中|" +
      "加载中|正在加载|载入中|載入中|加載中|로딩|불러오는 중|로드 중"
    ).split("|"),
  )("is: %s", (text) => {
    expect(text).toMatch(LOADING);
  });

  it.each(["Loadings", "Just a moment that lasts", "Ladenburg", "The page is loading", "Please waiter"])(
    "isn't: %s",
    (text) => {
      expect(text).not.toMatch(LOADING);
    },
  );
});

describe("an empty element into which a script renders", () => {
  it.each(
    (
      "app root mainapp main-app react-app reactroot vue-app vueapp __next __nuxt ___gatsby svelte ember-app approot " +
      "app-root application mount spa APP"
    ).split(" "),
  )("can have the id %s", (id) => {
    expect(findMountElement(parseDocument(`<div id="${id}"></div>`))).toBe("mount");
    expect(findMountElement(parseDocument(`<div id="${id}">${"a".repeat(20)}</div>`))).toBe("mount");
    expect(findMountElement(parseDocument(`<div id="${id}">${"a".repeat(21)}</div>`))).toBe("none");
    expect(findMountElement(parseDocument(`<div id="x${id}"></div>`))).toBe("unknown");
  });

  it.each([
    ["<main></main>", "mount"],
    ["<main>a</main>", "none"],
    ["<app-root></app-root>", "mount"],
    ["<my-app></my-app>", "mount"],
    ["<ember-app></ember-app>", "mount"],
    ["<x-list></x-list>", "unknown"],
    ['<section id="x"></section>', "unknown"],
    ['<article id="x"></article>', "unknown"],
    ['<p id="x"></p>', "none"],
    ["<div></div>", "none"],
    ['<div id="x"></div><div id="app"></div>', "mount"],
  ])("in %s: %s", (html, expected) => {
    expect(findMountElement(parseDocument(html))).toBe(expected);
  });
});

it.each([
  ...["Product", "IndividualProduct", "Recipe", "Event", "MusicEvent", "JobPosting", "Offer", "Vehicle", "Car"],
  ...["Apartment", "Book", "Movie", "Course", "Dataset", "http://schema.org/Book", "schema:Book"],
])("JSON-LD with three facts about a %s is content", (type) => {
  const page = (facts: object) =>
    parseVisiblePage(
      `<script type="application/ld+json">${JSON.stringify({ "@type": type, ...facts })}</script><div id=app></div>${SCRIPT}`,
    );
  expect(hasContent(page({ name: "a", sku: "b", price: 1 }))).toBe(true);
  expect(hasContent(page({ name: "a", sku: "b" }))).toBe(false);
});
