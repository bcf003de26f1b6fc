import { readFileSync } from "node:fs";

const article = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Harbour log</title></head><body>
<nav><a href="/x">Home</a> <a href="/y">Login</a></nav>
<main><article><h1>Tide tables of Łeba</h1>
<p>The harbour of Łeba records two tides a day, and the keeper writes each height by hand in a ledger that has been kept since 1899. Visitors are welcome on Sundays.</p>
<h2>Heights</h2>
<table><thead><tr><th>Day</th><th>High</th></tr></thead><tbody><tr><td>Mon</td><td>1.2 m</td></tr><tr><td>Tue</td><td>1.4 m</td></tr></tbody></table>
<pre><code class="language-sh">tide --port leba</code></pre>
<p>See the <a href="../archive/1899.html">archive</a> and <img src="/img/pier.jpg" alt="the pier">. Ships must wait for the signal before they leave, as the bar is shallow and the current is strong in the afternoon.</p>
</article></main><footer>© Harbour office, all rights reserved, imprint</footer></body></html>`;

const rendered = (script: string) =>
  `<!doctype html><html><head><title>Rendered</title></head><body><div id="app">loading</div><script>${script}</script></body></html>`;

/** Returns a page that shows whether `promise`, a JavaScript expression, was fulfilled or rejected. */
const large = (promise: string) =>
  rendered(
    `const show = (text) => { document.querySelector("#app").textContent = text; }; (${promise}).then(() => show("It came through."), () => show("It failed."));`,
  );

const sentence = "Only a browser can read this sentence, which a script added after the page was sent.";

/** Returns a page that shows a sentence when its script calls `show`. */
const shownByScript = (script: string) =>
  rendered(
    `const show = () => { document.querySelector("#app").innerHTML = "<article><h1>Rendered</h1><p>${sentence}</p></article>" }; addEventListener("load", () => { ${script} })`,
  );

/** Static pages by the name of their behavior. */
export const pages: Record<string, string> = {
  article,
  // The sample page of the home page.
  kettle: readFileSync("assets/website/sample.html", "utf8"),
  script: rendered(
    `document.querySelector("#app").innerHTML = "<article><h1>Rendered</h1><p>${sentence}</p></article>"`,
  ),
  "after-timer": rendered(
    `setTimeout(() => { document.querySelector("#app").innerHTML = "<article><h1>Rendered</h1><p>${sentence}</p></article>" }, 700)`,
  ),
  "after-fetch": rendered(
    `fetch("held").then((r) => r.text()).then(() => { document.querySelector("#app").innerHTML = "<article><h1>Rendered</h1><p>${sentence}</p></article>" })`,
  ),
  "by-idle": shownByScript(`requestIdleCallback(() => fetch("echo").then((a) => a.json()).then(show))`),
  "by-view": shownByScript(
    `new IntersectionObserver((all, o) => { o.disconnect(); fetch("echo").then((a) => a.json()).then(show) }).observe(document.querySelector("#app"))`,
  ),
  "by-frames": shownByScript(
    `const step = (n) => requestAnimationFrame(() => n === 0 ? show() : step(n - 1)); step(10)`,
  ),
  "by-text-timer": shownByScript(`globalThis.go = show; setTimeout("go()", 500)`),
  "by-timers": shownByScript(`const step = (n) => setTimeout(() => n === 0 ? show() : step(n - 1), 50); step(10)`),
  "by-interval": shownByScript(
    `let n = 0; const id = setInterval(() => { if (++n === 5) { clearInterval(id); show() } }, 100)`,
  ),
  "by-task": shownByScript(`scheduler.postTask(show, { delay: 500 })`),
  "by-frame-timer": shownByScript(
    `onmessage = show; const f = document.createElement("iframe"); f.srcdoc = "<script>setTimeout(() => parent.postMessage(1), 500)<" + "/script>"; document.body.append(f)`,
  ),
  "by-slow-body": shownByScript(`fetch("flushed").then((a) => a.text()).then(show)`),
  "element-late": rendered(
    `setTimeout(() => { document.querySelector("#app").innerHTML = "<article><h1>Rendered</h1><p id=late>${sentence}</p></article>" }, 2000)`,
  ),
  "moves-on": rendered(`setTimeout(() => location.href = "article", 50)`),
  "moves-to-nowhere": rendered(`setTimeout(() => location.href = "reset", 50)`),
  "moves-inside": rendered(`setTimeout(() => location.href = "http://127.0.0.1:1/", 50)`),
  "never-quiet": rendered(
    `let i = 0; setInterval(() => { document.querySelector("#app").textContent = "Counting without an end, at the moment we are at number " + i++ }, 10)`,
  ),
  unread: rendered(
    `fetch("echo"); new Worker("echo-worker.js"); new Worker("reset"); const app = document.querySelector("#app"); app.textContent = "This page starts a worker and a request whose response it never reads, and its text changes after four and a half seconds."; setTimeout(() => { app.textContent = "The text changed." }, 4500)`,
  ),
  "floods-console": rendered(
    `for (let i = 0; i < 3000; i++) console.error("x".repeat(500) + i); document.querySelector("#app").textContent = "This page has written three thousand long messages to its console."`,
  ),
  "changes-built-ins": rendered(
    `document.querySelector("#app").innerHTML = '<form name="documentElement"></form><form name="doctype"></form><p>Only a browser can read this sentence, and the names of forms hide properties of the document.</p>'; const lie = { get: () => "a lie" }; Object.defineProperty(Element.prototype, "outerHTML", lie); Object.defineProperty(Document.prototype, "documentElement", lie); XMLSerializer.prototype.serializeToString = Reflect.apply = lie.get`,
  ),
  "sees-itself": rendered(
    `document.querySelector("#app").textContent = "The page sees itself as " + [innerWidth, innerHeight, devicePixelRatio, visualViewport.scale, document.body.getBoundingClientRect().right > 640, matchMedia("(width: 1280px)").matches].join(" ") + "."`,
  ),
  noise: `<!doctype html><html><body><canvas width="600" height="600"></canvas><script>const canvas = document.querySelector("canvas").getContext("2d"), image = canvas.createImageData(600, 600); let seed = 1; for (let i = 0; i < image.data.length; i++) image.data[i] = i % 4 === 3 ? 255 : (seed = (seed * 16807) % 2147483647) & 255; canvas.putImageData(image, 0, 0);</script></body></html>`,
  "tall-noise": `<!doctype html><html><body style="margin:0"><canvas width="1280" height="16384"></canvas><script>const canvas = document.querySelector("canvas").getContext("2d"), image = canvas.createImageData(1280, 512), words = new Uint32Array(image.data.buffer); let seed = 1; for (let y = 0; y < 16384; y += 512) { for (let i = 0; i < words.length; i++) { seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5; words[i] = seed | 0xff000000; } canvas.putImageData(image, 0, y); }</script></body></html>`,
  // Without a countermeasure, the next two pages make the browser send DevTools messages of more than 32 MiB.
  "large-post": large("fetch('agent', { method: 'POST', body: new Uint8Array(36e6) })"),
  "large-data-image": large(
    "new Promise((done) => { const image = new Image(); image.onload = image.onerror = done; image.src = 'data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\">' + ' '.repeat(36e6) + '</svg>'; document.body.append(image); })",
  ),
  "endless-workers": `<!doctype html><html><body><p>This page starts one worker after another.</p><script>const url = URL.createObjectURL(new Blob(["setInterval(() => {}, 1000)"])); setInterval(() => new Worker(url), 5);</script></body></html>`,
  "endless-requests": `<!doctype html><html><body><p>This page sends requests forever.</p><script>(async () => { for (let i = 0; ; i++) await Promise.allSettled(Array.from({ length: 20 }, (_, j) => fetch("agent?" + i + "." + j))); })();</script></body></html>`,
  "with-dialog": rendered(
    `alert("Stop here"); document.querySelector("#app").textContent = "After the dialog, the page goes on as if nothing had happened."`,
  ),
  "with-pictures": `<!doctype html><html><body><article><h1>Pictures</h1><p>A page with a picture. The site logs the request for it.</p><img src="picture" onerror="this.remove()" alt="a picture"></article></body></html>`,
  described: `<!doctype html><html lang="pl"><head><title>Log | Harbour</title><base href="/deep/">
<meta property="og:title" content="The harbour's log"><meta property="og:site_name" content="Harbour"><link rel="icon" href="icon.png">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"The log of the harbour","author":{"name":"A. Keeper"},"datePublished":"2026-11-20T08:00:00+01:00"}</script>
</head><body><nav><a href="/home" rel="home">Home</a></nav><main><h1>The log</h1><div id="notice"><p>A notice that is repeated on every page.</p></div>
<div class="log"><p>The first entry of the log, see <a href="page">the page</a>.</p></div><div class="log"><p>The second entry of the log, see <a href="page">again</a> and <a href="#top">above</a>.</p></div></main></body></html>`,
  "begins-a-download": `<!doctype html><html><head><meta http-equiv="refresh" content="0; url=type?type=application/zip&body=PK"></head><body><p>Your download begins in a moment.</p></body></html>`,
  refresh: `<!doctype html><html><head><meta http-equiv="refresh" content="1; url=article"></head><body>Moving.</body></html>`,
  "refresh-after-seconds": `<!doctype html><html><head><meta http-equiv="refresh" content="5; url=article"></head><body><p id="moving">Moving.</p></body></html>`,
  tall: `<!doctype html><html><body style="margin:0"><div style="height:3000px;background:linear-gradient(red,blue)">tall</div></body></html>`,
  "many-sheets": `<!doctype html><html><body><div style="height:400000px">A very tall page</div></body></html>`,
  // 33,000 nested elements.
  "many-elements": `<!doctype html><html><body style="margin:0;background:#fff">${`${"<div>".repeat(30)}${"<i>x</i>".repeat(500)}${"</div>".repeat(30)}`.repeat(60)}</body></html>`,
  // The script removes almost all of a page of 1.2 MB.
  shrinking: `<!doctype html><html><body><p>A small page.</p><p id="all">${"large ".repeat(200_000)}</p><script>all.remove()</script></body></html>`,
  // The names of the fields are also names of members of the form.
  "masked-form": `<!doctype html><html><body style="margin:0;background:#fff"><form class="cookie-consent" style="position:fixed;left:0;top:0;width:200px;height:100px;background:#f00">${["style", "matches", "getAttribute", "querySelector", "querySelectorAll", "getBoundingClientRect", "getRootNode"].map((name) => `<input type="hidden" name="${name}">`).join("")}<p>We use cookies</p><button>Accept</button></form></body></html>`,
  // The element #card is red, 200 × 100 px, and below the visible part. Its image is loaded when the page is scrolled to it.
  parts: `<!doctype html><html><body style="margin:0;background:#fff"><h1>Parts</h1><p>A page with a card far below its headline.</p><div id="note" style="position:absolute;left:0;top:0;width:50px;height:50px;background:#0f0"></div><div style="height:3000px"></div><div id="card" style="width:200px;height:100px;background:#f00"><img src="picture" loading="lazy" alt="late"></div><p id="gone" style="display:none">Not displayed</p><div id="huge" style="width:20000px;height:50px"></div></body></html>`,
  // A page with a blue article, a green header, a consent box with its backdrop, and a dialog. It can't be scrolled.
  banners: `<!doctype html><html><head><style>html,body,h1{margin:0}html,body{height:100%;overflow:hidden}article{background:#00f;height:3000px;color:#fff}header{position:sticky;top:0;height:40px;background:#0f0}.note{position:fixed;left:0;right:0;bottom:0;height:200px;background:#f00}.dim{position:fixed;inset:0;background:rgba(0,0,0,0.5)}.ask{position:fixed;left:300px;top:300px;width:400px;height:200px;background:#f00}.chat{position:fixed;right:0;top:100px;width:60px;height:60px;background:#ff0}</style></head><body><header>Harbor news</header><article><h1>The tide</h1><p>The tide comes in twice a day, and the keeper of the harbor writes its height in a book.</p></article><div class="dim"></div><div class="note"><p>We use cookies and similar technologies to improve your visit, together with our partners.</p><button>Accept all</button> <button>Reject</button></div><div class="ask" role="dialog" aria-modal="true"><p>Subscribe to our letter</p><button>No, thanks</button></div><div class="chat">Chat</div></body></html>`,
  abroad: `<!doctype html><html><head><link rel=preconnect href="/"><link rel=stylesheet href="style"></head><body><article><h1>Abroad</h1><pre id=report>nothing</pre></article><iframe src="echo?frame"></iframe><script type=module>
    const report = [];
    const echo = async (...args) => (await fetch("echo", ...args)).json();
    const heard = (worker) => new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });
    const note = async (name, asking) => report.push(name + ": " + await asking.catch((error) => "" + error));
    await echo();
    await note("cookies", echo().then(({ headers }) => headers.cookie));
    await note("cookies for scripts", Promise.resolve(document.cookie));
    await note("post", echo({ method: "POST", headers: { "x-own": "1" }, body: "ü".repeat(100_000) }).then(({ method, headers, body }) => [method, headers["x-own"], body.length, body[99_999]]));
    await note("form", echo({ method: "POST", body: new URLSearchParams({ a: "b c" }) }).then(({ body }) => body));
    await note("redirected", fetch("redirect?to=echo").then(({ url, redirected }) => [new URL(url).pathname.split("/").at(-1), redirected]));
    await note("bytes", fetch("pixels").then((answer) => answer.blob()).then(createImageBitmap).then(({ width, height }) => [width, height]));
    await note("gone", fetch("status?code=404").then(({ status }) => status));
    await note("reset", fetch("reset").then(() => "answered"));
    await note("worker", heard(new Worker("echo-worker.js")));
    await note("worker from a blob", heard(new Worker(URL.createObjectURL(new Blob(["fetch('" + new URL("echo", location) + "').then((a) => a.json()).then(({ method }) => postMessage(method))"])))));
    document.querySelector("#report").textContent = report.join("\\n");
  </script></body></html>`,
  "gives-up": rendered(
    `for (let i = 0; i < 3; i++) { const c = new AbortController(); fetch("never?" + i, { signal: c.signal }).catch(() => {}); setTimeout(() => c.abort(), 100); navigator.sendBeacon("never?beacon" + i); } setTimeout(() => fetch("echo").then((a) => a.json()).then(() => { document.querySelector("#app").innerHTML = "<article><h1>Rendered</h1><p>${sentence}</p></article>" }), 200)`,
  ),
  greedy: rendered(
    `Promise.allSettled(Array.from({ length: 300 }, (_, i) => fetch("echo?" + i))).then((all) => { document.querySelector("#app").textContent = "This page sent three hundred requests in parallel, and this many of them succeeded: " + all.filter(({ status }) => status === "fulfilled").length + "." })`,
  ),
  empty: "",
};
