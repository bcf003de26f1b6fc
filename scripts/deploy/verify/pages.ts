// Pages with scripts that test the browser. A public address returns them (`Targets.pages`), so they have to be short.
import type { Outcome, Service } from "./service.ts";

/** The length of the longest path that httpbin accepts. */
const MAX_PATH_CHARS = 4_000;
/** Base64 of `n++` and of `1`. */
const [COUNT, ONE] = ["bisr", "MQ=="];

export const SCRIPTS = 30;
export const FETCHES = 8;
/** The size of the noise. Noise can't be compressed, so the screenshot has about 3 bytes per pixel. */
export const NOISE = { width: 1_280, height: 4_000 };

/** Loads scripts one after another, and then fetches documents one after another. */
export const PARTS = `globalThis.n=0;for(let i=0;i<${SCRIPTS};i++)document.write('<script src="${COUNT}?'+i+'"><\\/script>');
await new Promise(r=>addEventListener("load",r));let f=0;
for(let i=0;i<${FETCHES};i++)f+=+(await(await fetch("${ONE}?"+i)).text());
return{scripts:n,fetches:f,ms:Math.round(performance.now())}`;

/** Fills the page with noise. */
export const LARGE = `out.style.display="none";document.body.style.margin=0;const c=document.createElement("canvas");
c.width=${NOISE.width};c.height=${NOISE.height};c.style.display="block";const x=c.getContext("2d"),
d=x.createImageData(c.width,c.height),w=new Uint32Array(d.data.buffer);let s=1;
for(let i=0;i<w.length;i++){s^=s<<13;s^=s>>>17;s^=s<<5;w[i]=s|0xff000000}
x.putImageData(d,0,0);document.body.append(c);return{}`;

/** Returns a script that requests `/json/version`, a path of Chrome's DevTools, from each host at each port. */
export function scanLoopback(hosts: string[], ports: number[]): string {
  return `const R=[],t=u=>fetch(u,{mode:"no-cors",signal:AbortSignal.timeout(4000)}).then(()=>R.push(u),()=>0);
await Promise.all(${JSON.stringify(hosts)}.flatMap(h=>${JSON.stringify(ports)}.map(p=>t("http://"+h+":"+p+"/json/version"))));
const s=globalThis.WebSocket?await new Promise(r=>{try{const s=new WebSocket("ws://127.0.0.1:9222/");
s.onopen=()=>r("reached");s.onerror=()=>r("refused");setTimeout(r,4000,"refused")}catch{r("refused")}}):"removed";
return{reached:R,sockets:s}`;
}

/** Returns a script that reads cookies and storage of earlier pages, and then stores the id of the run. */
export function readStorage(run: string): string {
  return `const l=localStorage.v??"",c=document.cookie;localStorage.v="${run}";document.cookie="v=${run}";
return{found:l+" "+c,stored:localStorage.v+" "+document.cookie}`;
}

/** Returns a script that reads the browser's User-Agent and the headers of its requests. */
export function readIdentity(headersUrl: string): string {
  return `return{agent:navigator.userAgent,headers:await fetch(${JSON.stringify(headersUrl)}).then(r=>r.text(),()=>"")}`;
}

/** Returns the URL of a page that runs the script and then contains its result. Throws if the script is too long. */
export function toPageUrl(pages: string, script: string): string {
  const html = `<!doctype html><title>Verification</title><body><pre id=out></pre><script>(async()=>{${script}})().catch(e=>({error:""+e})).then(r=>{out.textContent=encodeURIComponent(JSON.stringify(r));out.id="done"})</script>`;
  // The length must be a multiple of 3, because httpbin requires padding, and "=" isn't safe in every path.
  const url = pages + Buffer.from(html.padEnd(Math.ceil(html.length / 3) * 3)).toString("base64url");
  if (url.length > MAX_PATH_CHARS) throw new Error(`The page has a URL with ${url.length} characters.`);
  return url;
}

/** Renders a page with the script. `result` is null if the page has no result. */
export async function runScript<Result>(
  service: Service,
  { pages, script, formats = ["html"] }: { pages: string; script: string; formats?: string[] },
): Promise<{ outcome: Outcome; result: (Result & { error?: string }) | null }> {
  const request = { url: toPageUrl(pages, script), render: "always", wait_for: "#done", formats };
  const outcome = await service.scrape(request, { repeat: true });
  return { outcome, result: readResult(outcome.kind === "completed" ? (outcome.data.html ?? "") : "") };
}

/** Returns the result that the script wrote to the rendered page, or null. */
function readResult<Result>(html: string): (Result & { error?: string }) | null {
  const text = /<pre id="done"[^>]*>([^<]*)</.exec(html)?.[1];
  return text === undefined ? null : (JSON.parse(decodeURIComponent(text)) as Result & { error?: string });
}
