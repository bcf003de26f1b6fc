// Improves the dashboard's pages. Each page also works without scripts.

/** The delay before a refresh that gets an immediate response. */
const LIVE_EVERY_MS = 2_000;
/** The delay before a refresh that the service holds until the page has changed. */
const LIVE_HELD_MS = 500;
/** The form of times: `2026-11-21 09:05 GMT+1`. The locale only selects the order of the parts. */
const TIME_FORMAT = new Intl.DateTimeFormat("sv", {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
});
/** The time for which a copy button shows its confirmation. */
const DONE_MS = 1_500;

prepare(document);
keepTestKey();
document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);
document.addEventListener("keydown", onChartKey);

/** Prepares the page, and each part that is inserted later. */
function prepare(root) {
  // Saves the HTML from the server before the following lines change it.
  const followed = [...root.querySelectorAll("[data-live][data-busy=true]")].map((live) => [live, live.innerHTML]);
  for (const element of root.querySelectorAll(".js[hidden]")) element.hidden = false;
  for (const time of root.querySelectorAll("time[datetime]"))
    time.textContent = TIME_FORMAT.format(new Date(time.dateTime));
  for (const [live, served] of followed) follow(live, served);
  // A chart is one stop of the Tab key. The arrow keys move between its bars.
  for (const bar of root.querySelectorAll(".chart-bars li:not(:last-child) button")) bar.tabIndex = -1;
  for (const tabs of root.querySelectorAll("[data-tabs]")) show(tabs, tabs.querySelector("[role=tab]"));
}

/** Keeps a new test key in this browser tab for the examples of the documentation, until the user signs out. */
function keepTestKey() {
  const key = document.getElementById("new-key")?.textContent;
  try {
    if (key?.startsWith("sk_test_")) sessionStorage.setItem("docs-key", key);
    if (location.pathname === "/dashboard/sign-in") sessionStorage.removeItem("docs-key");
  } catch {
    // The browser blocks the storage. The examples then show the name of a variable.
  }
}

/** Moves the focus between the bars of a chart. */
function onChartKey(event) {
  const bars = [...(event.target.closest?.(".chart-bars")?.querySelectorAll("button") ?? [])];
  const at = bars.indexOf(event.target);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: bars.length - 1 }[event.key];
  const next = at < 0 || to === undefined ? undefined : bars[to];
  if (next === undefined) return;
  event.preventDefault();
  for (const bar of bars) bar.tabIndex = bar === next ? 0 : -1;
  next.focus();
}

async function onClick(event) {
  const copy = event.target.closest("[data-copy]");
  if (copy) return await copyText(copy);
  const tab = event.target.closest("[role=tab]");
  if (tab) show(tab.closest("[data-tabs]"), tab);
}

/** Copies the text of the element that `data-copy` names, or the URL of a link, and confirms it briefly. */
async function copyText(button) {
  const label = button.querySelector("[data-label]");
  const before = label.textContent;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.href ?? source.textContent);
    label.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(source);
    label.textContent = "Press Ctrl+C";
  }
  setTimeout(() => {
    label.textContent = before;
  }, DONE_MS);
}

/** Shows the panel of a tab and hides the others of its group. */
function show(tabs, chosen) {
  tabs.dataset.ready = "true";
  for (const tab of tabs.querySelectorAll("[role=tab]")) {
    const selected = tab === chosen;
    tab.setAttribute("aria-selected", String(selected));
    tab.tabIndex = selected ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute("aria-controls"));
    if (panel) panel.hidden = !selected;
  }
}

document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.("[role=tab]");
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!tab || step === undefined) return;
  const all = [...tab.closest("[data-tabs]").querySelectorAll("[role=tab]")];
  const next = all[(all.indexOf(tab) + step + all.length) % all.length];
  show(tab.closest("[data-tabs]"), next);
  next.focus();
});

// In a table with `data-rows`, the arrow keys move the focus to the link of the next or previous row.
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = event.target.closest?.("[data-rows] tbody tr");
  if (!row || step === undefined) return;
  const next = step === 1 ? row.nextElementSibling : row.previousElementSibling;
  if (!next) return;
  event.preventDefault();
  next.querySelector("a").focus();
});

/** Opens a confirmation dialog if the form has `data-confirm`. Prevents the form from being sent twice. */
function onSubmit(event) {
  const form = event.target;
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return event.preventDefault();
  if (form.dataset.sent === "true") return event.preventDefault();
  form.dataset.sent = "true";
  for (const button of form.querySelectorAll("button[type=submit]")) button.setAttribute("aria-disabled", "true");
}

// Allows the form to be sent again after the browser has restored the page from its back/forward cache.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  }
});

/** Refreshes a part of the page until it is no longer busy. `served` is the part's HTML from the server. */
async function follow(live, served) {
  let last = served;
  let version = null;
  while (live.isConnected && live.dataset.busy === "true") {
    const delay = version === null ? Number(live.dataset.every ?? LIVE_EVERY_MS) : LIVE_HELD_MS;
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (document.hidden) continue;
    try {
      const headers = { "X-Requested-With": "fetch", ...(version === null ? {} : { "X-Live-Version": version }) };
      version = null;
      const response = await fetch(live.dataset.live, { headers });
      // The session has ended, or the part no longer exists. The reloaded page shows the reason.
      if (response.redirected || response.status === 401 || response.status === 404) return location.reload();
      if (!response.ok) continue;
      version = response.headers.get("X-Live-Version");
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById(live.id);
      // The user switched the mode in another tab, so the whole page is outdated.
      if (fresh === null || isOfOtherMode(page)) return location.reload();
      for (const id of live.dataset.liveParts?.split(" ") ?? []) swap(page, id);
      // Keeps an unchanged part, so that open details and the focus stay.
      if (fresh.innerHTML !== last) {
        last = fresh.innerHTML;
        replace(live, fresh);
      }
      if (fresh.dataset.every) live.dataset.every = fresh.dataset.every;
      else delete live.dataset.every;
      if (fresh.dataset.busy === "true") live.dataset.busy = "true";
      else delete live.dataset.busy;
    } catch {
      // The service can't be reached. The next refresh may succeed.
    }
  }
}

/**
 * Returns true if the fetched page shows the other mode. A fetched part, such as the playground's response, has no
 * mode.
 */
function isOfOtherMode(page) {
  const [fetched, current] = [page, document].map((root) => root.querySelector(".mode [aria-pressed=true]")?.value);
  return fetched !== undefined && fetched !== current;
}

/**
 * Replaces a part. Moves the focus to the new element with the same id, to the new link with the same URL, or to the
 * scrolling section around the part.
 */
function replace(live, fresh) {
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  const href = focused?.getAttribute("href");
  live.replaceChildren(...fresh.childNodes);
  prepare(live);
  const successor = focused?.id
    ? document.getElementById(focused.id)
    : [...live.querySelectorAll("a[href]")].find((link) => link.getAttribute("href") === href);
  if (focused) (successor ?? live.closest("[tabindex]"))?.focus({ preventScroll: true });
}

/** Replaces the content of an element by that of the fetched page's element with the same id. Keeps the selected tab. */
function swap(page, id) {
  const [part, fresh] = [document, page].map((root) => root.getElementById(id));
  if (part === null || fresh === null) return;
  // The HTML doesn't show the text that the user has entered in a field.
  if (part.innerHTML === fresh.innerHTML && part.querySelector("input, select, textarea") === null) return;
  const chosen = part.querySelector("[role=tab][aria-selected=true]")?.id;
  part.replaceChildren(...fresh.childNodes);
  prepare(part);
  if (chosen) document.getElementById(chosen)?.click();
}

const PREVIEW_AFTER_MS = 300;
let preview = null;

// Updates the parts of the page that depend on a form with `data-preview` while the user edits the form.
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.closest("form[data-preview]");
    if (!form) return;
    clearTimeout(preview?.timer);
    preview?.request.abort();
    const request = new AbortController();
    preview = { request, timer: setTimeout(() => updatePreview(form, request.signal), PREVIEW_AFTER_MS) };
  });
}

/** Replaces the elements whose ids are in `data-preview-parts` with those for the form's current values. */
async function updatePreview(form, signal) {
  try {
    // Only the name of a file is sent.
    const body = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, value.name ?? value]));
    const response = await fetch(form.dataset.preview, { method: "POST", body, signal });
    if (response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // While the form isn't a valid request, the response lacks some of the parts. They stay unchanged.
    for (const id of form.dataset.previewParts.split(" ")) swap(page, id);
  } catch (error) {
    // Further typing aborts the request. Keeps the old parts if the service can't be reached.
    if (error.name !== "AbortError") console.warn(error);
  }
}
