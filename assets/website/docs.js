// Improves the pages of the documentation: search, the language of examples, the reader's key, and copy buttons. The pages
// also work without scripts.

/** The session's test key. The dashboard stores it when it shows a new key (assets/dashboard/dashboard.js). */
const KEY = "docs-key";
const LANGUAGE = "docs-language";
/** The time for which a copy button shows its confirmation. */
const DONE_MS = 1_500;
const MAX_RESULTS = 12;
/** A typing error is more likely in a longer word. */
const MIN_FUZZY_CHARS = 4;
const MAX_SENTENCE_CHARS = 240;

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const dialog = document.querySelector("#docs-search-dialog");
const input = dialog.querySelector("input");
const results = dialog.querySelector("ul");
const status = dialog.querySelector("[role=status]");

redirectToReference();
revealTarget();
fillIn(read("sessionStorage", KEY));
chooseLanguage(read("localStorage", LANGUAGE));
followContents();
showCurrentPage();
addEventListener("hashchange", revealTarget);
document.querySelector("#docs-nav").addEventListener("toggle", showCurrentPage);
document.addEventListener("click", onClick);
document.addEventListener("keydown", onKey);
input.addEventListener("input", search);

/**
 * Returns a stored value, or null if there is none or if the browser blocks the storage. A blocked storage already throws
 * when it is read from the window.
 */
function read(storage, name) {
  try {
    return window[storage].getItem(name);
  } catch {
    return null;
  }
}

/** Older links to the reference lead to `/docs#tag/…`. */
function redirectToReference() {
  if (location.pathname === "/docs" && /^#(?:tag|model|webhook|description)\//.test(location.hash))
    location.replace(`/docs/reference${location.hash}`);
}

/** Opens the collapsed section that the address leads to. */
function revealTarget() {
  const target = document.getElementById(toId(location));
  const details = target?.closest("article details");
  if (!details || details.open) return;
  details.open = true;
  target.scrollIntoView();
}

/** Returns the id that an address leads to. Empty if its encoding is invalid. */
function toId({ hash }) {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return "";
  }
}

/** Shows the key in the examples. */
function fillIn(key) {
  if (key === null) return;
  for (const place of all("[data-key]")) place.textContent = key;
  for (const note of all(".key-note")) note.textContent = "The examples contain your test key.";
}

/** Shows the examples in a language, if the reader has chosen one. */
function chooseLanguage(language) {
  if (!all("button[data-language]").some((button) => button.dataset.language === language)) return;
  for (const button of all("button[data-language]")) button.ariaPressed = String(button.dataset.language === language);
  for (const code of all("pre[data-language]")) code.hidden = code.dataset.language !== language;
}

async function onClick({ target }) {
  const language = target.closest("button[data-language]");
  if (language) {
    // The examples above have other heights in the other language, so the page is scrolled by the difference.
    const before = language.getBoundingClientRect().top;
    chooseLanguage(language.dataset.language);
    scrollBy({ top: language.getBoundingClientRect().top - before, behavior: "instant" });
    try {
      localStorage.setItem(LANGUAGE, language.dataset.language);
    } catch {
      // A browser that blocks the storage shows the language on this page only.
    }
  }
  const copy = target.closest(".copy");
  if (copy) await copyCode(copy);
  if (target.closest(".docs-search")) openSearch();
  if (target === dialog) dialog.close();
  if (target.closest("#docs-toc a")) document.querySelector("#docs-toc:popover-open")?.hidePopover();
  if (target.closest("#docs-search-dialog a")) dialog.close();
}

/** Copies the visible code of the block, and confirms it briefly. */
async function copyCode(button) {
  const code = button.closest(".code").querySelector("pre:not([hidden]) code");
  try {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(code);
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => {
    button.textContent = "Copy";
  }, DONE_MS);
}

/** Marks the section in view in the table of contents. */
function followContents() {
  const links = all("#docs-toc a");
  const headings = links.map((link) => document.getElementById(toId(link)));
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < innerHeight / 4);
    const current = links[Math.max(0, passed.length - 1)];
    if (current.ariaCurrent === "true") return;
    for (const link of links) link.ariaCurrent = link === current ? "true" : null;
    centerIn(current, document.querySelector("#docs-toc"));
  };
  if (links.length === 0) return;
  new IntersectionObserver(mark, { rootMargin: "0px 0px -75% 0px" }).observe(headings[0]);
  addEventListener("scroll", mark, { passive: true });
}

/** Scrolls the navigation to the current page. It is a menu on a phone, and a part of a column on a wide screen. */
function showCurrentPage() {
  const link = document.querySelector("#docs-nav [aria-current]");
  if (link === null) return;
  for (const box of all("#docs-nav, .docs-side")) centerIn(link, box);
}

/** Scrolls only the box. `scrollIntoView` could also scroll the page. */
function centerIn(link, box) {
  const [{ top, bottom }, area] = [link.getBoundingClientRect(), box.getBoundingClientRect()];
  if (top < area.top || bottom > area.bottom) box.scrollTop += (top + bottom - area.top - area.bottom) / 2;
}

function onKey(event) {
  const { key, target } = event;
  const isTyping = target.closest("input, textarea, select, [contenteditable]") !== null;
  const isShortcut = (key === "/" && !isTyping) || (key === "k" && (event.metaKey || event.ctrlKey));
  if (isShortcut && !dialog.open) {
    event.preventDefault();
    openSearch();
  } else if (dialog.open && (key === "ArrowDown" || key === "ArrowUp")) {
    event.preventDefault();
    const stops = [input, ...all("a", results)];
    const next = stops.indexOf(document.activeElement) + (key === "ArrowDown" ? 1 : -1);
    stops.at(next % stops.length)?.focus();
  } else if (dialog.open && key === "Escape") {
    // In a search field, the browser would only delete the text.
    event.preventDefault();
    dialog.close();
  } else if (key === "Enter" && target === input) results.querySelector("a")?.click();
}

function openSearch() {
  dialog.showModal();
  input.select();
  loadIndex().catch(() => {
    status.textContent = "The search is not available. Reload the page to try again.";
  });
}

let loading = null;

/** Loads the texts of all pages and builds the index, on the first call. */
function loadIndex() {
  loading ??= (async () => {
    const [{ default: MiniSearch }, { pages, sections }] = await Promise.all([
      import("/docs/minisearch.js"),
      fetch("/docs/search.json").then((response) => response.json()),
    ]);
    const index = new MiniSearch({
      fields: ["heading", "title", "text"],
      processTerm: stem,
      searchOptions: {
        boost: { heading: 6, title: 3 },
        // Only the last word may be incomplete.
        prefix: (_, i, terms) => i === terms.length - 1,
        fuzzy: (term) => (term.length < MIN_FUZZY_CHARS ? false : 0.2),
        boostDocument: (id) => (pages[sections[id].page].operators ? 0.5 : 1),
      },
    });
    index.addAll(sections.map((section, id) => ({ ...section, id, title: pages[section.page].title })));
    return { index, pages, sections };
  })();
  return loading;
}

/** Returns the beginning that the forms of an English word share, such as `deliver` of delivery and deliveries. */
function stem(word) {
  return word.toLowerCase().replace(/(?<=\p{L}{3})(?:y|ies|e|es|(?<!s)s|ed|ing)$/u, "");
}

async function search() {
  const { index, pages, sections } = await loadIndex();
  const query = input.value.trim();
  const withAll = index.search(query, { combineWith: "AND" });
  const ids = new Set(withAll.map(({ id }) => id));
  const found = [...withAll, ...index.search(query).filter(({ id }) => !ids.has(id))];
  status.textContent =
    query === "" ? "" : found.length === 0 ? `No results for “${query}”.` : `${found.length} results`;
  results.replaceChildren(
    ...found.slice(0, MAX_RESULTS).map(({ id, terms }) => {
      const section = sections[id];
      const { path, title } = pages[section.page];
      const link = document.createElement("a");
      link.href = section.id === "" ? path : `${path}#${section.id}`;
      const place = section.heading === title ? [] : [element("span", title)];
      link.append(...place, element("b", section.heading), toSentence(section.text, terms));
      const item = document.createElement("li");
      item.append(link);
      return item;
    }),
  );
}

function element(name, text) {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

/** Returns the sentence with the most of the terms, as a paragraph in which they are marked. */
function toSentence(text, terms) {
  const starts = terms.map((term) => term.replace(/[$^+|]/g, "\\$&")).join("|");
  const pattern = new RegExp(`((?:${starts})\\p{L}*)`, "giu");
  const sentences = text.split(/(?<=[.!?]) |\n/);
  const counts = sentences.map((sentence) => new Set(sentence.toLowerCase().match(pattern)).size);
  const sentence = sentences[counts.indexOf(Math.max(...counts))] ?? "";
  const at = sentence.slice(MAX_SENTENCE_CHARS / 2).search(pattern);
  const start = sentence.length > MAX_SENTENCE_CHARS && at > MAX_SENTENCE_CHARS / 2 ? at : 0;
  const shown = sentence.slice(start, start + MAX_SENTENCE_CHARS);
  const paragraph = document.createElement("p");
  const parts = shown.split(pattern).map((part, i) => (i % 2 === 1 ? element("mark", part) : part));
  paragraph.append(start > 0 ? "…" : "", ...parts, start + shown.length < sentence.length ? "…" : "");
  return paragraph;
}
