import { isForScreen } from "../css/media";

// The element categories of https://html.spec.whatwg.org/#parsing-main-inbody that decide where an element ends.

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

export const VOID = names(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);

/** The "special" category of HTML without void elements. The end of an inline element doesn't close one inside. */
export const SPECIAL = names(
  "address applet article aside blockquote body button caption center colgroup dd details dir div dl dt fieldset " +
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main marquee menu " +
    "nav noembed noframes noscript object ol p plaintext pre script search section select style summary table tbody td " +
    "template textarea tfoot th thead title tr ul xmp",
);

export const FORMATTING = names("a b big code em font i nobr s small strike strong tt u");

/** The elements whose start tag closes an open <p>. */
export const ENDS_PARAGRAPH = names(
  "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp",
);

export const HEADINGS = names("h1 h2 h3 h4 h5 h6");

/** The elements that limit a scope in HTML. An end tag inside can't close an element outside. */
export const SCOPE_ELEMENTS = names(
  "applet caption html marquee object table td template th mi mo mn ms mtext annotation-xml",
);

/** The elements that may contain only parts of a table. Other content is moved in front of the table. */
export const TABLE_CONTEXT = names("table tbody tfoot thead tr");
export const TABLE_PARTS = names("caption col colgroup tbody td tfoot th thead tr");

/** The elements whose start tag closes an <svg> or <math>. */
export const ENDS_DRAWING = names(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol " +
    "p pre ruby s small span strong strike sub sup table tt u ul var",
);

export function isCellName(name: string): boolean {
  return name === "td" || name === "th";
}

export function isSectionName(name: string): boolean {
  return name === "tbody" || name === "thead" || name === "tfoot";
}

/** The elements that are left out together with their contents. */
export const DROPPED = names("script style svg select iframe noembed noframes textarea canvas");
/** The elements whose contents are text without elements. */
export const LITERAL = names("plaintext textarea title xmp");
/** The elements that the tree keeps, and whose texts have no character references. */
export const RAW = names("plaintext script xmp");
/** The form fields that only `parsePage` keeps. */
export const FIELDS = names("select textarea");
export const METADATA = names("base link meta title script");
/** The elements that can be between the rows of a table besides its parts. */
export const IN_TABLE = names("script style template");
/** The elements of a formula that can contain HTML. */
export const HTML_IN_FORMULA = names("mi mo mn ms mtext annotation-xml");
/** The elements that don't end the <head>. */
export const IN_HEAD = names("base link meta noframes noscript script style template title");
export const ENDS_SELECT = names("input keygen textarea select script");

export type Attributes = Record<string, string>;
/** The types of scripts that contain metadata or formulas. */
const DATA_SCRIPT = /^\s*(?:application\/ld\+json|math\/)/i;
const FORMULA_SCRIPT = /^\s*math\//i;

export function isDataScript({ type = "" }: Attributes): boolean {
  return DATA_SCRIPT.test(type);
}

export function isFormulaScript({ type = "" }: Attributes): boolean {
  return FORMULA_SCRIPT.test(type);
}

export function isScreenStyle({ media = "", type = "" }: Attributes): boolean {
  return isForScreen(media) && /^\s*(?:text\/css\s*)?$/i.test(type);
}
