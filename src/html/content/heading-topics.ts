/** The subjects of sections that headings name, in the most common languages. */
const TOPICS: Readonly<Record<string, RegExp>> = {
  related:
    /(?<= )(?:related|similar|recommend\w*|you (?:may|might|could|will|ll) (?:also )?\w+|also (?:like|viewed|bought|read|see)|more (?:from|like|on|in|about|to)|read (?:more|next)|up next|see also|further reading|keep (?:reading|exploring)|dig deeper|don t miss|complete the look|pairs? with|bought together|ähnlich\w*|verwandt\w*|mehr (?:zum|aus|von)|weitere|passend\w*|auch interessant|similaires?|associés?|relacionad\w+|similares|correlat\w+|podobne|powiązane|похожие|читайте)(?= )/u,
  popular:
    /(?<= )(?:popular|trending|latest|newest|recent|recently|featured|most (?:read|viewed|popular)|top (?:stories|picks|posts|articles)|best ?sellers?|what s (?:new|hot)|news|blog|neueste|aktuelle\w*|beliebt\w*|meistgelesen\w*|récents?|dernières?|últimas?|recientes|popularne|новости)(?= )/u,
  review:
    /(?<= )(?:reviews?|ratings?|testimonials?|customers? (?:say|love|stories)|what \w+ (?:\w+ )?(?:say|are saying|think)|feedback|trusted by|loved by|bewertungen|kundenstimmen|rezensionen|avis|opiniones|valoraciones|reseñas|recensioni|opinie|отзывы)(?= )/u,
  comment:
    /(?<= )(?:comments?|repl(?:y|ies)|responses?|discussion|join the conversation|leave a|kommentare?|commentaires?|comentarios?|commenti|komentarze|комментарии)(?= )/u,
  subscribe:
    /(?<= )(?:newsletters?|subscribe|sign ?up|stay (?:in touch|informed|connected|up to date|updated|in the know)|join (?:us|our|the)|get (?:updates|the latest|in touch|notified)|follow(?: us)?|never miss|abonnieren|anmelden|abonnez|suscríb\w+|iscriviti|подпи\w+)(?= )/u,
  share: /(?<= )(?:share|connect with|find us|social|teilen|partag\w+|compart\w+|condividi|поделиться)(?= )/u,
  contact:
    /(?<= )(?:contact|call (?:us|now)|visit us|locations?|our (?:offices?|locations?|address)|opening hours|hours|kontakt|anschrift|öffnungszeiten|contactez|contacto|contatti|контакты)(?= )/u,
  about:
    /(?<= )(?:about (?:us|the author|me|this|our)|the author|who we are|our (?:team|story|company|mission)|company|über uns|autor\w*|à propos|sobre nosotros|chi siamo|о нас)(?= )/u,
  filter:
    /(?<= )(?:filters?|filter by|sort(?: by)?|refine|categor\w+|browse|shop (?:by|all|now)|departments?|tags?|archives?|brands?|price|navigation|menu|kategorien?|catégories?|categorías?|kategorie)(?= )/u,
  help: /(?<= )(?:help|support|customer (?:service|care)|resources?|useful links|quick links|links|legal|policies|terms|privacy|cookies?|hilfe|rechtliches|impressum|aide|ayuda|pomoc|помощь)(?= )/u,
  shop: /(?<= )(?:shipping|delivery|returns?|payment|warranty|cart|bag|basket|wish ?list|availability|in stock|versand|lieferung|zahlung|livraison|envío|spedizione|dostawa|доставка)(?= )/u,
  detail:
    /(?<= )(?:details?|specifications?|specs|features?|overview|description|dimensions|ingredients|materials?|size(?: guide)?|what s (?:included|in the box)|highlights|produktdetails|technische daten|beschreibung|caractéristiques|características|descripción|opis|описание|характеристики)(?= )/u,
  contents:
    /(?<= )(?:(?:table of )?contents|on this page|in this (?:article|section|guide|page)|jump to|inhalt(?:sverzeichnis)?|sommaire|sumario|содержание)(?= )/u,
  sources:
    /(?<= )(?:references|notes|footnotes|sources|bibliography|external links|citations|einzelnachweise|weblinks|literatur|références|referencias|przypisy|примечания)(?= )/u,
  award:
    /(?<= )(?:awards?|partners?|clients?|customers|as seen|press|case studies|success stories|insights|stories|events?|webinars?|partenaires|kunden|socios|partnerzy|партнеры)(?= )/u,
};
const MAX_HEADING_CHARS = 80;

const KNOWN = Object.entries(TOPICS);

/** Returns the topics of a heading. A long heading is a title and has none. */
export function topicsOf(heading: string): string[] {
  if (heading.length > MAX_HEADING_CHARS) return [];
  const text = ` ${heading.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;
  return KNOWN.flatMap(([topic, pattern]) => (pattern.test(text) ? [topic] : []));
}
