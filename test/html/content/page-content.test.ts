import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

const MENU = ["Home", "News", "Boats", "Harbours", "Shop", "About us"]
  .map((word) => `<li><a href="/${word}">${word}</a></li>`)
  .join("");
const SITE = {
  header: `<header class="site-header"><nav><ul>${MENU}</ul></nav></header>`,
  footer: `<footer class="site-footer"><ul>${MENU}</ul><p>© 2026 Coast Media. All rights reserved.</p></footer>`,
};

function page(url: string, content: string, head = ""): { text: string; markdown: string; kind: string | undefined } {
  const html = `<html><head>${head}</head><body>${SITE.header}${content}${SITE.footer}</body></html>`;
  const {
    text = "",
    markdown = "",
    kind,
  } = convertHtml(html, { url, markdown: true, text: true, onlyMainContent: true });
  return { text, markdown, kind };
}

/** Returns two sentences about a boat. */
const about = (at: number) =>
  `I sailed boat ${at} from the old pier to the island last summer, and the wind was kind all day. What would you do?`;

describe("a thread of a forum", () => {
  const posts = Array.from(
    { length: 12 },
    (_, at) =>
      `<div class="comment" id="comment-${at}"><div class="comment-author"><a href="/user/${at}">sailor${at}</a></div><time datetime="2026-05-0${(at % 9) + 1}">May ${at + 1}, 2026</time><div class="comment-body"><p>${about(at)}</p><p>${about(at + 100)}</p></div><div class="comment-actions"><a href="/reply/${at}">Reply</a> <a href="/share/${at}">Share</a></div></div>`,
  ).join("");
  const thread = `<div class="content-with-sidebar"><main><h1>Which boat for the island?</h1><div class="comments">${posts}</div></main><aside class="sidebar"><h3>Latest threads</h3><ul>${MENU}</ul></aside></div>`;
  const url = "https://forum.coast.example/threads/which-boat.12/";
  const { text, markdown, kind } = page(url, thread);

  it("is recognized", () => {
    expect(kind).toBe("forum");
  });

  it("keeps all posts in order, although they are named comments", () => {
    const boats = [...text.matchAll(/boat (\d+) from/g)].map(([, number]) => Number(number));
    expect(boats).toEqual(Array.from({ length: 12 }, (_, at) => [at, at + 100]).flat());
  });

  it("has a rule between the posts", () => {
    const parts = markdown.split("\n\n---\n\n");
    expect(parts.map((part) => [...part.matchAll(/boat \d+ from/g)].length)).toEqual(Array(12).fill(2));
    expect(text).not.toContain("---");
  });

  it("has no rules between items of a list", () => {
    const items = thread.replaceAll('<div class="comment" ', '<li class="comment" ');
    expect(page(url, items).markdown).not.toContain("---");
    const inside = thread.replaceAll(
      /<div class="comment" (.*?Share<\/a><\/div><\/div>)/g,
      '<li><div class="comment" $1</li>',
    );
    expect(page(url, inside).markdown).toContain("boat 3 from");
    expect(page(url, inside).markdown).not.toMatch(/---|\*\*\*/);
  });

  it("has no rule before a quote with a date", () => {
    const quote = `<blockquote class="quote"><div>On May 1, 2026, anna said:</div><p>${about(500)}</p></blockquote>`;
    const quoting = thread.replaceAll('<div class="comment-body">', `<div class="comment-body">${quote}`);
    expect(page(url, quoting).markdown.split("\n\n---\n\n")).toHaveLength(12);
  });

  it("leaves out the site and its sidebar", () => {
    expect(text).not.toContain("Latest threads");
    expect(text).not.toContain("All rights reserved");
  });
});

it("keeps the short answers of a thread with a long log", () => {
  const log = `<pre><code>${"2026-05-03 10:09:38 ERROR [engine] The pump stopped.\n".repeat(200)}</code></pre>`;
  const texts = [
    `<p>${about(1)}</p><p>This is the log:</p>${log}`,
    `<p>${about(2)} It's the pump. Clean it, and start the engine again.</p>`,
    `<p>${about(3)} Thank you, that was it. The engine runs again.</p>`,
  ];
  const posts = texts.map(
    (text, at) =>
      `<div class="post"><div class="post-meta"><a href="/u/${at}">sailor${at}</a> <time>May ${at + 1}, 2026</time></div><div class="body">${text}</div></div>`,
  );
  const { text, kind } = page(
    "https://forum.coast.example/t/engine-stops/12",
    `<h1>The engine stops</h1><div class="posts">${posts.join("")}</div>`,
  );
  expect(kind).toBe("forum");
  expect(text).toContain("Clean it, and start");
  expect(text).toContain("The engine runs again");
});

describe("content in a <noscript>", () => {
  const posts = Array.from({ length: 10 }, (_, at) => `<article><p>${about(at)}</p></article>`).join("");

  it("is the content of a page that shows nothing else", () => {
    const { text } = page("https://a.example/t/boats/1", `<div id="app"></div><noscript>${posts}</noscript>`);
    expect(text).toContain("boat 0 from");
    expect(text).toContain("boat 9 from");
  });

  it("is left out if the page shows more", () => {
    const shown = Array.from({ length: 20 }, (_, at) => `<p>${about(at + 50)}</p>`).join("");
    const { text } = page("https://a.example/t/boats/1", `<main>${shown}</main><noscript>${posts}</noscript>`);
    expect(text).toContain("boat 50 from");
    expect(text).not.toContain("boat 9 from");
  });

  it("is left out if it only tells readers to turn on scripts", () => {
    const { text } = page(
      "https://a.example/",
      "<main><p>Boats</p></main><noscript>Please turn on scripts.</noscript>",
    );
    expect(text).not.toContain("turn on");
  });
});

describe("a recipe", () => {
  const ingredients = Array.from(
    { length: 9 },
    (_, at) => `<li class="wprm-recipe-ingredient"><span>${at + 1} cups</span> <span>flour ${at}</span></li>`,
  ).join("");
  const steps = Array.from({ length: 6 }, (_, at) => `<li><p>Mix bowl ${at} with the flour and wait.</p></li>`).join(
    "",
  );
  const recipe = `<main><h1>Harbour bread</h1><p>${about(1)}</p><p>${about(2)}</p><p>${about(3)}</p><div class="wprm-recipe-container"><ul class="wprm-recipe-ingredients-no-images">${ingredients}</ul><ol class="wprm-recipe-instructions">${steps}</ol></div></main>`;
  const { text, kind } = page(
    "https://food.example/harbour-bread/",
    recipe,
    '<script type="application/ld+json">{"@type":"Recipe","name":"Harbour bread"}</script>',
  );

  it("is recognized, and keeps its ingredients and steps", () => {
    expect(kind).toBe("recipe");
    for (let at = 0; at < 9; at++) expect(text).toMatch(new RegExp(`${at + 1} cups\\s+flour ${at}`));
    for (let at = 0; at < 6; at++) expect(text).toContain(`Mix bowl ${at}`);
  });
});

describe("a collection of products", () => {
  const cards = Array.from(
    { length: 24 },
    (_, at) =>
      `<li class="product-card"><a href="/products/lamp-${at}"><img src="/lamp-${at}.jpg" alt=""><h3>Tide lamp no. ${at}</h3></a><span class="price">$${20 + at}.00</span><button>Add to cart</button></li>`,
  ).join("");
  const shop = `<main><h1>Lamps</h1><p class="collection-description">Lamps made of driftwood by people of the coast.</p><ul class="product-grid">${cards}</ul></main>`;
  const { text, kind } = page("https://shop.example/collections/lamps", shop);

  it("is recognized, and keeps names and prices", () => {
    expect(kind).toBe("collection");
    for (let at = 0; at < 24; at++) {
      expect(text).toContain(`Tide lamp no. ${at}`);
      expect(text).toContain(`$${20 + at}.00`);
    }
  });
});

describe("a headline", () => {
  function markdownOf(content: string): string {
    const html = `<html><head><title>Island tours</title></head><body>${SITE.header}${content}${SITE.footer}</body></html>`;
    const options = { url: "https://coast.example/services/tours", text: false, onlyMainContent: true };
    return convertHtml(html, { ...options, markdown: true }).markdown ?? "";
  }

  const tours = Array.from(
    { length: 25 },
    (_, at) => `<div class="service"><h3>Tour ${at}</h3><p>${about(at)}</p></div>`,
  ).join("");

  it("is returned once if a second heading repeats it", () => {
    const markdown = markdownOf(
      `<main><h1>Island tours</h1><img src="/island.jpg" alt=""><h2>Island Tours</h2><p>${about(99)}</p>${tours}</main>`,
    );
    expect(markdown.match(/island tours/gi)).toHaveLength(1);
    expect(markdown).toContain("![](https://coast.example/island.jpg)");
    expect(markdown).toContain("### Tour 24");
  });

  it("is repeated by the heading of a later section", () => {
    const markdown = markdownOf(`<main><h1>Island tours</h1>${tours}<h2>Island tours</h2><p>${about(99)}</p></main>`);
    expect(markdown).toContain("## Island tours\n");
  });

  it.each([
    ["leaves out a button next to its text", "Island <b>tours</b><button>Copy link</button>"],
    ["keeps a button around its text", "<button>Island tours</button>"],
  ])("%s", (_, inside) => {
    const [first] = markdownOf(`<main><h1>${inside}</h1>${tours}</main>`).split("\n");
    expect(first?.replaceAll("*", "")).toBe("# Island tours");
  });
});

it("lists the headings of omitted sections, but not those of other pages", () => {
  const prose = `<p>${"The ferry leaves from the old pier each morning, whatever the weather. ".repeat(5)}</p>`;
  const html = `<main><h1>Ferry</h1>${prose}<h2>Prices</h2>${prose}</main>
    <aside><h2>About this site</h2>${prose}<h3><a href="/b">A story</a></h3><h2>${"x".repeat(300)}</h2></aside>`;
  const options = { url: "https://a.example/", markdown: true, text: false };
  expect(convertHtml(html, { ...options, onlyMainContent: true }).omitted).toEqual([
    "About this site",
    "x".repeat(200),
  ]);
  expect(convertHtml(html, { ...options, onlyMainContent: false }).omitted).toBeUndefined();
});
