/** The element categories of https://html.spec.whatwg.org/#parsing-main-inbody that decide where an element ends. */

function names(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

export const VOID = names(
  "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
);

/**
 * The "special" category of the standard without void elements. The end tag of an inline element doesn't close them.
 */
export const SPECIAL = names(
  "address applet article aside blockquote body button caption center colgroup dd details dir div dl dt fieldset " +
    "figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup html iframe li listing main marquee menu " +
    "nav noembed noframes noscript object ol p plaintext pre script search section select style summary table tbody td " +
    "template textarea tfoot th thead title tr ul xmp",
);

export const FORMATTING = names("a b big code em font i nobr s small strike strong tt u");

/** Elements that end an open <p>. */
export const ENDS_PARAGRAPH = names(
  "address article aside blockquote center details dialog dir div dl dd dt fieldset figcaption figure footer form h1 h2 h3 " +
    "h4 h5 h6 header hgroup hr li listing main menu nav ol p plaintext pre search section summary table ul xmp",
);

export const HEADINGS = names("h1 h2 h3 h4 h5 h6");

/** Elements that an end tag from the outside doesn't close. */
export const SCOPE_ELEMENTS = names("applet caption html marquee object table td template th");

/** Elements whose children are only parts of a table. Other contents move in front of the table. */
export const TABLE_CONTEXT = names("table tbody tfoot thead tr");
export const TABLE_PARTS = names("caption col colgroup tbody td tfoot th thead tr");

/** Elements that end an <svg> drawing. */
export const ENDS_DRAWING = names(
  "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol " +
    "p pre ruby s small span strong strike sub sup table tt u ul var",
);

/** Returns true for the name of a table cell. */
export function isCellName(name: string): boolean {
  return name === "td" || name === "th";
}

/** Returns true for the name of a table section. */
export function isSectionName(name: string): boolean {
  return name === "tbody" || name === "thead" || name === "tfoot";
}

/** Elements that are left out with their contents. */
export const DROPPED = names("script style svg select iframe noembed noframes textarea canvas");
/** Form fields that are kept on request. */
export const FIELDS = names("select textarea");
export const METADATA = names("base link meta title script");
export const ENDS_SELECT = names("input keygen textarea select script");
