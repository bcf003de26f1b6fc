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

// The URL of the page changes when a request is run, but only the server knows the earlier content.
addEventListener("popstate", () => location.reload());

/** Sends a form with `data-swap`, and replaces the parts of the page that it names. */
async function send(form) {
  const isRun = form.id === "request";
  const before = isRun ? showSending() : null;
  sending = new AbortController();
  try {
    const body = new URLSearchParams(new FormData(form));
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

/** Shows the progress of the request in place of the earlier response. Returns the earlier content. */
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

/** Shows a message in place of the progress, or above the response of a job that continues. */
function showFailure(text, isRun) {
  const answer = document.querySelector("#answer .answer");
  const notice = document.createElement("p");
  notice.className = "notice bad";
  notice.setAttribute("role", "alert");
  notice.textContent = text;
  if (isRun) answer?.replaceChildren(notice);
  else answer?.prepend(notice);
}

/** The elements with an elapsed time, and the time (ms) at which each of them began. */
const begins = new WeakMap();

setInterval(() => {
  for (const timer of document.querySelectorAll("[data-elapsed]")) {
    if (!begins.has(timer)) begins.set(timer, performance.now() - Number(timer.dataset.elapsed));
    timer.textContent = `${Math.floor((performance.now() - begins.get(timer)) / 1_000)} s`;
  }
}, 250);
