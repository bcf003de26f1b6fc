// Runs the playground's requests without reloading the page. Loaded after dashboard.js, whose functions it uses.

/** The content of the response's card while the request is being sent. */
const SENDING = `
  <div class="card-head"><h2 id="answer-title">Response</h2></div>
  <section class="answer-body" aria-label="Content of the response" tabindex="0">
    <div class="answer">
      <p role="status">The request is being sent.</p>
      <div class="row">
        <span class="spinner" aria-hidden="true"></span>
        <span role="timer" aria-label="Elapsed time" class="elapsed" data-elapsed="0">0 s</span>
        <button type="button" class="button quiet small" data-abort>Cancel</button>
      </div>
    </div>
  </section>`;

const ABORTED =
  "You canceled the request before the service confirmed it. If the service had already received it, the job is in the list of jobs and continues.";

/** The request that is being sent, or null. */
let sending = null;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.dataset.swap === undefined) return;
  event.preventDefault();
  void send(form);
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-abort]")) sending?.abort();
});

// A file can be dropped anywhere on the form.
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    const field = event.target.closest?.("#request")?.querySelector("[type=file]");
    if (!field || !event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    if (kind === "drop") field.files = event.dataTransfer.files;
  });
}

// The URL of the page changes when a request is run, but only the server knows the earlier content.
addEventListener("popstate", () => location.reload());

/** Sends a form with `data-swap`, and replaces the parts of the page that it names. */
async function send(form) {
  const isRun = form.id === "request";
  const before = isRun ? showSending() : null;
  sending = new AbortController();
  try {
    const values = new FormData(form);
    const body = values.get("file")?.size > 0 ? values : new URLSearchParams(values);
    const headers = { "X-Requested-With": "fetch" };
    const response = await fetch(form.action, { method: "POST", body, headers, signal: sending.signal });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    // The session has ended, or the user switched the mode in another tab. The browser sends the form and shows why.
    const isOfThisPage = form.dataset.swap.split(" ").some((id) => page.getElementById(id) !== null);
    if (response.redirected || !isOfThisPage || isOfOtherMode(page)) return form.submit();
    if (response.ok) {
      for (const id of form.dataset.swap.split(" ")) swap(page, id);
      const path = response.headers.get("Content-Location");
      if (path !== null) history.pushState(null, "", path);
      // The pressed button is gone, so the focus moves to the new response.
      if (!isRun) document.querySelector("#answer .answer-body")?.focus();
    } else {
      restore(before);
      for (const id of form.dataset.swapRefused.split(" ")) swap(page, id);
      showProblem(form);
    }
  } catch (error) {
    const isAborted = error.name === "AbortError";
    showFailure(isAborted ? ABORTED : "The service can't be reached. Check your connection and try again.", isRun);
  } finally {
    sending = null;
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-disabled]")) button.removeAttribute("aria-disabled");
  }
}

/** Shows the progress of the request instead of the earlier response. Returns the earlier content. */
function showSending() {
  const answer = document.getElementById("answer");
  const before = [...answer.childNodes];
  answer.innerHTML = SENDING;
  if (answer.getBoundingClientRect().top > innerHeight) answer.scrollIntoView({ block: "nearest" });
  return before;
}

function restore(before) {
  if (before !== null) document.getElementById("answer").replaceChildren(...before);
}

/** Moves the focus to the first invalid field, or shows the message at the top of the form. */
function showProblem(form) {
  const invalid = form.querySelector("[aria-invalid=true], .invalid input");
  if (invalid === null || invalid.hidden) form.scrollIntoView({ block: "start" });
  else invalid.focus();
}

/** Shows a message instead of the progress, or above the response of a job that continues. */
function showFailure(text, isRun) {
  const answer = document.querySelector("#answer .answer");
  const notice = document.createElement("p");
  notice.className = "notice bad";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  if (isRun) answer?.replaceChildren(notice);
  else answer?.prepend(notice);
}

// Fills the schema and its prompt when the user chooses a ready-made schema.
document.addEventListener("change", async ({ target: menu }) => {
  if (menu.id !== "ready-schema" || menu.value === "") return;
  const name = menu.value;
  const response = await fetch(`/dashboard/playground/schemas/${name}`).catch(() => null);
  // If the connection was lost, the user can choose the schema again.
  if (!response?.ok || menu.value !== name) return;
  const { schema, prompt } = await response.json();
  const area = document.getElementById("field-schema");
  area.value = JSON.stringify(schema, null, 2);
  area.dispatchEvent(new Event("input", { bubbles: true }));
  const field = document.getElementById("field-prompt");
  // A prompt that the user has written stays.
  if (!["", field.defaultValue.trim()].includes(field.value.trim())) return;
  field.defaultValue = prompt;
  field.value = prompt;
  field.dispatchEvent(new Event("input", { bubbles: true }));
});

// The server's error is about an earlier schema. The check below the field describes the current one.
document.addEventListener("input", ({ target: area }) => {
  const problem = area.id === "field-schema" ? document.getElementById("problem-schema") : null;
  problem?.parentElement.classList.remove("invalid");
  problem?.remove();
});

/** The elements with an elapsed time, and the time (ms) at which each of them began. */
const begins = new WeakMap();

setInterval(() => {
  for (const timer of document.querySelectorAll("[data-elapsed]")) {
    if (!begins.has(timer)) begins.set(timer, performance.now() - Number(timer.dataset.elapsed));
    timer.textContent = `${Math.floor((performance.now() - begins.get(timer)) / 1_000)} s`;
  }
}, 250);

/** The members of each type of action, in the order of their inputs. */
const ACTION_MEMBERS = {
  click: ["selector"],
  type: ["selector", "text"],
  press: ["key"],
  select: ["selector", "value"],
  hover: ["selector"],
  scroll: ["to"],
  wait: ["ms"],
  screenshot: [],
  html: [],
};

/** Shows a row for each action of the JSON field `actions`. The field stays the value of the form. */
function showActions(builder, field) {
  const actions = readActions(field.value);
  const rows = actions.map((action, i) => toActionRow(actions, action, i, field, builder));
  const add = toButton("Add action", () => writeActions([...actions, { type: "click", selector: "" }], field, builder));
  builder.replaceChildren(...rows, add);
}

function toActionRow(actions, action, i, field, builder) {
  const row = document.createElement("div");
  row.className = "row";
  const write = (next) => writeActions(next, field, builder);
  const type = document.createElement("select");
  type.setAttribute("aria-label", `Type of action ${i}`);
  type.append(...Object.keys(ACTION_MEMBERS).map((name) => new Option(name, name, false, name === action.type)));
  type.addEventListener("change", () => {
    const members = ACTION_MEMBERS[type.value].map((name) => [name, action[name] ?? ""]);
    write(actions.with(i, { type: type.value, ...Object.fromEntries(members) }));
  });
  const inputs = (ACTION_MEMBERS[action.type] ?? []).map((name) => {
    const input = document.createElement("input");
    input.value = action[name] ?? "";
    input.placeholder = name;
    input.setAttribute("aria-label", `${name} of action ${i}`);
    input.addEventListener("change", () => {
      // Keeps the rows. A new row would replace a button while it is being clicked, and the click would be lost.
      action[name] = name === "ms" && /^\d+$/.test(input.value) ? Number(input.value) : input.value;
      writeField(actions, field);
    });
    return input;
  });
  const up = toButton("Up", () => write(actions.with(i, actions[i - 1]).with(i - 1, action)));
  up.disabled = i === 0;
  const remove = toButton("Remove", () => write(actions.toSpliced(i, 1)));
  row.append(type, ...inputs, up, remove);
  return row;
}

function toButton(label, onClick) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet small";
  button.textContent = label;
  button.addEventListener("click", onClick);
  return button;
}

function writeActions(actions, field, builder) {
  writeField(actions, field);
  showActions(builder, field);
}

function writeField(actions, field) {
  field.value = actions.length === 0 ? "" : JSON.stringify(actions, null, 2);
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Returns the actions of a JSON text. Returns no actions while the text isn't a list of objects. */
function readActions(text) {
  try {
    const actions = JSON.parse(text);
    return Array.isArray(actions) && actions.every((each) => Object(each) === each) ? actions : [];
  } catch {
    return [];
  }
}

/** Fills the builder. The server replaces the form after a refused request, so the builder may be a new one. */
function startActionBuilder() {
  const builder = document.getElementById("action-builder");
  const field = document.getElementById("field-actions");
  if (builder === null || field === null || builder.childElementCount > 0) return;
  field.addEventListener("change", () => showActions(builder, field));
  showActions(builder, field);
}

startActionBuilder();
setInterval(startActionBuilder, 1_000);
