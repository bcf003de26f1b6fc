import { ARTICLE, WORDS } from "./article.ts";
import type { Visit } from "./visit.ts";

const article = `<article><h1>Tides</h1><p>${WORDS}</p></article>`;
/** Returns a page with the article, followed by a script. */
const scripted = (script: string) => `<!doctype html><html><body>${article}<script>${script}</script></body></html>`;
/** Returns a page that runs `script` and then adds the article. */
const afterwards = (script: string) =>
  `<!doctype html><html><body><main></main><script>${script};document.querySelector("main").innerHTML = ${JSON.stringify(article)};</script></body></html>`;

/** Pages that attack the browser. */
export const hostilePages: Record<string, (visit: Visit) => string> = {
  alert: () => afterwards(`alert("1"); alert("2"); alert("3")`),
  confirm: () => afterwards(`confirm("Really?")`),
  prompt: () => afterwards(`prompt("Your name?", "default")`),
  print: () => afterwards("print()"),
  "alert-often": () => scripted(`setInterval(() => alert("again"), 1)`),
  "before-unload": () =>
    `<!doctype html><body><script>addEventListener("beforeunload", (e) => { e.preventDefault(); e.returnValue = "stay"; }); setTimeout(() => { location.href = "article"; }, 50);</script></body>`,
  "before-unload-blocks": () =>
    scripted(`onbeforeunload = (e) => { e.preventDefault(); e.returnValue = "stay"; while (true); }`),
  "download-by-link": () =>
    scripted(
      `const a = document.createElement("a"); a.href = "attachment"; a.download = "x"; document.body.append(a); a.click()`,
    ),
  "download-by-address": () => scripted(`setTimeout(() => { location.href = "attachment"; }, 50)`),
  "download-by-blob": () =>
    scripted(
      `for (let i = 0; i < 50; i++) { const a = document.createElement("a"); a.href = URL.createObjectURL(new Blob(["x".repeat(1e6)])); a.download = "x" + i; a.click(); }`,
    ),
  windows: () => scripted(`for (let i = 0; i < 200; i++) open("article?" + i, "_blank")`),
  "windows-by-form": () =>
    scripted(
      `for (let i = 0; i < 30; i++) { const f = document.createElement("form"); f.action = "article"; f.target = "_blank"; document.body.append(f); f.submit(); }`,
    ),
  "window-of-itself": () => scripted(`open(location.href); open(location.href + "?2", "named")`),
  "away-for-ever": ({ count }) => scripted(`location.href = "away-for-ever?${count}"`),
  "away-by-timer": ({ count }) => scripted(`setTimeout(() => { location.href = "away-by-timer?${count}"; }, 100)`),
  "reloads-for-ever": () => scripted("location.reload()"),
  "replaces-for-ever": () => scripted(`location.replace("replaces-for-ever?" + Math.random())`),
  "history-for-ever": () => scripted(`let i = 0; setInterval(() => history.pushState({}, "", "?" + i++), 1)`),
  "hash-for-ever": () => scripted(`let i = 0; setInterval(() => { location.hash = i++; }, 1)`),
  "never-idle": () => scripted(`setInterval(() => fetch("article?" + Math.random()), 50)`),
  "never-answered": () => scripted(`fetch("never")`),
  "never-still": () => scripted(`setInterval(() => { document.body.append("."); }, 1)`),
  "busy-timers": () =>
    scripted(`setInterval(() => { const end = performance.now() + 90; while (performance.now() < end); }, 1)`),
  "endless-script": () => scripted("while (true);"),
  "endless-worker": () =>
    scripted(`new Worker(URL.createObjectURL(new Blob(["const e = Date.now() + 20000; while (Date.now() < e);"])))`),
  "endless-promises": () =>
    scripted(`(function again() { setTimeout(again, 0); })(); setInterval(() => Promise.resolve(), 0)`),
  crash: () => scripted(`"x".repeat(2 ** 28).split("")`),
  "crash-later": () => scripted(`setTimeout(() => "x".repeat(2 ** 28).split(""), 300)`),
  "frame-crash": () => `<!doctype html><body>${article}<iframe src="crash"></iframe></body>`,
  "frames-of-itself": ({ count }) =>
    `<!doctype html><body>${article}<iframe src="frames-of-itself?${count}"></iframe></body>`,
  "frames-many": () => `<!doctype html><body>${article}${'<iframe src="article"></iframe>'.repeat(60)}</body>`,
  throws: () =>
    scripted(`addEventListener("error", () => null); setInterval(() => { throw new Error("x"); }, 5); null.x`),
  sabotage: () =>
    scripted(
      `for (const name of ["MutationObserver", "XMLSerializer", "Promise", "JSON", "performance"]) try { Object.defineProperty(globalThis, name, { value: undefined }) } catch {}
       for (const [of, name] of [[Element, "outerHTML"], [Document, "querySelector"], [Document, "documentElement"], [Document, "doctype"]])
         try { Object.defineProperty(of.prototype, name, { get() { throw new Error("no") }, configurable: false }) } catch {}`,
    ),
  "own-promise": () =>
    scripted(
      `const Native = Promise; globalThis.Promise = function (work) { return new Native((resolve, reject) => work((value) => resolve(typeof value === "string" ? "\\n" + "<p>A lie.</p>".repeat(700000) : value), reject)); }; Promise.prototype = Native.prototype`,
    ),
  rewritten: () =>
    scripted(
      `setTimeout(() => { document.open(); document.write(${JSON.stringify(article)}); document.close(); }, 100)`,
    ),
  emptied: () => scripted("document.documentElement.remove()"),
  "nested-by-script": () =>
    scripted(
      `let e = document.body; for (let i = 0; i < 20000; i++) { const d = document.createElement("div"); e.append(d); e = d; }`,
    ),
  "enormous-by-script": () => scripted(`document.body.append("x".repeat(12e6))`),
  "asks-for-everything": () =>
    scripted(
      `navigator.geolocation.getCurrentPosition(() => {}); Notification.requestPermission(); navigator.mediaDevices?.getUserMedia({ video: true }).catch(() => {}); document.documentElement.requestFullscreen().catch(() => {}); document.body.requestPointerLock();`,
    ),
  "other-programs": ({ url }) => scripted(`location.href = ${JSON.stringify(url.searchParams.get("url"))}`),
  "to-file": () =>
    scripted(
      `location.href = "file:///etc/passwd"; const f = document.createElement("iframe"); f.src = "file:///etc/passwd"; document.body.append(f)`,
    ),
  "to-settings": () => scripted(`location.href = "chrome://crash"`),
  "to-data": () => scripted(`location.href = "data:text/html,<p>nothing"`),
  "to-blob": () =>
    scripted(`location.href = URL.createObjectURL(new Blob([${JSON.stringify(ARTICLE)}], { type: "text/html" }))`),
  "to-blank": () => scripted(`setTimeout(() => { location.href = "about:blank"; }, 50)`),
  "to-private": () => scripted(`location.href = "http://169.254.169.254/latest/meta-data/"`),
  consent: () =>
    `<!doctype html><html lang="en"><body style="overflow:hidden"><div id="cookie-consent" role="dialog" aria-modal="true" style="position:fixed;inset:0"><h2>We value your privacy</h2><p>We and our 812 partners use cookies to store information on your device.</p><button>Accept all</button><button>Reject all</button></div>${article}</body></html>`,
  stylesheet: () =>
    `<!doctype html><html><head><link rel="stylesheet" href="never"></head><body>${article}</body></html>`,
  "blocking-script": () =>
    `<!doctype html><html><head><script src="never"></script></head><body>${article}</body></html>`,
  debugger: () => scripted(`for (let i = 0; i < 100; i++) eval("debugger")`),
};
