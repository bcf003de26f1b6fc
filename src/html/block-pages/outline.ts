import { Parser } from "htmlparser2";

/** A wall's own script may be large. */
const MAX_HTML_CHARS = 2 * 1_024 * 1_024;
const CHUNK_CHARS = 16 * 1_024;
const MAX_SOURCE_CHARS = 500;
const MAX_TITLE_CHARS = 500;
/** Of each end of an inline script. */
const MAX_SCRIPT_CHARS = 64 * 1_024;
/** The parser's time grows with the square of the depth. */
const MAX_DEPTH = 1_000;

/** What tells a wall from a page, without building a tree. */
export interface Outline {
  title: string;
  /** What a person would read, white space folded. */
  text: string;
  /** The same, with a line for each block. */
  lines: string;
  /** The ends of inline scripts that are run, one after the other. */
  scripts: string;
  /** Where scripts, frames, pictures and forms point to, and what a refresh leads to; one a line, cut. */
  sources: string;
  /** Where scripts come from alone. */
  scriptSources: readonly string[];
  /** Ids, classes and names of fields; not of buttons that a captcha is bound to. */
  names: ReadonlySet<string>;
  /** Something to solve: a field, a frame, a form or an empty box that is called a captcha. */
  hasChallenge: boolean;
  /** The captcha stands in a form. */
  isFormed: boolean;
  /** What is there to fill in or to choose, hidden fields and a captcha's aside. */
  fields: number;
  links: number;
  /** Parts that pages have and walls haven't. */
  sections: number;
}

const SILENT = new Set(["style", "template", "svg", "title", "script"]);
const INLINE = new Set(
  "a abbr b bdi big cite code em font i img kbd mark q s small span strong sub sup u var".split(" "),
);
const CAPTCHA_FIELD = /captcha|turnstile|verif|cf-|amzn|human|robot/i;
const FILLED = new Set("text email password tel search number url file date radio checkbox".split(" "));
const SECTIONS = new Set("nav article aside dl blockquote pre code".split(" "));
/** Types of scripts that hold data. */
const DATA = /json|importmap|speculation|template|html|markdown|shader/i;
const CHALLENGE = /captcha|turnstile|human-?(check|verif)/i;
const SOLVED = new Set("input iframe canvas form".split(" "));
const BOXES = new Set("div span section p".split(" "));
/** What a captcha that asks its reader nothing is bound to. */
const BOUND = new Set(["button", "input", "a"]);
const CAPTCHA_CLASS = /^(g-recaptcha|h-captcha|cf-turnstile)$/;

/** Null for a page that says more than `maxTextChars`, is large, or is nested beyond reason: no wall is so. */
export function toOutline(html: string, maxTextChars: number): Outline | null {
  if (html.length > MAX_HTML_CHARS) return null;
  const titles: string[] = [];
  const texts: string[] = [];
  const scripts: string[] = [];
  const sources: string[] = [];
  const scriptSources: string[] = [];
  const names = new Set<string>();
  const silent: string[] = [];
  const boxes: { depth: number; textChars: number }[] = [];
  let script: string[] = [];
  let [textChars, fields, links, sections, depth] = [0, 0, 0, 0, 0];
  let [forms, hasChallenge, isFormed] = [0, false, false];
  let isRun = true;
  const breakLine = () => texts.at(-1) !== "\n" && texts.push("\n");

  const parser = new Parser({
    onopentag(tag, attributes) {
      depth++;
      if (silent.length === 0 && !INLINE.has(tag)) breakLine();
      const own = namesOf(tag, attributes);
      for (const name of own) names.add(name);
      sources.push(...sourcesOf(tag, attributes));
      if (tag === "script" && attributes.src) scriptSources.push(attributes.src.slice(0, MAX_SOURCE_CHARS));
      if (tag === "a" && attributes.href) links++;
      if (SECTIONS.has(tag)) sections++;
      if (isFilled(tag, attributes.type) && !own.some((name) => CAPTCHA_FIELD.test(name))) fields++;
      if (tag === "form") forms++;
      if (own.some((name) => CHALLENGE.test(name))) {
        isFormed ||= forms > 0;
        hasChallenge ||= SOLVED.has(tag);
        if (BOXES.has(tag)) boxes.push({ depth, textChars });
      }
      if (SILENT.has(tag)) silent.push(tag);
      if (tag === "script") isRun = !DATA.test(attributes.type ?? "");
    },
    onclosetag(tag) {
      const box = boxes.at(-1);
      if (box?.depth === depth) {
        boxes.pop();
        hasChallenge ||= box.textChars === textChars;
      }
      depth--;
      if (tag === "form") forms--;
      if (tag === "script") {
        scripts.push(endsOf(script.join("")));
        script = [];
      }
      if (silent.at(-1) === tag) silent.pop();
      else if (silent.length === 0 && INLINE.has(tag)) texts.push(" ");
      else if (silent.length === 0) breakLine();
    },
    ontext(text) {
      const tag = silent.at(-1);
      if (tag === "title" && silent.length === 1) titles.push(text);
      else if (tag === "script" && isRun) script.push(text);
      else if (tag === undefined) {
        texts.push(text.replace(/\s+/g, " "));
        textChars += text.trim().length;
      }
    },
  });
  for (let at = 0; at < html.length; at += CHUNK_CHARS) {
    parser.write(html.slice(at, at + CHUNK_CHARS));
    if (textChars > maxTextChars || depth > MAX_DEPTH) return null;
  }
  parser.end();
  const said = texts.join("");
  return {
    title: fold(titles.join("").slice(0, MAX_TITLE_CHARS)),
    text: fold(said),
    lines: said
      .split("\n")
      .map(fold)
      .filter((line) => line !== "")
      .join("\n"),
    scripts: scripts.join("\n"),
    sources: sources.join("\n"),
    scriptSources,
    names,
    hasChallenge,
    isFormed,
    fields,
    links,
    sections,
  };
}

type Attributes = Readonly<Record<string, string>>;

/** None for what is invisible: a captcha that asks its reader nothing. */
function namesOf(tag: string, { id = "", class: classes = "", name = "", "data-size": size }: Attributes): string[] {
  if (size === "invisible") return [];
  const names = [id, name, ...classes.split(/\s+/)].filter((word) => word !== "");
  return BOUND.has(tag) ? names.filter((word) => !CAPTCHA_CLASS.test(word)) : names;
}

function sourcesOf(tag: string, { src, action, content, "http-equiv": equiv }: Attributes): string[] {
  const refresh = tag === "meta" && equiv?.toLowerCase() === "refresh" ? content : undefined;
  return [src, action, refresh].filter((source) => source !== undefined).map((url) => url.slice(0, MAX_SOURCE_CHARS));
}

function isFilled(tag: string, type: string | undefined): boolean {
  return tag === "textarea" || tag === "select" || (tag === "input" && FILLED.has(type?.toLowerCase() ?? "text"));
}

const endsOf = (script: string) =>
  script.length <= 2 * MAX_SCRIPT_CHARS
    ? script
    : `${script.slice(0, MAX_SCRIPT_CHARS)}\n${script.slice(-MAX_SCRIPT_CHARS)}`;

const fold = (text: string) => text.replace(/\s+/g, " ").trim();
