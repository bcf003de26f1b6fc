// What the dashboard's pages can't do without a script. Each works without it, with a click more.

const LIVE_EVERY_MS = 2_000;
const DONE_MS = 1_500;

prepare(document);
// On narrow windows the navigation scrolls: the present entry is in sight.
document.querySelector("nav [aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
document.addEventListener("click", onClick);
document.addEventListener("submit", onSubmit);

/** Once for the page, and for each part of it that is put in later. */
function prepare(root) {
  // As it came, before what follows changes it.
  const followed = [...root.querySelectorAll("[data-live][data-busy=true]")].map((live) => [live, live.innerHTML]);
  for (const element of root.querySelectorAll(".js[hidden]")) element.hidden = false;
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    time.textContent = at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
  }
  for (const [live, served] of followed) follow(live, served);
  for (const tabs of root.querySelectorAll("[data-tabs]")) show(tabs, tabs.querySelector("[role=tab]"));
}

async function onClick(event) {
  const copy = event.target.closest("[data-copy]");
  if (copy) return await copyText(copy);
  const reveal = event.target.closest("[data-reveal]");
  if (reveal) return toggle(reveal);
  const tab = event.target.closest("[role=tab]");
  if (tab) show(tab.closest("[data-tabs]"), tab);
}

/** Copies the text of the element that `data-copy` names, and says so for a moment. */
async function copyText(button) {
  const label = button.querySelector("[data-label]");
  const before = label.textContent;
  const source = document.getElementById(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.dataset.text ?? source.textContent);
    label.textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(source);
    label.textContent = "Press Ctrl+C";
  }
  setTimeout(() => {
    label.textContent = before;
  }, DONE_MS);
}

/** Shows what `data-reveal` names in clear, or hides it again: `data-text` and `data-mask` are its two faces. */
function toggle(button) {
  const target = document.getElementById(button.dataset.reveal);
  const shown = button.getAttribute("aria-pressed") === "true";
  target.textContent = shown ? target.dataset.mask : target.dataset.text;
  button.setAttribute("aria-pressed", String(!shown));
}

/** Tabs: the panel that `aria-controls` names is shown, the others of the group are not. */
function show(tabs, chosen) {
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

/** Asks before what can't be undone; a form is sent once, however often its button is pressed. */
function onSubmit(event) {
  const form = event.target;
  if (form.dataset.confirm && !confirm(form.dataset.confirm)) return event.preventDefault();
  if (form.dataset.sent === "true") return event.preventDefault();
  form.dataset.sent = "true";
  for (const button of form.querySelectorAll("button[type=submit]")) button.setAttribute("aria-disabled", "true");
}

// A page that comes back out of the browser's own cache may be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  }
});

/** Fetches a part of the page, which came as `served`, anew until it says that it needn't be followed any more. */
async function follow(live, served) {
  let last = served;
  while (live.isConnected && live.dataset.busy === "true") {
    await new Promise((resolve) => setTimeout(resolve, Number(live.dataset.every ?? LIVE_EVERY_MS)));
    if (document.hidden) continue;
    try {
      const response = await fetch(live.dataset.live, { headers: { "X-Requested-With": "fetch" } });
      // The session has ended, or what was followed isn't there any more: the page itself says so.
      if (response.redirected || response.status === 401 || response.status === 404) return location.reload();
      if (!response.ok) continue;
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.getElementById(live.id);
      // Another tab has switched to the other mode: all of this page is about the one before.
      if (fresh === null || isOfOtherMode(page)) return location.reload();
      // What somebody has opened or points at stays until it changes.
      if (fresh.innerHTML !== last) {
        last = fresh.innerHTML;
        replace(live, fresh);
      }
      if (fresh.dataset.every) live.dataset.every = fresh.dataset.every;
      else delete live.dataset.every;
      if (fresh.dataset.busy === "true") live.dataset.busy = "true";
      else delete live.dataset.busy;
    } catch {
      // Not reachable for the moment: the next look may be.
    }
  }
}

/** A part alone, as the playground's answer is, doesn't say of which mode it is. */
function isOfOtherMode(page) {
  const [there, here] = [page, document].map((root) => root.querySelector(".mode [name=mode]")?.value);
  return there !== undefined && there !== here;
}

/** Whoever uses the keyboard goes on where they were: at the link of the same address, when there is one still. */
function replace(live, fresh) {
  const focused = live.contains(document.activeElement) ? document.activeElement : null;
  const href = focused?.getAttribute("href");
  live.replaceChildren(...fresh.childNodes);
  prepare(live);
  const successor = focused?.id
    ? document.getElementById(focused.id)
    : [...live.querySelectorAll("a[href]")].find((link) => link.getAttribute("href") === href);
  successor?.focus({ preventScroll: true });
}

const PREVIEW_AFTER_MS = 300;
let preview = null;

// A form with `data-preview` has parts of the page that follow it: they are fetched while it is edited.
for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const form = event.target.closest("form[data-preview]");
    if (!form) return;
    clearTimeout(preview?.timer);
    preview?.request.abort();
    const request = new AbortController();
    preview = { request, timer: setTimeout(() => follows(form, request.signal), PREVIEW_AFTER_MS) };
  });
}

/** Puts in place what the form's fields make of the elements that `data-preview-parts` names. */
async function follows(form, signal) {
  try {
    const body = new URLSearchParams(new FormData(form));
    const response = await fetch(form.dataset.preview, { method: "POST", body, signal });
    // Not a request yet: what stands there stays until it is one.
    if (!response.ok || response.redirected) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const id of form.dataset.previewParts.split(" ")) {
      const part = document.getElementById(id);
      const chosen = part.querySelector("[role=tab][aria-selected=true]")?.id;
      part.replaceChildren(...page.getElementById(id).childNodes);
      prepare(part);
      document.getElementById(chosen)?.click();
    }
  } catch (error) {
    // The next letter was typed, or the service isn't reachable for the moment: then the old text stays.
    if (error.name !== "AbortError") console.warn(error);
  }
}
