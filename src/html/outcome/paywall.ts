import { isLinkLine, type TextLine } from "../main-content/regions";
import { typesOf } from "../metadata/json-ld-nodes";
import type { PageFacts } from "./page-facts";
import { normalize, quote, says } from "./phrases";

/** A teaser has at most this much prose. */
const MAX_TEASER_CHARS = 1_500;
/** The same if the page's JSON-LD says that the article isn't free. */
const MAX_MARKED_CHARS = 3_500;
/** A page that only its JSON-LD marks as not free has at most this much prose. */
const MAX_UNSAID_CHARS = 700;
const MIN_TEASER_CHARS = 35;
const MIN_CONTINUED_CHARS = 600;
const MAX_NOTICE_CHARS = 200;
/** A page with such a title is about paywalls. */
const ABOUT = /pay ?-?wall|subscription (?:model|business)|bezahlschranke/i;
/** There are at most this many lines between the teaser and the notice. */
const MAX_LINES_BETWEEN = 7;
/** A page with less text and a field for a password is a sign-in page. */
const MAX_SIGN_IN_CHARS = 300;
/** Questions to subscribers. Articles with a discussion for members have them, too. */
const QUESTION =
  /^(?:already a|(?:sie )?(?:sind|haben) (?:sie )?(?:schon|bereits)|schon (?:mitglied|abonnent)|déjà|¿?ya eres|já é|(?:sei )?già|(?:ben je |bent u )?al abonnee|zaten|уже|masz już|이미).{0,60}$/i;
/** Invitations that blogs show below every post, and offers of other texts. */
const PROMOTION =
  /full archive|briefing|newsletter|by email|new posts|podcast|notifications?|in your inbox|comment|kommentar|koment|comentar|коммент|yorum|コメント|评论|評論|댓글|reageren/iu;
/** Words for paid access, which a sign-in page doesn't offer. */
const OFFER =
  /member|subscri|purchase|trial|\babo\b|abonn|suscri|assina|üyelik|подписк|prenumer|会員|購読|订阅|訂閱|구독/u;
/** The end of a text that isn't cut off. */
const SENTENCE_END = /[.!?:;。！？][)\]"'”’»」』]*\s*$/;
const CUT_OFF = /(?:…|\.\.\.|\[(?:…|\.\.\.)\])\W*$/;
/** The ids and classes of paywalls. */
const MARK = /paywall|pay-wall|regwall|piano|poool|steady|premium|subscriber|subscription|paid-|locked|meter/i;
const MIN_TEXT_CHARS = 80;
const MIN_IDEOGRAPHIC_TEXT_CHARS = 35;
const IDEOGRAPHIC = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Hangul}]/u;
const CONTENT_TIER = /^(?:locked|metered|premium|subscriber)/i;

/**
 * Invitations that newspapers also show below complete articles. They count if the text is cut off or if the page has
 * another mark of a paywall.
 */
const GENERAL =
  /already a (?:paid |digital |print )?(?:subscriber|member)|\b(?:all|our|every|unlimited)\b.{0,30}\b(?:articles|stories|content|news|journalism|coverage|reporting|posts)|(?:full|unlimited|digital) access\b(?!.{0,30}(?:this|the (?:article|story|post)))|become a .{0,20}(?:member|supporter|patron)|upgrade to unlock everything|\bmore .{0,20}like this|(?:haben|sind) (?:sie )?(?:schon|bereits)|(?:schon|bereits) .{0,20}(?:abo|mitglied)|jetzt (?:abo|abonnement) |déjà abonné|abonnez-vous (?!pour)|ya eres suscriptor|já é assinante|già abbonato|al abonnee|zaten abone|уже (?:есть подписка|подписан|подписчик)|masz już|이미 구독/u;
/** Lines that withhold the rest of an article from readers without a subscription. */
const WITHHELD: readonly RegExp[] = [
  /\b(?:subscribe|join|upgrade|become a (?:paid |paying )?(?:member|subscriber|patron|supporter)|start (?:your|a) .{0,20}(?:trial|subscription))(?: now| today| here)?(?: or (?:log ?in|sign ?in|register))? (?:to|and|for) (?:(?:continue|keep|finish|unlock|full access|get full access)\b|(?:read|get access to|access|see|view) (?:this|the (?:full|rest|whole|entire|complete)|more|on|our (?:full|premium)|all|everything|it|every))|\b(?:sign up|register|log ?in|sign ?in|create (?:a|an|your) .{0,12}account)\b.{0,40}\b(?:to|and) (?:continue|keep|read|unlock|finish)\b.{0,20}(?:reading|article|story|post|rest|full|report)/,
  /\b(?:to|want to) (?:continue|keep|finish) reading\b|\bcontinue reading (?:this|your|with|for)|\b(?:the rest|remainder) of (?:this|the) (?:article|story|post|report|content) is|\bread the (?:full|whole|entire|rest of th(?:e|is)) (?:article|story|post|report)\b.{0,60}(?:subscri|member|trial|log ?in|account|for \W?\d)/,
  /\b(?:this|the (?:full|rest)).{0,40}(?:article|story|content|post|report|analysis|feature) is (?:only |exclusive(?:ly)? |reserved |available )*(?:for|to) (?:\S+ ){0,3}(?:paying |paid |premium )?(?:subscribers|members)|\b(?:subscribers?|members?)[- ]only (?:article|content|story|post|access)|\bthis (?:post|article|story) is for (?:paid|paying) (?:subscribers|members)|exclusive(?:ly)? (?:to|for) (?:our )?(?:subscribers|members)|you(?:'ve| have) (?:reached|used|hit|run out of|no) (?:up )?(?:your|all|the|free|more) .{0,40}(?:free|limit|article|stories)|already a (?:paid |digital |print )?(?:subscriber|member)\?|(?:buy|purchase|rent) (?:this|the) (?:article|chapter|paper|pdf)|access through your (?:institution|organi[sz]ation)|(?:unlock|get access to) this (?:article|post|story|content|chapter|report)|this (?:article|post|story|content) is (?:locked|premium)|(?:premium|exclusive|locked) (?:content|article|story) (?:for|-)|only available to (?:\S+ ){0,3}(?:subscribers|members)|support .{0,40} to (?:read|unlock)/,
  /(?:(?:jetzt )?weiterlesen mit|(?:ihren|einen|deinen) zugang|lesen sie weiter:|(?:artikel|beitrag|text) (?:jetzt )?(?:freischalten|kaufen)|mit (?:einem |dem )?\S*(?:abo|plus|premium)\S* (?:weiter)?lesen|(?:das|dieser|der) .{0,30}ist (?:ein )?(?:\S+-)?(?:plus|premium)-?(?:artikel|inhalt)|um (?:weiterzulesen|den (?:ganzen |vollständigen )?artikel)|(?:artikel|beitrag|text|inhalt).{0,40}(?:nur für|exklusiv für|ist (?:für )?) ?.{0,20}(?:abonnent|mitglied|leser)|(?:möchten sie|möchtest du|sie möchten|du möchtest|wollen sie|willst du) .{0,20}weiterlesen|schon (?:mitglied|abonnent)\?|lesen sie (?:den ganzen artikel|weiter|jetzt weiter) mit|(?:sie )?(?:haben|sind) (?:schon|bereits) .{0,20}(?:abo|abonnent)|jetzt (?:abo|abonnement) (?:abschließen|testen).{0,40}|(?:weiterlesen|zugriff).{0,40}(?:abo|abonnement|plus)\b|diesen artikel (?:weiter)?lesen)/,
  /(?:(?:cet article|la suite|le contenu|ce contenu|la lecture).{0,40}(?:est )?réservée? (?:à nos|aux) (?:abonnés|membres)|il vous reste .{0,20}(?:de cet article|à lire)|(?:abonnez-vous|pour lire la suite|pour continuer (?:la|votre) lecture)|déjà abonnée? ?\?|lire la suite.{0,30}abonn)/,
  /(?:(?:suscríbete|suscríbase|regístrate|hazte (?:socio|suscriptor)).{0,30}(?:para|y) (?:seguir|continuar|leer|acceder)|(?:contenido|artículo|noticia).{0,30}(?:exclusiv[oa]|solo|sólo|reservado).{0,20}(?:suscriptores|socios)|para (?:seguir|continuar) leyendo|¿?ya eres suscriptor)/,
  /(?:(?:assine|cadastre-se|inscreva-se).{0,30}(?:para|e) (?:continuar|ler|continue|ter acesso)|(?:conteúdo|matéria|artigo|reportagem|texto).{0,30}(?:exclusiv[oa]|só|apenas|restrito).{0,20}assinantes|para continuar lendo|já é assinante|continue lendo.{0,30}assin)/,
  /(?:(?:abbonati|registrati).{0,30}(?:per|e) (?:continuare|leggere|proseguire|continua|leggi|accedere)|(?:contenuto|articolo).{0,30}(?:riservato|esclusiv[oa]|solo).{0,25}abbonati|per (?:continuare|proseguire) (?:a leggere|la lettura)|(?:sei )?già abbonato)/,
  /(?:(?:word|neem).{0,20}(?:abonnee|lid|abonnement).{0,40}(?:om|en|lees)|om (?:verder|dit artikel|het hele artikel) te lezen|(?:artikel|verhaal|inhoud).{0,30}(?:alleen|exclusief) voor (?:abonnees|leden)|(?:ben je |bent u )?al abonnee|lees (?:verder|het hele artikel).{0,30}abonn|verder lezen\?)/,
  /(?:(?:devamını|tamamını) (?:okumak|görmek) için.{0,30}(?:abone|üye|giriş)|(?:içerik|haber|yazı|makale).{0,30}(?:sadece|yalnızca|özel).{0,20}(?:abone|üye)|abonelere özel|abone olun ve|zaten abone)/,
  /(?:(?:чтобы|для того чтобы|оформите|купите).{0,60}(?:читать дальше|дочитать|продолжить чтение|прочитать (?:полностью|целиком)|подписк)|(?:доступ|материал|статья|текст|продолжение).{0,40}(?:только )?(?:для |по |по платной )(?:подписчик|подписке)|(?:только )?для подписчиков|уже (?:есть подписка|подписаны|подписчик))/,
  /(?:(?:wykup|kup|zaloguj się|zasubskrybuj|subskrybuj|odblokuj).{0,40}(?:aby|by|żeby|i) (?:czyta|przeczyta|kontynuowa|uzyska|dosta)|(?:artykuł|treść|materiał|tekst|dalsza część).{0,40}(?:tylko|wyłącznie|dostępn\S*) (?:jest )?(?:tylko )?dla (?:prenumeratorów|subskrybentów|abonentów)|pozostało .{0,10}(?:%|proc)|masz już (?:prenumeratę|subskrypcję|dostęp))/,
  /(?:(?:この記事は)?有料(?:会員|記事|登録)(?:限定|で|の|です|すると)|会員限定(?:記事|です|の(?:記事|コンテンツ)(?:です|$|。))|続きを(?:読む|お読み|ご覧)(?:に|には|になる).{0,20}(?:会員|登録|購読|ログイン|購入)|残り\s?[\d,]+(?:文字|字|ページ)|(?:購読|登録)(?:して|すると)(?:続き|全文)|全文(?:を|は).{0,12}(?:会員|購読|登録)|ここから先は)/u,
  /(?:(?:订阅|訂閱|开通|開通|成为|成為|购买|購買).{0,16}(?:继续阅读|繼續閱讀|阅读全文|閱讀全文|查看全文|解锁|解鎖|閱讀完整|阅读完整)|(?:剩余|剩餘|余下|以下|本文|全文|此).{0,16}(?:仅|僅|只|限|為|为).{0,8}(?:会员|會員|订阅|訂閱|付费|付費)|(?:会员|會員|订户|訂戶)(?:专享|專享|專屬|限定|专属)(?:内容|內容|文章|全文|阅读|閱讀|[^\p{L}\p{N}]*$)|(?:继续|繼續)(?:阅读|閱讀).{0,12}(?:订阅|訂閱|登录|登入))/u,
  /(?:(?:구독|유료|멤버십|회원).{0,16}(?:계속 (?:읽|보)|전문|전체|이어서|나머지|볼 수)|(?:구독자|유료 ?회원|회원) ?(?:전용|(?:만|님만|에게만).{0,16}(?:기사|콘텐츠|글|전문|읽|볼 수|열람))|이 (?:기사|콘텐츠|글)는? .{0,14}(?:구독|유료|회원)|이미 구독)/u,
  /\bkeep reading (?:for|with)\b|\bthis (?:article|story|post|chapter|lesson|report|content) is (?:part of (?:a|our|the) (?:membership|subscription)|locked)|\bjoin .{0,40}to (?:read|unlock)\b|\bunlock (?:this (?:post|chapter|lesson)|for \d)|\bcontinue with a (?:free )?trial|\bverify access\b|end of (?:this|the|your) (?:free )?(?:preview|sample)|\bthis is a preview\b|remaining .{0,30}(?:pages|chapters|lessons|paragraphs)\b.{0,40}(?:only|subscri|member|customer)|available to (?:\S+ ){0,2}(?:customers|members|subscribers|clients) only|have (?:0|no) free .{0,20}left|to (?:view|read|see) the full (?:content|text|report|document|article)\b|you are unauthori[sz]ed to view|see subscription options|create an account to read|to members only/,
  /\bpurchase (?:pdf|article|instant access|access|to read|the (?:standard|full))|view full text: purchase|more references available in the full text|(?:log|sign) in through your (?:school|institution|library|organi[sz]ation)|get access to the full version|full version of this article/,
  /\bjetzt mit .{1,40}(?:plus|premium|\+|abo).{0,10} weiterlesen|(?:teil unseres|exklusiv im|nur im|gehört zu unserem) .{0,20}(?:premium|plus|abo|angebot)|(?:zugang|testergebnisse|artikel|inhalte?) freischalten|um diesen (?:beitrag|artikel|text) (?:lesen|zu lesen|hören).{0,30}(?:mitglied|abo|registr|anmeld)|mitglied werden(?!.{0,20}und unser)|einzelabruf/,
  /article réservé|réservé aux abonnés|contenu (?:payant|premium|réservé)|(?:límite|limite) (?:de|gratuit).{0,30}(?:artículos|articles|artigos|notas|leituras)|(?:na íntegra|completa|completo).{0,40}(?:assine|suscr)|para ler (?:este|o|esta).{0,40}(?:assine|cadastr)|(?:riservat[oa]|accessibile) (?:a chi|agli|solo).{0,30}abbon|wil je verder lezen|(?:premium|plus|betaald)[- ]artikel/,
  /(?:köp|teckna|bli|tegn|kjøp|køb|tilaa|tilaajille|tilaajana).{0,60}(?:läsa|lese|læse|lue|prenumera|abonne)|(?:artikel|sak|artikkel|saken|innhold).{0,40}(?:för|for) (?:dig som är )?(?:prenumerant|abonnent)|läs vidare|læs videre|les videre|lue koko juttu|(?:vain|vain meidän) tilaajille|pouze pro předplatitele|pro předplatitele|předplať|csak előfizető|előfizetéssel|doar pentru abonați|лише для передплатників|chỉ dành cho (?:hội viên|thuê bao)|khusus pelanggan/u,
  /(?:полный текст|полная версия|продолжение|статья целиком).{0,40}(?:подпис|доступ)|(?:оформите|купите) подписку|(?:dalsza część|pełn[ay]|cały).{0,40}(?:po zalogowaniu|wykup|prenumer|subskryp|dostęp)|(?:okumak|devamı|tamamı) için .{0,20}(?:abone|üye)/,
  /ここから先は|(?:有料会員|購読者)(?:限定|専用)|購入手続き|付费(?:内容|专栏|專欄)|(?:订阅|訂閱|购买|購買|开通|會員|会员).{0,12}(?:后|後|即可|才能|可)?(?:阅读|閱讀|解锁|解鎖|查看|全文)|(?:멤버십|구독자?|유료|프리미엄) ?(?:회원 ?)?전용(?:입니다|이에요| 콘텐츠입니다)/u,
];

/**
 * Returns the evidence that the page shows only the beginning of an article to readers without a subscription, or null.
 */
export function findPaywall(facts: PageFacts): string | null {
  const proseChars = facts.content.reduce((sum, line) => sum + (isText(line) ? line.length : 0), 0);
  if (proseChars > MAX_MARKED_CHARS || proseChars === 0) return null;
  const notice = findNotice(facts);
  const offersAccess = notice !== undefined && OFFER.test(normalize(notice.text));
  if (proseChars <= MAX_SIGN_IN_CHARS && facts.elements.passwords > 0 && !offersAccess) return null;
  if (notice === undefined && !facts.page.html.includes("isAccessibleForFree")) return null;
  if (facts.titleParts.some((part) => ABOUT.test(part))) return null;
  if (notice !== undefined && isInText(notice, facts)) return null;
  const isMarked = saysNotFree(facts) || CONTENT_TIER.test(facts.head.meta.get("article:content_tier") ?? "");
  if (notice !== undefined && proseChars >= MIN_TEASER_CHARS && (isMarked || withholds(notice, facts))) {
    if (proseChars <= (isMarked ? MAX_MARKED_CHARS : MAX_TEASER_CHARS))
      return `The text ends with ${quote(notice.text)}.`;
  }
  if (isMarked && proseChars <= MAX_UNSAID_CHARS)
    return "The page's data says that the article isn't free, and the page shows only its beginning.";
  return null;
}

/**
 * Returns the first notice that follows the text directly, or the text follows it. Below a complete article, an
 * invitation to subscribe follows comments and links.
 */
function findNotice({ content }: PageFacts): TextLine | undefined {
  const isNotice = ({ text }: TextLine) =>
    text.length <= MAX_NOTICE_CHARS && !PROMOTION.test(text) && !QUESTION.test(text) && says(text, WITHHELD);
  const first = content.find(isText);
  let end = first === undefined ? -1 : first.index;
  return content.find((line) => {
    if (line.index <= end + MAX_LINES_BETWEEN && line.index >= end - MAX_LINES_BETWEEN && isNotice(line)) return true;
    if (isText(line)) end = line.index;
    return false;
  });
}

/** Returns true if the notice is about this article, or if the page has another sign of a paywall. */
function withholds(notice: TextLine, { content, elements }: PageFacts): boolean {
  if (!GENERAL.test(normalize(notice.text)) || MARK.test(elements.names)) return true;
  const last = content.findLast((line) => line.index < notice.index && isText(line));
  return last !== undefined && (CUT_OFF.test(last.text) || !SENTENCE_END.test(last.text));
}

/** Returns true if more text follows the notice than precedes it, as after an invitation inside of an article. */
function isInText(notice: TextLine, { content }: PageFacts): boolean {
  let [before, after] = [0, 0];
  for (const line of content) {
    if (!isText(line)) continue;
    if (line.index < notice.index) before += line.length;
    else if (line.index > notice.index) after += line.length;
  }
  return before > 0 && after > Math.max(before, MIN_CONTINUED_CHARS);
}

/** Returns true for a line of the article. A teaser may be cut off in the middle of a sentence. */
function isText(line: TextLine): boolean {
  const minChars = IDEOGRAPHIC.test(line.text) ? MIN_IDEOGRAPHIC_TEXT_CHARS : MIN_TEXT_CHARS;
  return line.length >= minChars && !isLinkLine(line);
}

/** Returns true if the page's JSON-LD says that the article isn't free. */
function saysNotFree({ head, nodes }: PageFacts): boolean {
  if (!head.jsonLd.some((source) => source.includes("isAccessibleForFree"))) return false;
  return nodes.some((node) => {
    const { isAccessibleForFree: value } = node;
    const isText = typesOf(node).some((type) => /Article$|Posting$|CreativeWork$|Report$/.test(type));
    return isText && (value === false || /^(?:.*\/)?false$/i.test(String(value)));
  });
}
