import type { Element } from "domhandler";

/**
 * Matches the headings of parts with other pages' subjects, such as “Related products”, in the languages whose names the
 * matching of properties knows.
 */
const RELATED_HEADING = new RegExp(
  [
    "\\brelated\\b|\\bsimilar\\b|\\brecommended\\b|\\brecommendations?\\b|\\byou (?:may|might|could|would|will)\\b|\\balso (?:bought|viewed|like|read|see|known for)|\\bcustomers (?:who|also|bought|viewed)|\\bbought together|\\brecently (?:viewed|added|posted)|\\bmore (?:from|by|like|in|articles|stories|news|recipes|products|jobs|events|items|to explore|great)\\b|\\b(?:other|further|additional) (?:products|jobs|events|recipes|articles|offers|items|stories|listings|models|sizes|positions|openings)|\\balternatives?\\b|\\baccessor(?:y|ies)\\b|\\bpeople also|\\b(?:read|up|what to \\w+) next\\b|\\b(?:most )?popular\\b|\\btrending\\b|\\bbest ?sellers?\\b|\\btop (?:picks|sellers|products|rated|stories)|\\b(?:latest|newest|featured) (?:products|articles|news|posts|recipes|jobs|events|stories|items|offers)|\\bsponsored\\b|\\badvertisement|\\bnearby\\b|\\bcomplete (?:the|your) \\w+|\\bpairs? (?:well )?with|\\bgoes (?:well )?with|\\bdon.t miss|\\bmost read|\\bupcoming events",
    "ähnlich|verwandt|empfehl|empfohlen|das könnte|auch interess|auch gefallen|kunden (?:kauf|sahen|haben|interess)|zuletzt angesehen|\\bweitere (?!informationen|details|angaben|infos)\\p{L}+|zubehör|alternativ|passend(?:e|es|er)? |beliebt|\\bmehr (?:zum thema|von|aus|rezepte|artikel|produkte)|\\bandere (?:kunden|produkte|artikel|angebote)|zusammen gekauft|auch gekauft|topseller|bestseller|neueste",
    "similaires?|connexes|\\bassociés?|recommand|vous (?:aimerez|pourriez|aimeriez)|également|à lire aussi|\\bautres? (?:produits|offres|articles|recettes|événements)|accessoires|récemment|populaires|\\bplus de |suggestions?",
    "relacionad|similares|semelhantes|recomend|también|também|te puede|\\b(?:otr[oa]s|outr[oa]s) |accesorios|acessórios|más (?:de|noticias|recetas|vendid)|mais (?:de|vendid)|populares|destacad",
    "correlat|\\bsimili\\b|consigliat|potrebber?o? |\\baltri |accessori|più (?:letti|venduti)|gerelateerd|vergelijkba|aanbevolen|anderen |meer (?:van|artikelen)|populair",
    "похож|рекоменд|с этим товаром|сопутств|аксессуар|популярн|други[ех]|смотрите также|podobne|powiązane|polecane|benzer|ilgili|önerilen|liknande|relaterade|rekommender",
    "相关|相關|推荐|推薦|猜你喜欢|関連|おすすめ|類似|他の",
  ].join("|"),
  "iu",
);
/** Matches the classes, ids and labels of such parts, and of other parts next to the content. */
const RELATED_NAME =
  /related|recommend|similar|up-?sells?\b|cross-?sells?\b|also[-_]?(?:bought|like|viewed)|recently[-_]?viewed|bought[-_]?together|outbrain|taboola|sponsor|(?:^|[\s_-])ads?(?:[\s_-]|$)|advert|verwandt|aehnlich|empfehl|relacionad|recomend|similaires|recommand|correlat|gerelateerd|breadcrumb|accessor(?:y|ies)|more[-_]?from|you[-_]?may/i;
/** Matches class names that describe what the page has around the element. */
const ABOUT_PAGE = /(?:^|[-_])(?:has|no|not|without|with|is|hide|show)[-_]/i;
const MAX_NAME_CHARS = 80;
const MAX_NAMES = 20;
/** Returns true for the heading of a part with other subjects, such as “You may also like”. */
export function isRelatedHeading(text: string): boolean {
  return RELATED_HEADING.test(text);
}

/** Returns true if the names of an element mark a part with other subjects. */
export function isNamedAside(element: Element): boolean {
  return namesOf(element).some((name) => RELATED_NAME.test(name) && !ABOUT_PAGE.test(name));
}

function namesOf({ name, attribs }: Element): string[] {
  const names = [...(attribs.class ?? "").split(/\s+/, MAX_NAMES), attribs.id ?? "", attribs["aria-label"] ?? ""];
  return [...names, name.includes("-") ? name : ""].filter((one) => one !== "" && one.length <= MAX_NAME_CHARS);
}
