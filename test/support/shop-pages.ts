// The pages of the shop. See shop.ts.
const PRODUCTS_PER_PAGE = 12;
const PRODUCT_PAGES = 5;
export const PRODUCTS = PRODUCTS_PER_PAGE * PRODUCT_PAGES;

/** The color of the shop's pages, and of the consent banner that covers them. */
export const PAGE_COLOR = "#2e8b57";
export const BANNER_COLOR = "#b22222";

const ABOUT = "The shop sells instruments for small boats, and sends them to all harbors of the Baltic Sea.";

/**
 * Returns a page that loads an image, a script, data and a frame from the other host. `other` is the URL of the other
 * host's folder.
 */
export function toPage(title: string, content: string, other: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>body { margin: 0; background: ${PAGE_COLOR}; font: 16px sans-serif } li { height: 120px } .phone { display: none }
@media (max-width: 600px) and (pointer: coarse) { .phone { display: block } .wide { display: none } }</style>
</head><body><main><h1>${title}</h1>${content}<p>${ABOUT}</p></main>
<img src="${other}/pixel.gif" alt="" width="1" height="1"><script src="${other}/script.js"></script>
<iframe src="${other}/frame" width="10" height="10"></iframe>
<script>fetch("${other}/data.json", { credentials: "include" }).catch(() => {})</script></body></html>`;
}

export const HOME = `<p>Brass sextant, 320 EUR</p>
<div id="cookie-consent" class="cookie-banner" role="dialog" aria-modal="true" aria-label="Cookies" style="position:fixed;inset:0;z-index:9999;background:${BANNER_COLOR}">
<p>We use cookies to improve your experience. Do you accept all cookies?</p><button id="accept">Accept all</button></div>
<script>accept.onclick = () => document.querySelector("#cookie-consent").remove()</script>`;

export const LOGIN = `<form method="post"><label>Email <input id="email" name="email" type="email"></label>
<label>Password <input id="password" name="password" type="password"></label><button id="sign-in">Sign in</button></form>`;

export const ACCOUNT = `<p id="customer">Welcome back, Ada Lovelace.</p><h2>Your orders</h2>
<table><tr><th>Order</th><th>Item</th></tr><tr><td>1041</td><td>Brass sextant</td></tr><tr><td>1057</td><td>Tide clock</td></tr></table>`;

/** Returns the names of the products of one page of the list. Returns null after the last page. */
export function productsOf(page: number): string[] | null {
  if (page < 1 || page > PRODUCT_PAGES) return null;
  return Array.from(
    { length: PRODUCTS_PER_PAGE },
    (_, i) => `Product ${(page - 1) * PRODUCTS_PER_PAGE + i + 1} of ours`,
  );
}

/** The list with its first page. A script adds the next page each time the end of the list becomes visible. */
export const PRODUCT_LIST = `<ul id="list">${productsOf(1)
  ?.map((name) => `<li>${name}</li>`)
  .join("")}</ul><p id="end">Loading</p><script>
let next = 2, busy = false;
const end = document.querySelector("#end");
new IntersectionObserver(async (entries, observer) => {
  if (busy || !entries.some((entry) => entry.isIntersecting)) return;
  busy = true;
  const names = await (await fetch("products.json?page=" + next)).json();
  next++;
  busy = false;
  if (names === null) { observer.disconnect(); end.textContent = "No more products."; return; }
  document.querySelector("#list").insertAdjacentHTML("beforeend", names.map((name) => "<li>" + name + "</li>").join(""));
  observer.unobserve(end);
  observer.observe(end);
}).observe(end);
</script>`;

/**
 * Returns a page with several layouts. The headers of the request, the style sheet and the browser determine the
 * layout.
 */
export function toLayouts(variant: string): string {
  return `<p>The server sent the ${variant} layout.</p>
<p class="phone">The style sheet shows the phone menu.</p><p class="wide">The style sheet shows the wide menu.</p>
<p id="seen"></p><script>seen.textContent = "The browser has a window of " + innerWidth + " pixels, " +
(navigator.maxTouchPoints > 0 ? "a" : "no") + " touch screen, and is " + (navigator.userAgentData?.mobile ? "mobile." : "not mobile.")</script>`;
}

/** A button whose handler blocks the page for half a second. */
export const SLOW = `<button id="more" onclick="for (const end = Date.now() + 500; Date.now() < end;);">More</button>`;
