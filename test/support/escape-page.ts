/** Returns a page whose markup and scripts try to contact the forbidden host in many ways. */
export function escapePage(forbidden: string, udpPort: number, ownPath: string): string {
  const ws = forbidden.replace("http", "ws");
  return `<!doctype html><html><head>
<link rel=preconnect href="${forbidden}"><link rel=prefetch href="${forbidden}/prefetch"><link rel=preload as=script href="${forbidden}/preload">
<link rel=icon href="${forbidden}/icon"><link rel=manifest href="${forbidden}/manifest"><link rel=modulepreload href="${forbidden}/module">
<link rel=stylesheet href="${forbidden}/style">
<script type=speculationrules>{"prefetch":[{"urls":["${forbidden}/speculation-prefetch"],"eagerness":"immediate"}],"prerender":[{"urls":["${forbidden}/speculation-prerender"],"eagerness":"immediate"}]}</script>
</head><body>
<article><h1>Escape attempts</h1><p>This page tries each way in which a page can contact another host, and none of them may succeed.</p></article>
<iframe src="${forbidden}/frame"></iframe>
<iframe srcdoc="<script>new WebSocket('${ws}/srcdoc-ws')</script>"></iframe>
<iframe sandbox=allow-scripts srcdoc="<script>try { new WebSocket('${ws}/sandbox-ws') } catch {} fetch('${forbidden}/sandbox-fetch').catch(() => {})</script>"></iframe>
<img src="${forbidden}/image"><object data="${forbidden}/object"></object><video src="${forbidden}/video" autoplay></video>
<a id=ping href="#" ping="${forbidden}/ping">ping</a>
<script>
const attempt = (action) => { try { const result = action(); if (result && result.catch) result.catch(() => {}); } catch {} };
const stun = (Connection) => { const c = new Connection({ iceServers: [{ urls: "stun:127.0.0.1:${udpPort}" }] }); c.createDataChannel("x"); c.createOffer().then((offer) => c.setLocalDescription(offer)); };
const inWorker = "const attempt = (f) => { try { f() } catch {} }; fetch('${forbidden}/worker-fetch', { mode: 'no-cors' }).catch(() => {});"
  + "attempt(() => new WebSocket('${ws}/worker-ws')); attempt(() => new WebTransport('https://127.0.0.1:${udpPort}/worker')); attempt(() => importScripts('${forbidden}/worker-import'));"
  + "attempt(() => new Worker(URL.createObjectURL(new Blob([\\"new WebSocket('${ws}/nested-ws'); fetch('${forbidden}/nested-fetch', { mode: 'no-cors' })\\"]))))";
attempt(() => window.open("${forbidden}/window"));
attempt(() => window.open("${forbidden}/window-noopener", "_blank", "noopener"));
attempt(() => { const w = window.open("about:blank"); w.location = "${forbidden}/window-late"; w.eval("new WebSocket('${ws}/window-ws')"); });
attempt(() => new WebSocket("${ws}/websocket"));
attempt(() => new WebSocketStream("${ws}/websocket-stream"));
attempt(() => new WebTransport("https://127.0.0.1:${udpPort}/transport"));
attempt(() => stun(RTCPeerConnection));
attempt(() => stun(webkitRTCPeerConnection));
attempt(() => new EventSource("${forbidden}/event-source"));
attempt(() => navigator.sendBeacon("${forbidden}/beacon", "x"));
attempt(() => fetch("${forbidden}/keepalive", { keepalive: true, mode: "no-cors" }));
attempt(() => fetchLater("${forbidden}/fetch-later", { activateAfter: 0 }));
attempt(() => new Worker(URL.createObjectURL(new Blob([inWorker]))));
attempt(() => new Worker("${ownPath}/holes-worker.js"));
attempt(() => new SharedWorker("${ownPath}/holes-worker.js"));
attempt(() => navigator.serviceWorker.register("${ownPath}/holes-worker.js"));
attempt(() => { const f = document.createElement("iframe"); document.body.append(f); new f.contentWindow.WebSocket("${ws}/iframe-ws"); stun(f.contentWindow.RTCPeerConnection); });
attempt(() => { const f = document.createElement("iframe"); f.src = "javascript:new WebSocket('${ws}/javascript-url-ws')"; document.body.append(f); });
attempt(() => { const f = document.createElement("form"); f.action = "${forbidden}/form"; f.method = "post"; f.target = "_blank"; document.body.append(f); f.submit(); });
attempt(() => document.getElementById("ping").click());
const by = (name) => "${ownPath}/redirect?to=" + encodeURIComponent("${forbidden}/by-redirect-" + name);
attempt(() => fetch(by("fetch"), { mode: "no-cors" }));
attempt(() => { const x = new XMLHttpRequest(); x.open("GET", by("xhr")); x.send(); });
attempt(() => { for (const name of ["script", "iframe", "embed"]) { const e = document.createElement(name); e.src = by(name); document.body.append(e); } });
attempt(() => { const l = document.createElement("link"); l.rel = "stylesheet"; l.href = by("style"); document.head.append(l); });
attempt(() => { const s = document.createElement("style"); s.textContent = '@import "' + by("import") + '"; @import "${forbidden}/style-import";'; document.head.append(s); });
attempt(() => new Worker(by("worker")));
attempt(() => new Worker(URL.createObjectURL(new Blob(["importScripts('" + new URL(by("worker-import"), location.href) + "')"]))));
attempt(() => new EventSource(by("event-source")));
attempt(() => navigator.sendBeacon(by("beacon"), "x"));
attempt(() => import(by("module")));
attempt(() => { document.body.style.background = "url(${forbidden}/background)"; });
attempt(() => new FontFace("x", "url(${forbidden}/font)").load());
attempt(() => { const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({ prefetch: [{ urls: ["${forbidden}/speculation-by-script"], eagerness: "immediate" }] }); document.head.append(s); });
attempt(() => { const s = document.createElement("script"); s.type = "speculationrules"; s.textContent = JSON.stringify({ prefetch: [{ urls: ["${forbidden}/speculation-in-shadow"], eagerness: "immediate" }] }); const d = document.createElement("div"); document.body.append(d); d.attachShadow({ mode: "closed" }).append(s); });
attempt(() => navigator.credentials.get({ identity: { providers: [{ configURL: "${forbidden}/federated.json", clientId: "1" }] } }));
attempt(() => IdentityCredential.disconnect({ configURL: "${forbidden}/disconnect.json", clientId: "1", accountHint: "*" }));
</script>
<svg><script type="speculationrules">{"prefetch":[{"urls":["${forbidden}/speculation-in-svg"],"eagerness":"immediate"}]}</script></svg>
<div><template shadowrootmode="open"><script type="speculationrules">{"prefetch":[{"urls":["${forbidden}/speculation-declared"],"eagerness":"immediate"}]}</script></template></div>
</body></html>`;
}
