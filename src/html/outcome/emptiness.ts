import { findMountElement, hasContent, LOADING, requiresJavaScript, SCRIPT } from "../has-content";
import { charsIn, isLinkLine, readRegions, type TextLine, unlinkedCharsIn } from "../main-content/regions";
import { linesOutsideBoilerplate } from "../main-content/site-boilerplate";
import { saysRedirect, scriptRedirect } from "../meta-refresh";
import { hasSource, type Script, scriptsIn } from "../page/scripts";
import { bodyOf } from "../parse/document";
import { rawText } from "../parse/dom";
import type { OutcomeFacts } from "./outcome-facts";
import { PHRASES, quote } from "./phrases";

/** The outcome of a page without enough content. */
interface Emptiness {
  outcome: "needs_rendering" | "empty";
  reason: string;
}

/** A page with an empty mount element has less text than this. */
const MAX_CHARS_WITH_MOUNT = 250;
/** A page whose <noscript> requires JavaScript, or with placeholders for content, has less text than this. */
const MAX_CHARS_WITH_MARK = 200;
/** A page with an empty element of an unknown kind, or with a loading message, has less text than this. */
const MAX_CHARS_WITH_HINT = 60;
/** Links such as "Skip to content" aren't content. A page with more links is a list of links. */
const MAX_SKIP_LINKS = 3;
const MAX_REQUEST_CHARS = 400;
/** The header, the footer and the consent box of a shell have at most this much prose. */
const MAX_SITE_PROSE_CHARS = 500;
/** Hidden text of at least this length is content, because the output contains it if nothing else is visible. */
const MIN_HIDDEN_CHARS = 1_000;
/** A loading message is short. */
const MAX_LOADING_CHARS = 120;
const MIN_NOSCRIPT_CHARS = 400;
/** A line with a sentence of a few words. */
const SENTENCE = /^.{20,}[.!?]$|^.{8,}[。！？]$/u;
const SKELETON = /(?:^|[\s_-])(?:skeleton|shimmer|placeholder-(?:glow|wave)|content-loader)(?=$|[\s_-])/i;
const SPINNER = /(?:^|[\s_-])(?:spinner|preloader|loading)(?=$|[\s_-])/i;
/** A placeholder of a template that scripts fill, such as "{{ product.name }}". */
const TEMPLATE = /\{\{[^{}]*\}\}|\[\[[^[\]]*\]\]|<%[^%]*%>/g;

const MAX_CODE_CHARS = 20_000;
/** Addresses and code of analytics, advertisements, consent tools and libraries, which add no content. */
const NO_CONTENT =
  /googletagmanager|google-analytics|gtag\(|dataLayer|googlesyndication|adsbygoogle|doubleclick|fbevents|fbq\(|connect\.facebook|hotjar|clarity\.ms|matomo|piwik|_paq|plausible|umami|mc\.yandex|ym\(|metrika|hm\.baidu|cnzz|segment\.(?:com|io)|mixpanel|hs-scripts|hs-analytics|linkedin\.com|licdn|snap\.|pinimg|bat\.bing|newrelic|nr-data|sentry|cloudflareinsights|cdn-cgi|cookiebot|onetrust|cookielaw|usercentrics|didomi|quantcast|\/(?:jquery|modernizr|bootstrap|polyfill|respond|html5shiv|webfont|fontawesome)[^/]*\.js|wp-includes|wp-emoji|_wpemoji|recaptcha|__doPostBack|theForm|WebForm_/i;
const DATA = /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|speculationrules|importmap|text\/(?:template|html|x-))/i;

/** Returns the outcome of a page without enough content. Returns null for a page with content. */
export function findEmptiness(facts: OutcomeFacts): Emptiness | null {
  const { page, lines, response } = facts;
  const isRedirect =
    !response.rendered &&
    (scriptRedirect(page.html, page.document, response.url) !== null ||
      (saysRedirect(page.html, page.document) && canFillPage(page.html)));
  if (isRedirect) return { outcome: "needs_rendering", reason: "The page only redirects with a script." };
  if (hasContent(page) || (lines.length === 0 && facts.elements.media > 0)) return null;
  const isAbout = facts.names.some((text) => /java\s?script/i.test(text));
  const request = isAbout ? undefined : lines.find(({ text }) => requiresJavaScript(text.slice(0, MAX_REQUEST_CHARS)));
  if (request !== undefined && facts.unlinkedChars - request.length <= MAX_CHARS_WITH_MARK)
    return {
      outcome: "needs_rendering",
      reason: `The page tells readers to enable JavaScript: ${quote(request.text)}.`,
    };
  if (hasHiddenContent(facts)) return null;
  return response.rendered ? findEmptyRender(facts) : findShell(facts);
}

function findEmptyRender({ page, content, lines, unlinkedChars }: OutcomeFacts): Emptiness | null {
  const loading = findLoading(content);
  if (loading !== undefined && unlinkedChars - loading.length <= MAX_CHARS_WITH_HINT)
    return { outcome: "empty", reason: `The rendered page shows only ${quote(loading.text)}.` };
  if (lines.length === 0) return { outcome: "empty", reason: "The rendered page has no text." };
  if (content.length > 0 || findMountElement(page.document) !== "mount") return null;
  return { outcome: "empty", reason: "The rendered page has only its site's navigation." };
}

function findShell(facts: OutcomeFacts): Emptiness | null {
  const { page, content, lines, unlinkedChars } = facts;
  if (!SCRIPT.test(page.html) || (lines.length === 0 && !canFillPage(page.html)))
    return lines.length === 0 ? { outcome: "empty", reason: "The page has no text, data or images." } : null;
  const siteProse = charsIn(lines.filter(({ isProse }) => isProse));
  const reason =
    findShellMark(facts) ??
    (content.every(isLinkLine) && content.length <= MAX_SKIP_LINKS && siteProse <= MAX_SITE_PROSE_CHARS
      ? "has no content until its scripts run"
      : null);
  if (reason !== null) return { outcome: "needs_rendering", reason: `The page ${reason}.` };
  const mount = findMountElement(page.document);
  if (mount !== "mount" && showsSomething(facts)) return null;
  const maxChars = mount === "mount" ? MAX_CHARS_WITH_MOUNT : MAX_CHARS_WITH_HINT;
  if (mount === "none" || unlinkedChars > maxChars) return null;
  if (mount === "unknown" && content.some(({ text }) => SENTENCE.test(text))) return null;
  return { outcome: "needs_rendering", reason: "The page has an empty element that its scripts fill." };
}

/** Returns what a message or a placeholder says about content that scripts load later, or null. */
function findShellMark(facts: OutcomeFacts): string | null {
  const { content, unlinkedChars } = facts;
  if (hasOnlyTemplates(content)) return "has templates that its scripts fill";
  const loading = findLoading(content);
  if (loading !== undefined && unlinkedChars - loading.length <= MAX_CHARS_WITH_MARK)
    return `shows ${quote(loading.text)} until its scripts run`;
  if (unlinkedChars > MAX_CHARS_WITH_MARK) return null;
  const needsScripts = noscriptTexts(facts).some((text) => requiresJavaScript(text.slice(0, MAX_REQUEST_CHARS)));
  if (needsScripts && !showsSomething(facts)) return "tells readers to enable JavaScript";
  const isShell = SKELETON.test(facts.elements.names)
    ? facts.elements.media === 0
    : SPINNER.test(facts.elements.names) && !showsSomething(facts);
  return isShell ? "has placeholders for content that its scripts load" : null;
}

/** Returns true if the lines have placeholders of templates, and almost no other text. */
function hasOnlyTemplates(content: readonly TextLine[]): boolean {
  const texts = content.filter((line) => !isLinkLine(line)).map(({ text }) => text);
  if (!texts.some((text) => text.search(TEMPLATE) >= 0)) return false;
  return texts.reduce((sum, text) => sum + text.replace(TEMPLATE, "").trim().length, 0) <= MAX_CHARS_WITH_HINT;
}

/** Returns true if the page has an image, or several lines of text, which a shell doesn't have. */
function showsSomething({ content, elements }: OutcomeFacts): boolean {
  return elements.media > 0 || content.filter((line) => !isLinkLine(line)).length > 1;
}

/**
 * Returns true if elements that a script shows later, or a <noscript>, contain the text. The output contains this text
 * if nothing else is visible.
 */
function hasHiddenContent(facts: OutcomeFacts): boolean {
  const { page, lines, unlinkedChars } = facts;
  if (lines.length === 0 && noscriptTexts(facts).join("").length >= MIN_NOSCRIPT_CHARS) return true;
  const all = linesOutsideBoilerplate(readRegions(bodyOf(page.document), new Set()));
  return unlinkedCharsIn(all) - unlinkedChars >= MIN_HIDDEN_CHARS;
}

/** Returns the line with a loading message. A heading with a sentence below it isn't a loading message. */
function findLoading(content: readonly TextLine[]): TextLine | undefined {
  const loading = content.find(isLoading);
  const isTitle =
    (loading?.headingLevel ?? 0) > 0 && content.some((line) => line !== loading && SENTENCE.test(line.text));
  return isTitle ? undefined : loading;
}

function isLoading({ text }: TextLine): boolean {
  if (text.length > MAX_LOADING_CHARS) return false;
  return (
    (LOADING.test(text) && !PHRASES.emptiness.notLoading.test(text)) || PHRASES.emptiness.loadingEllipsis.test(text)
  );
}

function noscriptTexts({ head }: OutcomeFacts): string[] {
  return head.noscripts.map((element) => rawText(element).trim()).filter((text) => text !== "");
}

/** Returns true if the page has a script that may add content: one that isn't analytics, data or a common library. */
function canFillPage(html: string): boolean {
  const canFill = (script: Script) => {
    const { attributes, code } = script;
    if (DATA.test(attributes) || NO_CONTENT.test(`${attributes} ${code.slice(0, MAX_CODE_CHARS)}`)) return false;
    return hasSource(script) || code.trim() !== "";
  };
  return /<body\b[^<>]*\sonload\b/i.test(html) || scriptsIn(html).some(canFill);
}
