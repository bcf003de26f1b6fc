// Builds the pages of the documentation from docs/, in the order of docs/nav.json. The Worker adds the header and the
// footer (src/website/docs.tsx). The search runs in the browser (assets/website/docs.js).
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, normalize, resolve } from "node:path";
import { renderMermaidSVG } from "beautiful-mermaid";
import { Marked, type Token, type Tokens } from "marked";
import { escapeHtml, toCodeBlock } from "./docs-code.ts";

const PROJECT = resolve(import.meta.dirname, "..");
const MAX_DESCRIPTION_CHARS = 200;
const IMAGE = /^docs\/[\w-]+\.svg$/;
/** Pictures of the home page. The one for the dark scheme has `-dark` in its name instead of `-light`. */
const WEBSITE_PICTURE = /^assets(\/website\/[\w-]+\.webp)$/;

interface NavSection {
  title: string;
  /** True for pages that only operators and developers of the service need. */
  operators?: boolean;
  /** The label of each page in the navigation, by its file in docs/. */
  pages: Record<string, string>;
}

interface Heading {
  depth: number;
  text: string;
  id: string;
}

export interface DocsPage {
  /** The file relative to the project, such as `docs/api/scrape.md`. */
  file: string;
  /** The URL's path, such as `/docs/api/scrape`. */
  path: string;
  title: string;
  description: string;
  markdown: string;
  headings: Heading[];
  tokens: Token[];
}

export const NAV: readonly NavSection[] = JSON.parse(readFileSync(join(PROJECT, "docs/nav.json"), "utf8"));

/** The pages of the navigation, in order. Some are addresses of pages that the Worker makes. */
const LISTED = NAV.flatMap(({ pages }) => Object.keys(pages));
const NAV_FILES = LISTED.flatMap((name) => (name.startsWith("/") ? [] : `docs/${name}`));

/** The changelog has the frame of the documentation, and pages of evidence are only reached by links. */
const isListed = (file: string) => file !== "CHANGELOG.md" && !file.startsWith("docs/evidence/");

const isForOperators = (file: string) =>
  NAV.some(({ operators = false, pages }) => operators && file.replace("docs/", "") in pages);

/** Reads all pages. Throws if docs/nav.json and the files in docs/ don't match. */
export function readPages(): Map<string, DocsPage> {
  const files = readdirSync(join(PROJECT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`);
  const found = [...NAV_FILES, ...files.filter((file) => !NAV_FILES.includes(file)).sort(), "CHANGELOG.md"];
  for (const file of found) {
    if (isListed(file) && !NAV_FILES.includes(file)) throw new Error(`${file} isn't in docs/nav.json. Add it there.`);
    if (!existsSync(join(PROJECT, file))) throw new Error(`docs/nav.json lists ${file}, which doesn't exist.`);
  }
  return new Map(found.map((file) => [file, readPage(file)]));
}

function readPage(file: string): DocsPage {
  const markdown = readFileSync(join(PROJECT, file), "utf8");
  const tokens = new Marked().lexer(markdown);
  const seen = new Map<string, number>();
  const headings = tokens.filter(isHeading).map(({ depth, tokens: parts }) => {
    const text = toPlainText(parts);
    const slug = toSlug(text);
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return { depth, text, id: count === 0 ? slug : `${slug}-${count}` };
  });
  const first = tokens.find((token): token is Tokens.Paragraph => token.type === "paragraph");
  const description = first === undefined ? "" : toPlainText(first.tokens);
  return {
    ...{ file, path: toPath(file), markdown, headings, tokens },
    title: headings[0]?.text ?? file,
    description: /^.*?\.(?= |$)/s.exec(description.slice(0, MAX_DESCRIPTION_CHARS))?.[0] ?? description,
  };
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";

/** `docs/api/scrape.md` is served at `/docs/api/scrape`, and `docs/api/README.md` at `/docs/api`. */
function toPath(file: string): string {
  return `/${file.replace(/(?:\/README)?\.md$/, "")}`.toLowerCase();
}

/** Returns the id of a heading in GitHub's format. */
function toSlug(text: string): string {
  const kept = text.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "");
  return kept.replace(/\s/g, "-");
}

/** Returns the text of inline tokens without their marks. */
function toPlainText(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => {
      if ("tokens" in token && token.tokens !== undefined) return toPlainText(token.tokens);
      return "text" in token ? String(token.text) : "";
    })
    .join("");
}

/**
 * Returns the address of a link on the site, or null if the site doesn't have the file. Throws if the file or the anchor
 * doesn't exist.
 */
function resolveLink(href: string, page: DocsPage, pages: Map<string, DocsPage>): string | null {
  if (/^(?:[a-z]+:|\/)/.test(href)) return href;
  const [name = "", anchor] = href.split("#");
  const file = name === "" ? page.file : normalize(join(dirname(page.file), name));
  const target = pages.get(file);
  const problem = `${page.file} links to ${href}`;
  if (target !== undefined && anchor !== undefined && !target.headings.some(({ id }) => id === anchor))
    throw new Error(`${problem}, but ${file} has no heading #${anchor}.`);
  if (target !== undefined) return `${name === "" ? "" : target.path}${anchor === undefined ? "" : `#${anchor}`}`;
  if (file.startsWith("docs/") && !existsSync(join(PROJECT, file))) throw new Error(`${problem}, which doesn't exist.`);
  return IMAGE.test(file) ? `/${file}` : (WEBSITE_PICTURE.exec(file)?.[1] ?? null);
}

/**
 * Returns the article as HTML. The sections under the heading "Details" are collapsed. `addPicture` stores the picture of
 * a diagram and returns its path.
 */
function toArticle(page: DocsPage, pages: Map<string, DocsPage>, addPicture: (svg: string) => string): string {
  const headings = page.headings[Symbol.iterator]();
  let section = "";
  const renderer = new Marked({
    renderer: {
      code: ({ text, lang = "" }) =>
        lang === "mermaid" ? toFigure(toPicture(text), addPicture, `Diagram: ${section}`) : toCodeBlock(text, lang),
      heading({ depth, tokens }) {
        const { id = "", text = "" } = headings.next().value ?? {};
        section = text;
        const content = this.parser.parseInline(tokens);
        if (depth === 1) return `<h1 id="${id}">${content}</h1>\n`;
        const anchor = `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a>`;
        const heading = `<h${depth} id="${id}">${content} ${anchor}</h${depth}>\n`;
        return depth === 2 && text === "Details"
          ? `<details><summary><h2 id="${id}">Details</h2></summary>\n`
          : heading;
      },
      link({ href, title, tokens }) {
        const content = this.parser.parseInline(tokens);
        const target = resolveLink(href, page, pages);
        if (target === null) return content;
        return `<a href="${escapeHtml(target)}"${title ? ` title="${escapeHtml(title)}"` : ""}>${content}</a>`;
      },
      image({ href, text }) {
        const source = resolveLink(href, page, pages) ?? "";
        const picture = `<img src="${escapeHtml(source)}" alt="${escapeHtml(text)}" loading="lazy">`;
        if (!source.includes("-light.")) return picture;
        const dark = escapeHtml(source.replace("-light.", "-dark."));
        return `<picture><source media="(prefers-color-scheme: dark)" srcset="${dark}">${picture}</picture>`;
      },
      table(token) {
        const toCell = ({ tokens }: Tokens.TableCell, tag: string) =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const toRow = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map((cell) => toCell(cell, cell.text === "" ? "td" : tag)).join("")}</tr>`;
        const rows = token.rows.map((cells) => toRow(cells, "td")).join("\n");
        return `<div class="table" tabindex="0"><table><thead>${toRow(token.header, "th")}</thead><tbody>${rows}</tbody></table></div>\n`;
      },
    },
  });
  // A new heading of the second level ends the collapsed sections.
  const start = page.tokens.findIndex((token) => isHeading(token) && token.depth === 2 && token.text === "Details");
  if (start === -1) return renderer.parser(page.tokens);
  const length = page.tokens.slice(start + 1).findIndex((token) => isHeading(token) && token.depth <= 2);
  const end = length === -1 ? page.tokens.length : start + 1 + length;
  const parts = [page.tokens.slice(0, end), page.tokens.slice(end)].map((tokens) => renderer.parser(tokens));
  return parts.join("</details>\n");
}

/** Returns a Mermaid diagram as an SVG with the colors of the site's two schemes. */
function toPicture(diagram: string): string {
  const dark = "@media (prefers-color-scheme: dark) { svg { --bg: #191f28 !important; --fg: #e7ebf2 !important; } }";
  const svg = renderMermaidSVG(diagram, {
    bg: "#ffffff",
    fg: "#1a2230",
    muted: "var(--fg)",
    font: "system-ui",
    padding: 16,
    nodeSpacing: 16,
  });
  // The site loads no fonts from other servers.
  return svg.replace(/@import url\(.*\);/, dark);
}

/** Returns a picture that links to itself, because a diagram can be wider than the page. */
function toFigure(svg: string, addPicture: (svg: string) => string, alt: string): string {
  const path = addPicture(svg);
  const [, width, height] = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg) ?? [];
  // With its size, the picture doesn't move the text below when it loads.
  const size = `width="${Math.round(Number(width))}" height="${Math.round(Number(height))}"`;
  return `<p><a href="${path}"><img src="${path}" alt="${escapeHtml(alt)}" ${size} loading="lazy"></a></p>\n`;
}

interface Frame {
  path: string;
  /** The entries of the table of contents. */
  headings?: readonly Heading[];
  /** True if the page is also available as Markdown. */
  hasMarkdown?: boolean;
}

/** Returns the page without the header and the footer: the navigation, the article and its table of contents. */
function toFrame(
  article: string,
  pages: Map<string, DocsPage>,
  { path: current, headings = [], hasMarkdown = false }: Frame,
): string {
  const links = NAV.flatMap((section) =>
    Object.entries(section.pages).map(([name, label]) => {
      const path = name.startsWith("/") ? name : (pages.get(`docs/${name}`)?.path ?? "");
      return { section, path, label };
    }),
  );
  const toLink = ({ path, label }: { path: string; label: string }) =>
    `<li><a href="${path}"${path === current ? ' aria-current="page"' : ""}>${escapeHtml(label)}</a></li>`;
  const sections = NAV.map((section) => {
    const items = links.filter((link) => link.section === section).map(toLink);
    return `<h2>${escapeHtml(section.title)}</h2><ul>${items.join("")}</ul>`;
  });
  const at = links.findIndex(({ path }) => path === current);
  const toStep = (step: number, rel: string, label: string) => {
    const link = at === -1 ? undefined : links[at + step];
    return link === undefined
      ? ""
      : `<a rel="${rel}" href="${link.path}"><span>${label}</span> ${escapeHtml(link.label)}</a>`;
  };
  const contents = headings
    .filter(({ depth }) => depth === 2 || depth === 3)
    .map(({ depth, id, text }) => `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`);
  const hasContents = contents.length > 1;
  return `<div class="docs">
<div class="docs-side">
<div class="docs-bar">
<button type="button" class="docs-menu" popovertarget="docs-nav">Menu</button>
<button type="button" class="docs-search" aria-haspopup="dialog">Search <kbd>/</kbd></button>
${hasContents ? '<button type="button" class="docs-contents" popovertarget="docs-toc">On this page</button>' : ""}
</div>
<nav id="docs-nav" popover aria-label="Documentation">${sections.join("\n")}</nav>
</div>
<div class="docs-page">
<article>
${hasMarkdown ? `<a class="as-markdown" href="${current}.md">Markdown</a>` : ""}
${article}</article>
<nav class="steps" aria-label="Previous and next page">${toStep(-1, "prev", "Previous")}${toStep(1, "next", "Next")}</nav>
</div>
${hasContents ? `<nav id="docs-toc" popover aria-label="On this page"><h2>On this page</h2><ul>${contents.join("")}</ul></nav>` : ""}
<dialog id="docs-search-dialog" aria-label="Search the documentation">
<input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false">
<p role="status"></p>
<ul></ul>
</dialog>
</div>
`;
}

const NOT_FOUND = `<h1>Page not found</h1>
<p>The documentation has no page at this address. Use the navigation or the search, or go to the <a href="/docs">start page</a>.</p>
`;

/** The Worker replaces this comment with the error reference, because it makes it from the table of errors. */
const ERROR_REFERENCE = "<!-- error reference -->";

/** The paragraph under the first request of a page. The script changes it if the browser tab has a key. */
const KEY_NOTE = `<p class="key-note"><code>KEY</code> is your API key. After you <a href="/dashboard/keys/new?mode=test">create a test key</a>, the examples in the same browser tab contain it.</p>
`;

interface SearchSection {
  page: number;
  id: string;
  heading: string;
  text: string;
}

/** Returns the texts of a page by section, without its code blocks. */
function toSearchSections(page: DocsPage, number: number): SearchSection[] {
  const sections: SearchSection[] = [];
  let heading = 0;
  for (const token of page.tokens) {
    if (isHeading(token)) {
      const { id = "", text = "", depth = 1 } = page.headings[heading++] ?? {};
      sections.push({ page: number, id: depth === 1 ? "" : id, heading: text, text: "" });
      continue;
    }
    const last = sections.at(-1);
    if (last !== undefined) last.text = `${last.text} ${toProse(token)}`.trim();
  }
  return sections;
}

/** Returns the text of a block without code blocks. The cells of a table and the items of a list are separated. */
function toProse(token: Token): string {
  if (token.type === "table") {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((cells) => cells.map(({ tokens }) => toPlainText(tokens)).join(" · ")).join("\n");
  }
  if (token.type === "list")
    return (token as Tokens.List).items.map(({ tokens }) => tokens.map(toProse).join(" ")).join("\n");
  return token.type === "code" ? "" : toPlainText("tokens" in token ? token.tokens : [token]);
}

/** Returns the Markdown of a page with links that work at its address. Links to files that the site lacks become text. */
function toMarkdown(page: DocsPage, pages: Map<string, DocsPage>): string {
  return page.markdown.replace(
    /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
    (whole, image: string, label: string, href: string) => {
      if (/^(?:[a-z]+:|#)/.test(href)) return whole;
      const target = resolveLink(href, page, pages);
      const [path = "", anchor] = target?.split("#") ?? [];
      if (target === null) return label;
      const isPage = [...pages.values()].some((each) => each.path === path);
      return `${image}[${label}](${path}${isPage ? ".md" : ""}${anchor === undefined ? "" : `#${anchor}`})`;
    },
  );
}

/** Returns the generated files by their path in assets/. */
export function toSiteFiles(): Map<string, string | Uint8Array> {
  const pages = readPages();
  const files = new Map<string, string | Uint8Array>();
  const add = (path: string, title: string, description: string, html: string) =>
    files.set(`pages${path}.json`, JSON.stringify({ title, description, html }));
  for (const page of pages.values()) {
    let pictures = 0;
    const article = toArticle(page, pages, (svg) => {
      const path = `${page.path}-${++pictures}.svg`;
      files.set(path.slice(1), svg);
      return path;
    });
    const withNote = article.replace(
      /<div class="code"><div class="code-head"><span class="languages"[\s\S]*?<\/div>\n/,
      `$&${KEY_NOTE}`,
    );
    // The start page has a text about keys. A page that sets the variable uses it, and some need a live key.
    const shown =
      page.path === "/docs"
        ? article
        : /export(?:<\/span>)? KEY=/.test(article)
          ? article.replace(/<span data-key>(.*?)<\/span>/g, "$1")
          : withNote;
    add(page.path, page.title, page.description, toFrame(shown, pages, { ...page, hasMarkdown: true }));
    files.set(`pages${page.path}.md`, toMarkdown(page, pages));
  }
  add(
    "/404",
    "Page not found",
    "The documentation has no page at this address.",
    toFrame(NOT_FOUND, pages, { path: "/404" }),
  );
  const errorFrame = toFrame(ERROR_REFERENCE, pages, { path: "/docs/errors" });
  add("/docs/errors", "Errors", "The meaning of each error code, and what to do.", errorFrame);
  const listed = NAV_FILES.flatMap((file) => pages.get(file) ?? []);
  files.set(
    "pages/index.json",
    JSON.stringify(listed.map(({ path, title, description }) => ({ path, title, description }))),
  );
  const search = {
    pages: listed.map(({ file, path, title }) => ({ path, title, operators: isForOperators(file) })),
    sections: listed.flatMap(toSearchSections),
  };
  files.set("docs/search.json", JSON.stringify(search));
  files.set("llms-full.txt", toFullGuide());
  for (const name of readdirSync(join(PROJECT, "docs")))
    if (IMAGE.test(`docs/${name}`)) files.set(`docs/${name}`, readFileSync(join(PROJECT, "docs", name)));
  return files;
}

/** Returns the pages for users as one Markdown text. Its links lead to headings of the same text. */
export function toFullGuide(): string {
  const pages = [...readPages().values()].filter(({ file }) => NAV_FILES.includes(file) && !isForOperators(file));
  const byFile = new Map(pages.map((page) => [page.file, page]));
  const texts = pages.map(({ file, markdown }) =>
    markdown.replace(/!?\[([^\]]*)\]\(([^):#]*)(#[\w-]+)?\)/g, (_, label: string, name: string, anchor?: string) => {
      const target = byFile.get(name === "" ? file : join(dirname(file), name));
      return target === undefined ? label : `[${label}](${anchor ?? `#${toSlug(target.title)}`})`;
    }),
  );
  return `${texts.map((text) => text.trim()).join("\n\n")}\n`;
}

/** Writes the generated files that are out of date, and deletes those of pages that no longer exist. */
export function writeDocsSite(): void {
  const files = toSiteFiles();
  const assets = join(PROJECT, "assets");
  for (const [name, content] of files) {
    const path = join(assets, name);
    if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  const pages = join(assets, "pages");
  for (const name of readdirSync(pages, { recursive: true, encoding: "utf8" }))
    if (/\.\w+$/.test(name) && !files.has(`pages/${name}`)) rmSync(join(pages, name), { force: true });
}
