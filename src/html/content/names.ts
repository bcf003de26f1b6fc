import type { Element } from "domhandler";
import { ownString } from "../../lib/own-string";
import { wordsInName } from "../main-content/name-words";

/**
 * The purposes that ids and class names state, with the words that state them. A name is only evidence. It never decides
 * on its own whether a region is content.
 */
const PURPOSES = {
  account: "account guest login logout paywall signin",
  button: "action actions btn btns button buttons close cta ctas download buy learn submit toggle trigger",
  byline: "about auteur author authors autor avatar bio biography byline contributor profile publisher writer",
  caption: "attribution bildunterschrift caption captions credit credits figcaption legend photo photographer",
  card: "card cards carousel collection gallery grid hit list listing listings loop result results rows slick slide slider swiper tile tiles",
  code: "admonition callout cell code codehilite highlight hljs math pre prism snippet syntax table",
  comment:
    "comment commentform commentlist comments discussion disqus kommentar kommentare replies reply respond responses",
  consent: "accept cmp consent cookie cookies gdpr onetrust privacy",
  content: "article articlebody body contenido content entry entrycontent inhalt main postbody story",
  copyright: "copyright disclaimer disclosure impressum imprint legal policy terms",
  crumb: "breadcrumb breadcrumbs crumb crumbs",
  date: "date dateline duration published reading time timestamp updated",
  description:
    "abstract beschreibung dek desc description excerpt intro lead lede overview standfirst subhead subheader subheading subtitle summary synopsis",
  detail:
    "attribute attributes benefit benefits detail details dimensions feature features key option options properties property spec specification specifications specs swatch swatches technical value variant variants",
  embed: "audio embed iframe media player podcast tweet video youtube",
  event: "address calendar directions email event events hours location map phone schedule",
  faq: "accepted accordion answer answers collapsible expandable faq faqs qa question questions",
  footer: "bottombar colophon foot footer",
  form: "checkbox checkout contact field fields form gfield gform input quantity required select sublabel validation wpforms",
  forum:
    "badge badges bbcode conversation forum member message messagebody messages post postcontent poster posts quote rank thread topic user userbody userinfo username usertext vote votes",
  header: "branding header logo masthead sitename skip tagline toolbar topbar utility",
  hidden: "closed collapse collapsed hidden hide inactive invisible mobile noprint print screen sr srd tablet visually",
  icon: "badge chip emoji icon icons label pill svg symbol",
  links: "link linklist links",
  meta: "count entrymeta info meta metadata postmeta views",
  navigation:
    "drawer dropdown flyout hamburger mega megamenu menu menubar menus nav navbar navi navigation navlist offcanvas sitemap submenu subnav topnav",
  note: "danger hint important note tip tips warning",
  overlay:
    "alert dialog empty error lightbox loading message modal notice notification overlay popover popup snackbar toast tooltip",
  pages: "load next pagenav pager pagination paging prev previous",
  popular:
    "bestseller bestsellers featured feed latest news popular recent recently recents topstories trending viewed",
  product: "brand item items offerprice pdp price prices pricing product products sku",
  promotion:
    "ad ads adslot adv advert advertisement announcement app appstore banner banners campaign dfp donate donation download marketing offer offers promo promos promotion sponsor sponsored teaser teasers trial upgrade",
  recipe:
    "direction directions ingredient ingredients instruction instructions method nutrition preparation recipe rezept servings step steps tasty wprm zubereitung zutaten",
  related:
    "crosssell more morefrom outbrain readnext recirc recommend recommendation recommendations recommended related relacionadas relacionados similar suggest suggested taboola upsell upsells verwandt yarpp",
  review: "feedback quote quotes rating ratings review reviews stars testimonial testimonials",
  search:
    "country currency facet facets filter filters lang language refine search searchform selector sort sorter sorting switcher translate",
  section: "block column container module panel row section service services solution solutions wrapper",
  share:
    "addthis addtoany compartir facebook follow instagram linkedin partage pinterest share sharedaddy shares sharing social socials teilen twitter whatsapp",
  shop: "availability bag basket cart compare delivery financing payment returns shipping stock store stores warranty wishlist",
  sidebar: "aside complementary rail secondary sidebar textwidget widget widgets",
  signature: "sig signature signatures",
  subscribe:
    "abonnieren hsform mailchimp newsletter newsletters optin register registration signup subscribe subscription",
  tags: "categories category hashtag keywords labels tag tags taxonomy topics",
  text: "copy editor markdown paragraph prose rich richtext rte text txt words wysiwyg",
  title: "eyebrow headline heading hero jumbotron title titles",
  toc: "anchors jump tableofcontents toc",
} as const;

export type Purpose = keyof typeof PURPOSES;

const PURPOSE_NAMES = Object.keys(PURPOSES) as readonly Purpose[];

const PURPOSES_BY_WORD = new Map<string, Purpose[]>();
for (const purpose of PURPOSE_NAMES)
  for (const word of PURPOSES[purpose].split(" "))
    PURPOSES_BY_WORD.set(word, [...(PURPOSES_BY_WORD.get(word) ?? []), purpose]);

/** The words after one of these describe the surroundings of an element: `content-with-sidebar`, `no-comments`. */
const NEGATIONS: ReadonlySet<string> = new Set(
  "above after before below has hide hides is no non not show under with without".split(" "),
);
/** Longer names are generated and have no meaning. */
const MAX_NAME_CHARS = 60;

/** The purposes of the lists of classes that were read last. Most pages repeat the same classes in many elements. */
const KNOWN = new Map<string, readonly Purpose[]>();
const MAX_KNOWN = 2_000;
const MAX_KNOWN_CHARS = 200;

/** Returns the purposes that the id, the classes and the name of a custom element state. */
export function purposesOf({ name, attribs }: Element): readonly Purpose[] {
  const { class: classes, id, "data-testid": test } = attribs;
  const custom = name.includes("-") ? name : "";
  const ofClasses = classes ? purposesOfClasses(classes) : NO_PURPOSES;
  // Few elements share these names, so their purposes aren't remembered together with those of the classes.
  return id || test || custom ? withPurposes(ofClasses, `${id ?? ""} ${test ?? ""} ${custom}`) : ofClasses;
}

function purposesOfClasses(classes: string): readonly Purpose[] {
  const known = KNOWN.get(classes);
  if (known) return known;
  const purposes = withPurposes(NO_PURPOSES, classes);
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  if (classes.length <= MAX_KNOWN_CHARS) KNOWN.set(ownString(classes), purposes);
  return purposes;
}

/** Returns the given purposes, and those that the names state. */
function withPurposes(known: readonly Purpose[], names: string): readonly Purpose[] {
  let purposes: Purpose[] | null = null;
  for (const name of names.split(/\s+/))
    for (const purpose of purposesOfName(name)) {
      purposes ??= [...known];
      if (!purposes.includes(purpose)) purposes.push(purpose);
    }
  return purposes ?? known;
}

const NO_PURPOSES: readonly Purpose[] = [];
/** The purposes of single names. Elements with different lists of classes often share some of them. */
const KNOWN_NAMES = new Map<string, readonly Purpose[]>();
const MAX_KNOWN_NAMES = 5_000;

function purposesOfName(name: string): readonly Purpose[] {
  // Utility classes of Tailwind have brackets or colons: `[--sidebar-width:18rem]`, `md:hidden`.
  if (name === "" || name.length > MAX_NAME_CHARS || name.includes("[") || name.includes(":")) return NO_PURPOSES;
  const known = KNOWN_NAMES.get(name);
  if (known) return known;
  const purposes: Purpose[] = [];
  for (const word of wordsInName(name)) {
    if (NEGATIONS.has(word)) break;
    for (const purpose of PURPOSES_BY_WORD.get(word) ?? NO_PURPOSES) purposes.push(purpose);
  }
  if (KNOWN_NAMES.size >= MAX_KNOWN_NAMES) KNOWN_NAMES.clear();
  KNOWN_NAMES.set(ownString(name), purposes);
  return purposes;
}
