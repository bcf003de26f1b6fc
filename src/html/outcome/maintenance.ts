import { hasPrice } from "./ordinary-signs";
import type { PageFacts } from "./page-facts";
import { normalize, quote, says } from "./phrases";

const MAX_CHARS = 1_200;
const MAX_BRIEF_CHARS = 300;
/** A page with at most this much text may say only that it is under maintenance. */
const MAX_TINY_CHARS = 120;
const MAX_LINKS = 20;
const MAX_LINKS_OF_UNNAMED = 8;
const MAX_UNNAMED_CHARS = 800;
const MAX_LINES = 60;

/** Headings and titles of maintenance pages. */
const NAMES: readonly RegExp[] = [
  /^(?:sorry,? |oops,? )?(?:(?:we|our (?:site|website|store|shop))(?:'re| are|'ll be| will be| is)|(?:this |the )?(?:site|website|store|shop|service|page|system|server)(?: is)?|currently)? ?(?:currently |temporarily |now |down |closed |offline |undergoing |under |in |for |scheduled |planned |routine |system |site |website |server |essential )*maintenance(?: mode| in progress| break| page)?\W*$/,
  /^(?:\S+ ){0,2}we(?:'ll| will) be (?:right )?back (?:soon|shortly|online)\W*$|^be (?:right )?back soon\W*$|^(?:back soon|temporarily (?:unavailable|closed|offline|down))\W*$/,
  /^(?:wartung(?:sarbeiten|smodus)?|wir sind (?:gleich|bald) (?:wieder|zurück).*|(?:geplante|aktuelle) wartung(?:sarbeiten)?|(?:website|seite|shop) (?:im|in) wartung(?:smodus)?)\W*$/,
  /^(?:(?:site |page |service )?(?:en (?:cours de )?)?maintenance(?: en cours| programmée| du site)?|nous (?:serons|revenons) (?:bientôt|très bientôt|vite).*|de retour bientôt)\W*$/,
  /^(?:(?:sitio|página|web|tienda|servicio|estamos)? ?(?:web )?en mantenimiento|mantenimiento(?: programado| en curso)?|volvemos (?:pronto|enseguida)|volveremos (?:pronto|en breve))\W*$/,
  /^(?:(?:site|página|loja|sistema|estamos)? ?em manutenção|manutenção(?: programada| em andamento)?|(?:voltamos|voltaremos) (?:em breve|logo|já))\W*$/,
  /^(?:(?:sito|pagina|negozio|servizio|siamo)? ?(?:web )?in manutenzione|manutenzione(?: programmata| in corso)?|torniamo (?:subito|presto)|torneremo presto)\W*$/,
  /^(?:(?:website |site |gepland |tijdelijk )?(?:in )?onderhoud(?:smodus|swerkzaamheden)?|we zijn (?:zo|snel) terug|we zijn zo weer (?:terug|online))\W*$/,
  /^(?:(?:site(?:miz)?|sayfa|sistem|web sitemiz)?(?: şu (?:an|anda))? ?(?:planlı )?bakım(?:da|dayız|dadır| modu| çalışması| aşamasında(?:dır)?)?|(?:çok )?(?:yakında|kısa süre sonra) (?:döneceğiz|geri döneceğiz|buradayız))\W*$/,
  /^(?:(?:(?:на сайте )?(?:ведутся|проводятся|идут) )?(?:технические|профилактические|плановые) ?(?:технические )?работы(?: на сайте)?|сайт (?:временно недоступен|на (?:техническом )?обслуживании)|техническое обслуживание|мы скоро (?:вернемся|вернёмся))[^\p{L}\p{N}]*$/u,
  /^(?:przerwa techniczna|prace (?:techniczne|konserwacyjne|serwisowe)|(?:trwają )?prace (?:techniczne|konserwacyjne)|(?:strona|serwis|sklep) w (?:trakcie )?(?:konserwacji|przebudowie)|(?:zaraz|wkrótce|niedługo) wracamy)\W*$/,
  /^(?:ただいま|現在、?)?(?:システム|サーバー?|サイト)?(?:の)?(?:定期|緊急|臨時)?(?:メンテナンス)(?:中(?:です)?|のお知らせ|を実施しております)?[^\p{L}\p{N}]*$/u,
  /^(?:网站|系统|系統|網站|服务器|本站)?(?:正在)?(?:升级|升級|例行|停机|停機|系统|系統)?(?:维护|維護)(?:中|公告|通知)?[^\p{L}\p{N}]*$/u,
  /^(?:시스템|서버|서비스|사이트|홈페이지)? ?(?:정기 ?|긴급 ?|임시 ?)?(?:점검|유지 ?보수)(?: ?중(?:입니다)?| ?안내)?[^\p{L}\p{N}]*$/u,
];

/** Sentences that say that the site is closed for maintenance now. */
const SENTENCES: readonly RegExp[] = [
  /\b(?:site|website|store|shop|service|system|server|page|app|application|portal|platform|we)(?:'re| is| are|'s)?\b.{0,50}\b(?:down|undergoing|under|offline|unavailable|closed|performing|for|doing|carrying out)\b.{0,40}\b(?:maintenance|upgrades?|updates?)\b/,
  /\b(?:we(?:'re| are)|site is|website is) (?:currently |just )?(?:performing|doing|carrying out|making|working on) .{0,40}(?:maintenance|improvements?|updates?|upgrades?)\b/,
  /\b(?:we(?:'ll| will| should)|will|please|check) (?:be )?(?:right )?back (?:again )?(?:soon|shortly|online|later|in a (?:few|bit|moment))/,
  /\btemporarily (?:unavailable|down|offline|closed)\b.{0,60}\bmaintenance/,
  /\b(?:wartung|wartungsarbeiten|wartungsmodus)\b.{0,80}\b(?:nicht (?:erreichbar|verfügbar)|bald|gleich|kürze|später|offline)|(?:nicht (?:erreichbar|verfügbar)|offline|führen)\b.{0,80}wartung|in kürze wieder (?:für sie )?(?:da|erreichbar|verfügbar|online)|wegen wartungsarbeiten/,
  /\b(?:site|service|page)\b.{0,60}(?:en (?:cours de )?maintenance|indisponible)|opérations? de maintenance|serons? (?:bientôt )?de retour|revenez (?:bientôt|plus tard|dans)|pour (?:cause de )?maintenance/,
  /(?:sitio|página|web|tienda|servicio|estamos)\b.{0,60}(?:en|tareas de|labores de|por) mantenimiento|realizando (?:tareas|labores|trabajos) de|volvemos|volveremos|vuelve a intentarlo más tarde/,
  /(?:site|página|loja|sistema|estamos)\b.{0,60}(?:em|de|para) manutenção|voltaremos|voltamos|tente novamente mais tarde/,
  /(?:sito|pagina|negozio|servizio|siamo)\b.{0,60}(?:in|per|di) manutenzione|torneremo|torniamo|riprova (?:più tardi|tra)/,
  /(?:website|site|webshop|we)\b.{0,60}(?:onderhoud)|(?:zo|snel|spoedig) (?:weer )?(?:terug|online|bereikbaar)|wegens onderhoud/,
  /(?:site|sistem|sayfa|hizmet).{0,60}bakım|bakım çalışma|(?:kısa süre|yakında|birazdan).{0,30}(?:döneceğiz|hizmetinizde|yayında|buradayız)|daha sonra tekrar/,
  /(?:ведутся|проводятся|проводим|идут|связи с).{0,40}(?:технически|профилактически|плановы|обслуживани)|сайт временно (?:недоступен|не работает)|скоро (?:вернемся|вернёмся|заработает)|зайдите позже|приносим извинения/,
  /(?:strona|serwis|sklep|trwają|prowadzimy).{0,60}(?:konserwac|prac[ae] (?:techniczn|serwis)|przerw[ay] techniczn|niedostępn)|(?:zaraz|wkrótce|niedługo) (?:wracamy|wrócimy)|zapraszamy (?:później|wkrótce)/,
  /メンテナンス(?:中|を|のため|作業)|しばらく(?:お待ち|経って|たって)|ご利用いただけません|ご不便をおかけ/u,
  /(?:正在|进行|進行|系统|網站|网站).{0,12}(?:维护|維護|升级|升級)|(?:稍后|稍後|请稍|請稍)(?:再|候)|暂(?:时|停)(?:无法|服务|关闭)|暫(?:時|停)(?:無法|服務|關閉)/u,
  /(?:점검|유지 ?보수).{0,20}(?:중|진행|으로|인해|시간)|이용(?:이|에) ?(?:불가|제한|불편)|잠시 ?(?:후|만)|빠른 시간/u,
];

/** Words for the work on a site. */
const WORK =
  /maintenance|upgrad|we(?:'re| are) (?:updating|improving|migrating|moving)|wartung|gewartet|aktualisier|umbau|mantenimiento|mantención|actualiza|mejorando|manuten[çz]|atualiza|aggiornament|onderhoud|werkzaamheden|bakım|güncelle|техническ\S+ (?:работ|обслуж|перерыв)|профилактическ|обслуживани|обновлени|konserwac|prace (?:techn|serw|modern)|przerw\S+ techniczn|modernizac|aktualizac|メンテナンス|保守|维护|維護|升级|升級|점검|유지 ?보수|moving the database|relaunch|migrat|umzug|umgezogen|refonte|travaux|amélior|mejora|melhori|miglior|verbeter|verhui|yenileni|geliştir|улучш|переезд|ulepsz|przebudow|リニューアル|改修|改版|개편|개선|업데이트|mise à jour/u;
/** Says in a few words that a site is under maintenance. */
const STATE =
  /(?:under|down for|in|for|closed for) (?:\S+ )?maintenance|maintenance (?:mode|page|in progress|break)|en maintenance|en mantenimiento|em manutenção|in manutenzione|in (?:het )?onderhoud|wartungs(?:arbeiten|modus)|bakımda|bakım (?:modu|çalışm)|на (?:техническом )?обслуживании|технические работы|przerwa techniczna|prace (?:konserw|techn)|メンテナンス中|维护中|維護中|점검 ?중/u;
/** Words for the time until the site works again. */
const CLOSED =
  /unavailable|not available|(?:is|are) (?:currently |temporarily )?(?:down|offline|disabled)|temporarily closed|back (?:soon|shortly|online|later|in a)|be right back|check back|try again (?:later|in|soon|shortly)|nicht (?:erreichbar|verfügbar)|offline|in kürze|bald wieder|gleich wieder|wieder (?:da|online|für sie)|später (?:noch ?(?:ein)?mal|erneut|wieder)|indisponible|inaccessible|de retour|revenez|réessayer|pas (?:disponible|accessible)|no (?:está|se encuentra) disponible|fuera de servicio|volve|vuelva|vuelve|intente|intént|más tarde|restablec|indispon|fora do ar|volta|tente novamente|non (?:è |sarà )?(?:disponibile|raggiungibile|accessibile)|torne|torniamo|riprova|niet (?:beschikbaar|bereikbaar)|terug|probeer|erişil|hizmet (?:veremi|dışı)|kapalı|döneceğiz|tekrar (?:dene|ziyaret|deneyin)|недоступ|не работает|вернемся|вернёмся|заработает|зайдите|попробуйте|скоро|niedostępn|wracamy|wrócimy|spróbuj|zapraszamy|停止|ご利用(?:いただけ|になれ)|利用できません|お待ち|再開|暂停|暫停|无法(?:访问|使用)|無法|稍后|稍後|恢复|恢復|이용(?:이|을|에)? ?(?:불가|제한|할 수 없)|중단|일시|잠시|종료/u;
/** Says that a site or a service is temporarily out of service. */
const OUT_OF_SERVICE =
  /(?:site|website|page|service|system|server|portal|app|application|platform|shop|store|forum|board)s?\b.{0,40}\b(?:temporarily|briefly|currently) (?:unavailable|out of service|offline|down|closed|suspended|disabled)|temporarily (?:unavailable|out of service|offline|closed|down)\b.{0,60}(?:site|website|service|system|server|portal|app|platform)|(?:service|site|server) (?:is )?(?:temporarily )?unavailable|(?:experiencing|due to) technical (?:difficulties|problems|issues)|(?:seite|website|webseite|dienst|service|system|server|portal|shop|onlineshop|anwendung)\S*.{0,50}(?:vorübergehend|zurzeit|derzeit|momentan|gerade) (?:leider )?(?:nicht (?:erreichbar|verfügbar)|geschlossen|offline|außer betrieb)|(?:site|service|portail|application|boutique|page)\b.{0,50}(?:temporairement|momentanément|actuellement) (?:indisponible|fermée?|inaccessible|hors service|suspendue?)|(?:sitio|web|página|servicio|sistema|portal|tienda|aplicación)\b.{0,50}(?:temporalmente|momentáneamente) (?:fuera de servicio|no disponible|cerrad|suspendid|inactiv|deshabilitad)|(?:site|página|serviço|sistema|portal|loja|aplicativo)\b.{0,50}temporariamente (?:indisponível|fora|fechad|suspens)|(?:sito|pagina|servizio|sistema|portale|negozio)\b.{0,50}(?:temporaneamente|momentaneamente) (?:non (?:disponibile|raggiungibile)|chius|sospes|fuori)|(?:website|site|webshop|dienst|systeem|pagina)\b.{0,50}tijdelijk (?:niet (?:beschikbaar|bereikbaar)|offline|gesloten|buiten)|(?:site|sistem|sayfa|hizmet|uygulama)\S*.{0,40}geçici (?:olarak|bir süre)|(?:сайт|сервис|портал|система|страница|магазин|приложение)\S*.{0,40}временно (?:недоступ|не работа|закрыт|отключ|приостанов)|(?:strona|serwis|system|sklep|portal|usługa|aplikacja).{0,40}(?:tymczasowo|chwilowo) (?:niedostępn|wyłączon|nieczynn|zamknięt)|(?:サイト|サービス|システム|ページ).{0,20}一時(?:的に|停止)|(?:网站|網站|系统|系統|服务|服務|页面|本站).{0,12}(?:暂时|暫時|暂停|暫停|临时|臨時)|(?:사이트|서비스|시스템|홈페이지).{0,16}(?:일시|임시)/u;
/** Words for the present. An announcement on a working site is about the future. */
const NOW =
  /currently|right now|at the moment|derzeit|zurzeit|momentan|gerade|actuellement|en ce moment|en este momento|actualmente|no momento|atualmente|momentaneamente|attualmente|momenteel|op dit moment|şu an|сейчас|в настоящее время|obecnie|chwilowo|現在|ただいま|目前|当前|當前|正在|현재/u;
/** Words for a site or an application. Other things are also closed for maintenance. */
const SITE =
  /site|website|page|server|service|system|portal|\bapp|platform|database|online|catalog|forum|board|software|upgrade|login|\bapi\b|seite|shop|katalog|dienst|banking|sitio|página|pagina|servicio|sistema|plataforma|serviço|sito|servizio|webshop|sistem|sayfa|hizmet|сайт|сервис|систем|портал|stron|serwis|usług|サイト|サービス|システム|サーバ|网站|網站|系统|系統|服务|服務|서비스|사이트|시스템|서버|홈페이지|점검/u;
/** Text about the schedule of a service, or about maintenance as a service or a topic. */
const ABOUT =
  /operational\b|\b(?:ferry|ferries|elevator|bridge|pool|road|tower|trains?|bus(?:es)?|pier|museum)\b|aufzug|fahrstuhl|brücke|schwimmbad|ascenseur|piscin|carretera|ascensore|zwembad|лифт|подъезд|winda|basen|電車|エレベーター|电梯|電梯|승강기|엘리베이터|how (?:do|can|should) |\brelease (?:notes|\d)|changelog|service level|(?:^|\n)(?:fixed|new|added):|\b(?:may|can|might|could) (?:sometimes |occasionally )?be (?:unavailable|down|offline)|怎么|如何|とは|方法|어떻게|(?:^|\n)(?:wie|so|comment|cómo|como|come|hoe|nasıl|как|jak) |incident history|past incidents|subscribe to updates|all systems|how to|what is|our (?:services|prices)|get a quote|\b(?:lawn|garden|car|vehicle|home|property|building|pool|roof|aircraft|machine|hvac|preventive|predictive|elevator|facility)s? maintenance/;

/** Text about work that is over, or about the holidays of a business. */
const OVER =
  /\bhas been (?:completed|resolved)|works? again|yesterday|gestern|gisteren|\bayer\b|\bieri\b|ontem|вчера|wczoraj|昨日|昨天|어제|werkt weer|funktioniert wieder|(?:^|\n)(?:completed|resolved|abgeschlossen|behoben|terminé|resuelto|resolvido|risolto|opgelost|завершено|zakończono|已完成|完了|완료)(?![\p{L}])|holidays?\b|vacation|urlaub|ferien|congés|vacaciones|férias|chiusura estiva|per ferie|vakantie|tatil|отпуск|urlop|休業|夏季休暇|放假|休假|휴가|휴무/u;
/** Announces work in the future. */
const FUTURE =
  /将于|将在|將於|將在|届时|屆時|予定|行います|実施(?:いた)?します|예정|will (?:upgrade|perform|carry out|be (?:carrying|performing|upgrading|unavailable|offline|down|closed))|will (?:undergo|take place)|(?:wird|werden) (?:am|vom|in der nacht|zwischen)|findet .{0,60}statt|(?:aura|auront) lieu|sera (?:indisponible|inaccessible)|estará (?:fuera|no disponible|indispon|em)|(?:se )?realizará|tendrá lugar|non sarà|sarà (?:non|offline|in)|effettueremo|zal .{0,40}(?:zijn|worden)|yapılacak|olacak|будет (?:недоступ|проводи|закрыт)|будут (?:недоступ|проводи)|będzie (?:niedostępn|wyłącz)|odbędzie|przeprowadzimy/u;
/** Returns the evidence that the whole page is a notice of maintenance, or null. */
export function findMaintenance(facts: PageFacts): string | null {
  const { titleParts, headings, unlinkedChars } = facts;
  if (unlinkedChars > MAX_CHARS || facts.lines.length > MAX_LINES) return null;
  const { elements } = facts;
  if (elements.links > MAX_LINKS || elements.code > 0) return null;
  const lines = facts.notes.filter((line) => !line.endsWith("?"));
  const text = normalize([...titleParts.slice(0, 1), ...lines].join("\n"));
  if (ABOUT.test(text) || facts.isArticle || (elements.dates > 0 && elements.links > 2)) return null;
  if (OVER.test(text) || hasPrice(facts)) return null;
  if (FUTURE.test(text) && /\d/.test(text) && !NOW.test(text)) return null;
  const title = titleParts.find((part) => says(part, NAMES));
  const name = [...headings, ...lines].find((line) => says(line, NAMES));
  const sentence =
    lines.find((line) => line !== name && says(line, SENTENCES)) ?? lines.find((line) => says(line, SENTENCES));
  const work = [...headings, ...lines, ...titleParts].find((line) => WORK.test(normalize(line)));
  const notice = sentence ?? name ?? title ?? work ?? lines.find((line) => OUT_OF_SERVICE.test(normalize(line)));
  if (notice === undefined || !hasEvidence({ title, name, sentence, work }, { text, facts })) return null;
  return `The page is only a notice of maintenance: ${quote(notice)}.`;
}

interface Evidence {
  title: string | undefined;
  name: string | undefined;
  sentence: string | undefined;
  work: string | undefined;
}

function hasEvidence(
  { title, name, sentence, work }: Evidence,
  { text, facts }: { text: string; facts: PageFacts },
): boolean {
  if (facts.elements.passwords > 0 && sentence === undefined) return false;
  const isBrief = facts.unlinkedChars <= MAX_BRIEF_CHARS;
  if ((title ?? name) !== undefined && sentence !== undefined && (title !== undefined || name !== sentence || isBrief))
    return true;
  if (title !== undefined && name !== undefined) return true;
  if (facts.unlinkedChars <= MAX_TINY_CHARS && facts.elements.links <= 2 && STATE.test(text)) return true;
  if (isBrief && facts.elements.links <= MAX_LINKS_OF_UNNAMED && OUT_OF_SERVICE.test(text)) return true;
  const maxLinks = NOW.test(text) ? MAX_LINKS : MAX_LINKS_OF_UNNAMED;
  if (
    facts.elements.links > maxLinks ||
    facts.unlinkedChars > MAX_UNNAMED_CHARS ||
    work === undefined ||
    !SITE.test(text) ||
    !CLOSED.test(text)
  )
    return false;
  const isInName = [...facts.titleParts, ...facts.headings].some(
    (line) => WORK.test(normalize(line)) || CLOSED.test(normalize(line)),
  );
  return isInName || isBrief;
}
