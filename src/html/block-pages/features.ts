import { Parser } from "htmlparser2";

/** The maximum length of a page's HTML. The limit is high, because block pages may have large scripts. */
const MAX_HTML_CHARS = 2 * 1_024 * 1_024;
const CHUNK_CHARS = 16 * 1_024;
/** The maximum length of the text with boilerplate and links, as a multiple of the maximum length without them. */
const MAX_SITE_FACTOR = 4;
const MAX_SOURCE_CHARS = 500;
const MAX_TITLE_CHARS = 500;
/** The number of characters that are kept from each end of an inline script. */
const MAX_SCRIPT_CHARS = 64 * 1_024;
/** The maximum depth of nested elements. It's limited, because the parser's time grows with the square of the depth. */
const MAX_DEPTH = 1_000;

/** The features that distinguish block pages from ordinary pages. They're read without building a tree. */
export type PageFeatures = NonNullable<ReturnType<typeof readFeatures>>;

const SILENT = new Set(["style", "template", "svg", "title", "script"]);
const INLINE = new Set(
  "a abbr b bdi big cite code em font i img kbd mark q s small span strong sub sup u var".split(" "),
);
const CAPTCHA_FIELD = /captcha|turnstile|verif|cf-|amzn|human|robot/i;
const FILLED = new Set("text email password tel search number url file date radio checkbox".split(" "));
const BOILERPLATE = new Set(["nav", "header", "footer", "aside"]);
const SECTIONS = new Set("nav article aside dl blockquote pre code".split(" "));
/** The types of scripts that contain data and don't run. */
const DATA = /json|importmap|speculation|template|html|markdown|shader/i;
const LETTER = /[\p{L}\p{N}]/u;
const CHALLENGE = /captcha|turnstile|human-?(check|verif)/i;
const CHALLENGE_TAGS = new Set("input iframe canvas form".split(" "));
const BOXES = new Set("div span section p".split(" "));
/** The elements that can trigger an invisible captcha when they're clicked. */
const BOUND = new Set(["button", "input", "a"]);
const CAPTCHA_CLASS = /^(g-recaptcha|h-captcha|cf-turnstile)$/;

/** Reads the features of a page. Null if it has more than `maxTextChars` of text outside of links and boilerplate, or is too large or deep. */
export function readFeatures(html: string, maxTextChars: number) {
  if (html.length > MAX_HTML_CHARS) return null;
  const page = {
    /** The lines outside of the site's boilerplate that aren't only links. */
    outside: [] as string[],
    /** The URLs of scripts. Long URLs are cut. */
    scriptSources: [] as string[],
    /** The ids, class names and `name` attributes on the page. Leaves out invisible captchas. */
    names: new Set<string>(),
    /** True if a field, frame, canvas, form or empty box has the name of a captcha. */
    hasChallenge: false,
    /** True if an element with the name of a captcha is inside a form. */
    isInForm: false,
    /** The number of form fields for a person to fill in. Leaves out hidden fields, fields of captchas and boilerplate. */
    fields: 0,
    links: 0,
    /** The number of links outside of the site's boilerplate. */
    linksOutside: 0,
    /** The number of elements that only ordinary pages have, such as <nav> and <article>. */
    sections: 0,
  };
  const titles: string[] = [];
  const texts: string[] = [];
  const scripts: string[] = [];
  const sources: string[] = [];
  const silent: string[] = [];
  const boxes: { depth: number; textChars: number }[] = [];
  let script: string[] = [];
  let [textChars, contentChars, depth, forms, anchors, boilerplate] = [0, 0, 0, 0, 0, 0];
  let [unlinked, isRun, line] = [false, true, ""];
  const breakLine = () => {
    if (texts.at(-1) !== "\n") texts.push("\n");
    if (unlinked) page.outside.push(collapse(line));
    [unlinked, line] = [false, ""];
  };

  const parser = new Parser({
    onopentag(tag, attributes) {
      depth++;
      if (silent.length === 0 && !INLINE.has(tag)) breakLine();
      if (BOILERPLATE.has(tag)) boilerplate++;
      if (tag === "a") anchors++;
      const own = namesOf(tag, attributes);
      for (const name of own) page.names.add(name);
      sources.push(...sourcesOf(tag, attributes));
      if (tag === "script" && attributes.src) page.scriptSources.push(attributes.src.slice(0, MAX_SOURCE_CHARS));
      if (tag === "a" && attributes.href) {
        page.links++;
        if (boilerplate === 0) page.linksOutside++;
      }
      if (SECTIONS.has(tag)) page.sections++;
      if (boilerplate === 0 && isFilled(tag, attributes.type) && !own.some((name) => CAPTCHA_FIELD.test(name)))
        page.fields++;
      if (tag === "form") forms++;
      if (own.some((name) => CHALLENGE.test(name))) {
        page.isInForm ||= forms > 0;
        page.hasChallenge ||= CHALLENGE_TAGS.has(tag);
        if (BOXES.has(tag)) boxes.push({ depth, textChars });
      }
      if (SILENT.has(tag)) silent.push(tag);
      if (tag === "script") isRun = !DATA.test(attributes.type ?? "");
    },
    onclosetag(tag) {
      const box = boxes.at(-1);
      if (box?.depth === depth) {
        boxes.pop();
        page.hasChallenge ||= box.textChars === textChars;
      }
      depth--;
      if (tag === "a") anchors--;
      if (tag === "form") forms--;
      if (tag === "script") {
        scripts.push(endsOf(script.join("")));
        script = [];
      }
      if (silent.at(-1) === tag) silent.pop();
      else if (silent.length === 0 && INLINE.has(tag)) {
        texts.push(" ");
        line += " ";
      } else if (silent.length === 0) breakLine();
      if (BOILERPLATE.has(tag)) boilerplate--;
    },
    ontext(text) {
      const tag = silent.at(-1);
      if (tag === "title" && silent.length === 1) titles.push(text);
      else if (tag === "script" && isRun) script.push(text);
      else if (tag === undefined) {
        texts.push(text.replace(/\s+/g, " "));
        textChars += text.trim().length;
        if (boilerplate + anchors === 0) contentChars += text.trim().length;
        if (boilerplate === 0) line += text;
        unlinked ||= boilerplate + anchors === 0 && LETTER.test(text);
      }
    },
  });
  for (let at = 0; at < html.length; at += CHUNK_CHARS) {
    parser.write(html.slice(at, at + CHUNK_CHARS));
    if (contentChars > maxTextChars || textChars > MAX_SITE_FACTOR * maxTextChars || depth > MAX_DEPTH) return null;
  }
  parser.end();
  breakLine();
  const lines = texts.join("").split("\n").map(collapse);
  return {
    ...page,
    title: collapse(titles.join("").slice(0, MAX_TITLE_CHARS)),
    /** The visible text, with one line for each block. */
    lines: lines.filter((one) => one !== "").join("\n"),
    /** The visible text, with white space collapsed. */
    text: collapse(lines.join(" ")),
    /** The starts and ends of the inline scripts. Leaves out scripts that contain data. */
    scripts: scripts.join("\n"),
    /** The URLs of scripts, frames, images, forms and a meta refresh, one per line. Long URLs are cut. */
    sources: sources.join("\n"),
  };
}

type Attributes = Readonly<Record<string, string>>;

/** Returns the id, class names and `name` attribute of an element. Returns an empty list for an invisible captcha. */
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

const collapse = (text: string) => text.replace(/\s+/g, " ").trim();
