import { Parser } from "htmlparser2";

const MAX_HTML_CHARS = 512 * 1_024;
const CHUNK_CHARS = 16 * 1_024;
const MAX_SOURCE_CHARS = 500;
/** The parser's time grows with the square of the depth. */
const MAX_DEPTH = 1_000;

/** What tells a wall from a page, without building a tree. */
export interface Outline {
  title: string;
  /** What a person would read, white space folded. */
  text: string;
  /** Inline scripts, one after the other. */
  scripts: string;
  /** Where scripts, frames, pictures and forms point to, and what a refresh leads to; one a line, cut. */
  sources: string;
  /** Ids, classes and names of fields. */
  names: ReadonlySet<string>;
  /** Fields to fill in that aren't hidden, and no captcha's. */
  fields: number;
  links: number;
}

const SILENT = new Set(["style", "template", "svg", "title", "script"]);
const CAPTCHA_FIELD = /captcha|turnstile|verif|cf-|amzn/i;
const TYPED = new Set(["text", "email", "password", "tel", "search", "number", "url", "file", "date"]);

/** Null for a page that says more than `maxTextChars`, is large, or is nested beyond reason: no wall is so. */
export function toOutline(html: string, maxTextChars: number): Outline | null {
  if (html.length > MAX_HTML_CHARS) return null;
  const titles: string[] = [];
  const texts: string[] = [];
  const scripts: string[] = [];
  const sources: string[] = [];
  const names = new Set<string>();
  const silent: string[] = [];
  let [textChars, fields, links, depth] = [0, 0, 0, 0];

  const parser = new Parser({
    onopentag(tag, attributes) {
      depth++;
      const own = namesOf(attributes);
      for (const name of own) names.add(name);
      sources.push(...sourcesOf(tag, attributes));
      if (tag === "a" && attributes.href) links++;
      if (isTyped(tag, attributes.type) && !own.some((name) => CAPTCHA_FIELD.test(name))) fields++;
      if (SILENT.has(tag)) silent.push(tag);
    },
    onclosetag(tag) {
      depth--;
      if (silent.at(-1) === tag) silent.pop();
      else if (silent.length === 0) texts.push(" ");
    },
    ontext(text) {
      const tag = silent.at(-1);
      if (tag === "title" && silent.length === 1) titles.push(text);
      else if (tag === "script") scripts.push(text);
      else if (tag === undefined) {
        texts.push(text);
        textChars += text.trim().length;
      }
    },
  });
  for (let at = 0; at < html.length; at += CHUNK_CHARS) {
    parser.write(html.slice(at, at + CHUNK_CHARS));
    if (textChars > maxTextChars || depth > MAX_DEPTH) return null;
  }
  parser.end();
  return {
    title: fold(titles.join("")),
    text: fold(texts.join("")),
    scripts: scripts.join("\n"),
    sources: sources.join("\n"),
    names,
    fields,
    links,
  };
}

type Attributes = Readonly<Record<string, string>>;

/** None for what is invisible: a captcha that asks its reader nothing. */
function namesOf({ id = "", class: classes = "", name = "", "data-size": size }: Attributes): string[] {
  return size === "invisible" ? [] : [id, name, ...classes.split(/\s+/)].filter((word) => word !== "");
}

function sourcesOf(tag: string, { src, action, content, "http-equiv": equiv }: Attributes): string[] {
  const refresh = tag === "meta" && equiv?.toLowerCase() === "refresh" ? content : undefined;
  return [src, action, refresh].filter((source) => source !== undefined).map((url) => url.slice(0, MAX_SOURCE_CHARS));
}

function isTyped(tag: string, type: string | undefined): boolean {
  return tag === "textarea" || tag === "select" || (tag === "input" && TYPED.has(type?.toLowerCase() ?? "text"));
}

const fold = (text: string) => text.replace(/\s+/g, " ").trim();
