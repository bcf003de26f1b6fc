import { findMountElement } from "../has-content";
import { isLinkLine, type TextLine } from "../main-content/regions";
import { hasPrice, isOffered } from "./ordinary-signs";
import type { PageFacts } from "./page-facts";
import { MAX_PHRASE_CHARS, quote, says, wordsOnly } from "./phrases";

/** A consent wall has at most this much text. */
const MAX_CHARS = 6_000;
/** A consent wall has at most this much text that isn't about consent. */
const MAX_OTHER_CHARS = 500;
const MAX_GATE_LINKS = 30;
/** At least this share of the text is about consent. */
const MIN_SHARE = 0.5;
const MAX_AGE_GATE_CHARS = 1_200;
const MAX_QUESTION_CHARS = 900;
/** An age gate has fields for the day, the month and the year. A longer form is another kind of page. */
const MAX_GATE_FIELDS = 3;

const SUBJECT =
  /cookie|consent|privacy|gdpr|personal(?:i[sz]ed)? (?:data|ad|content)|personal data|our partners|partners|legitimate interest|advertis|tracking|einwillig|zustimm|datenschutz|personenbezogen|werbung|tracking|çerez|kişisel veri|куки|cookie|согласи|персональн|confidentialité|consentement|traceurs|données|publicité|privacidad|consentimiento|datos personales|publicidad|privacidade|consentimento|dados pessoais|riservatezza|consenso|dati personali|pubblicit|toestemming|gegevens|advertenties|zgod|prywatno|danych osobowych|クッキー|同意|プライバシー|隐私|隱私|同意|쿠키|동의|개인정보/iu;
/** Words for the purposes of consent on the web. Consent is also given to other things. */
const CORE =
  /cookie|partner|track|traceur|adverti|werbung|publici|pubblicit|advertenti|reklam|cihaz|device|gerät|terminal|urządzeni|реклам|privacy|datenschutz|クッキー|プライバシー|广告|廣告|隐私|隱私|쿠키|광고|çerez|gdpr|process data/iu;
const BUTTON: readonly RegExp[] = [
  /^(?:yes,? )?(?:i )?(?:accept|agree|allow|consent|reject|decline|continue without|got it|accept all|agree to all|manage (?:options|preferences|settings|cookies))\b.{0,40}$/,
  /^(?:alle[ns]? )?(?:cookies )?(?:akzeptieren|zustimmen|annehmen|ablehnen|einwilligen)\b.{0,40}$|^(?:ich )?(?:akzeptiere|stimme zu|bin einverstanden)|^(?:alle|allen) (?:akzeptieren|ablehnen|zustimmen|cookies)|einwilligen und weiter|akzeptieren und weiter|zustimmen und weiter|einverstanden/,
  /^(?:tout )?(?:accepter|refuser|j'accepte|continuer sans accepter|je refuse|tout accepter|tout refuser|gérer)\b.{0,40}$/,
  /^(?:aceptar|rechazar|acepto|aceitar|rejeitar|recusar|aceito|concordo|accetta|accetto|rifiuta|continua senza accettare|accepteren|akkoord|weigeren|alles (?:accepteren|afwijzen|weigeren)|ja, ik accepteer|ik ga akkoord)\b.{0,40}$/,
  /^(?:kabul|tümünü (?:kabul|reddet)|reddet|onaylıyorum|принять|принимаю|соглас|отклонить|akceptuj|zgadzam|odrzuć|przejdź do serwisu|zaakceptuj).{0,40}$/,
  /^.{0,6}(?:同意|許可|承諾|受け入れ|接受|允许|允許|동의|허용|수락).{0,16}$|^(?:godkänn|acceptera|tillad|godta|hyväksy|přijmout|souhlasím|elfogad|acceptă|αποδοχή|приемам|прийняти|погоджу).{0,40}$|^(?:ok|okay|understood|i understand|weiter mit werbung|mit werbung|kostenlos mit|consentir|continuer avec)(?!\p{L}).{0,40}$|^(?:(?:すべて)?(?:同意|許可|拒否|承諾)(?:する|して続行|します)?|(?:全部|我)?(?:同意|接受|拒绝|拒絕)(?:并继续|所有.{0,8}|全部)?|(?:모두 )?(?:동의|허용|거부|수락)(?:하기|합니다|함)?)$/u,
];
/** The questions of age gates. */
const AGE: readonly RegExp[] = [
  /(?:confirm|certif|déclar|erklär|bestätig|declar|potwierdz|подтвержда)\S* .{0,40}\b18\b|\b(?:are you|you must be|i am|you are|i'm|confirm (?:that )?you(?:'re| are)|must confirm).{0,30}(?:(?:at least|over|of|above|older than)?.{0,15}\b(?:18|19|20|21)\b|legal (?:drinking|smoking)? ?age|old enough|an adult)/,
  /\bage (?:verification|check|confirmation|restricted)|verify your age|enter your (?:date of birth|birth ?date|age|birthday)|adults only/,
  /(?:bist du|sind sie|ich bin).{0,25}(?:18|volljährig|alt genug)|altersverifikation|altersprüfung|altersbestätigung|mindestens 18/,
  /(?:avez-vous|êtes-vous|j'ai|vous devez avoir).{0,25}(?:18|majeur|l'âge légal)|vérification de l'âge|réservé aux adultes/,
  /(?:eres|es usted|tienes|tiene|soy).{0,25}(?:18|mayor de edad)|verificación de edad|(?:você|tem).{0,25}(?:18|maior de idade)|verificação de idade|(?:hai|sei|ho).{0,25}(?:18|maggiorenne)|verifica(?:zione)? (?:dell')?età|(?:ben je|bent u|ik ben).{0,25}18|leeftijdscontrole/,
  /18 yaşın|yaş doğrulama|reşit|вам (?:уже )?(?:есть |исполнилось )?18|мне (?:уже )?(?:есть |исполнилось )?18|подтвердите.{0,20}возраст|(?:masz|mam) (?:ukończone |skończone )?18|jesteś pełnoletn|pełnoletni/,
  /(?:18|20)歳(?:以上|未満)|年齢(?:確認|認証)|(?:您|你)(?:是否)?(?:已)?(?:年?满|滿|年滿)\s?(?:18|20|21)|年龄验证|年齡驗證|(?:만 ?)?19세|성인 ?인증|연령 ?확인/u,
];
/** Questions to professionals and warnings of content, which readers must confirm. */
const CONFIRMATION: readonly RegExp[] = [
  /\b(?:are you|i am|i'm|confirm (?:that )?you are|intended (?:only )?for|restricted to|for) (?:an? |the )?(?:\S+ ){0,3}(?:healthcare|health care|medical|professional|qualified|accredited|institutional) (?:professionals?|practitioners?|investors?|clients?)\b|(?:mature|adult|sensitive|explicit|graphic) (?:content|material)\b|content warning|(?:not|isn't) (?:available|intended) (?:in|for) (?:your|the) (?:country|region|location)/,
  /(?:angehörige|fachkreise|fachpersonal|medizinische fachkräfte|professionelle anleger)|(?:professionnel|professionnelle) de (?:la )?santé|investisseur (?:professionnel|qualifié)|profesional(?:es)? (?:sanitario|de la salud)|inversor (?:profesional|cualificado)|profissiona(?:l|is) de saúde|(?:professionista|operatore) sanitari|zorgprofessional|sağlık (?:mesleği|profesyonel)|(?:медицинск\S+|специалист\S+ здравоохранения)|(?:pracownik|osob\S+) (?:medyczn|służby zdrowia)|医療関係者|医疗(?:专业|卫生)|의료 ?(?:전문|인)/u,
];
const BIRTH =
  /date of birth|birth ?date|geburtsdatum|date de naissance|fecha de nacimiento|data de nascimento|data di nascita|geboortedatum|doğum tarih|дат[ау] рождения|dat[aęy] urodzenia|生年月日|出生(?:日期|年月)|생년월일/iu;
const AGE_BUTTON =
  /^(?:j'ai |je |tengo |soy |tenho |sou |ho |sono |ik ben|mam |jestem |мне |я )|^(?:yes|no|enter|exit|leave|i am|i'm|over|under|ja|nein|oui|non|entrer|quitter|sí|si|no|entrar|salir|sim|não|sair|entra|esci|nee|evet|hayır|giriş|да|нет|войти|выйти|tak|nie|はい|いいえ|入场|进入|离开|進入|離開|是|否|예|아니오|confirm|submit|verify|continue|continuer|weiter|18|ich bin|i understand|understood)(?![\p{L}])/iu;
const VENDOR_URL =
  /^https?:\/\/(?:consent\.(?:google|youtube|yahoo)\.|guce\.|myprivacy\.|privacy-?gate\.|cmp\.|consent\.)|\/(?:consent|privacy-?gate|cookie-?wall|zustimmung|age-?gate|age-?verification|collectConsent)(?:[/?.]|$)/i;
const TITLE =
  /before you continue|bevor (?:sie|du) fortf|avant d'accéder|antes de (?:ir|continuar)|prima di continuare|voordat je verdergaat|privacy ?gate|cookie ?wall|consent(?! form)|zustimmung|age (?:verification|gate|check)|zgod|tcf|privacy settings|privacy preference|einwilligung/i;
const POLICY =
  /(?:privacy|cookie|data protection) (?:policy|notice|statement)|datenschutz(?:erklärung|hinweise)|politique (?:de|des)|política de|informativa|privacyverklaring|cookiebeleid|gizlilik politikası|çerez politikası|политика|polityka/i;

/** The rest of the label of a button of an age gate, such as "Yes, I am 18 or older". */
const AGE_REST =
  /^[^\p{L}\p{N}]*$|\d|\bage\b|\bold(?:er)?\b|adult|under|over\b|enter|site|leave|submit|confirm|continu|alter|\balt\b|jünger|volljährig|seite|majeure?|mineure?|âge|edad|mayor|menor|años|anos|idade|maior|anni|maggiorenne|età|jaar|ouder|yaş|лет|возраст|lat\b|pełnolet|wiek|souhaite|compris|歳|岁|歲|세/iu;
/** Headings of policies, and the durations that they state. */
const ABOUT_COOKIES =
  /^(?:(?:our|unsere|nos|nuestras|os nossos|i nostri|onze|the|les|los|os|i) )?cookies?\W*$|(?:how|why) we use|(?:which|what) (?:are )?cookies|about (?:our )?cookies|welche cookies|was sind cookies|wie wir cookies|quels cookies|qu'est-ce qu|qué (?:son|cookies)|o que são|cosa sono|wat zijn/i;
const DURATION =
  /\b(?:\d+|one|two|three|six|twelve|a|ein(?:en?|em)?|zwei|drei|sechs|zwölf|un|une|deux|trois|treize) (?:days?|weeks?|months?|years?|hours?|tage?n?|wochen?|monate?n?|jahre?n?|stunden?|jours?|semaines?|mois|ans?|días?|semanas?|mes(?:es)?|años?|dias?|anos?|giorni?|settiman[ae]|mes[ei]|ann[oi]|dagen|weken|maanden|jaar|jaren)(?!\p{L})|\d+ ?(?:дн|месяц|лет|год|dni|miesi|gün|ay\b|yıl|日間|か月|年間|天|个月|년|개월)/iu;
const MAX_QUESTION_LINE_CHARS = 240;
/** The least text of a page under a consent dialog. */
const MIN_COVERED_CHARS = 60;
const CONTEST =
  /contest|competition|giveaway|raffle|prize|gewinnspiel|verlosung|concours|sorteo|sorteio|concorso|winactie|çekiliş|конкурс|розыгрыш|konkurs|懸賞|抽奖|抽獎|이벤트/i;

/** Titles and headings that ask for the reader's country or store. */
const REGION: readonly RegExp[] = [
  /^(?:please )?(?:choose|select|confirm|pick|change|set) (?:your |a |the )?(?:preferred )?(?:shipping |delivery )?(?:location|country|region|market|store|country or region|country\/region|region and language|country and language|location and language|language and (?:region|country)|site|territory|shipping destination|language)(?: and language| to continue| or region)?\W*$|^(?:please )?(?:choose|select|confirm) (?:your|a|the) .{0,24}(?:country|region|location|language)\b.{0,30}$|^where (?:would you like|do you want|should we) .{0,20}(?:ship|deliver)|^where are you(?: shopping from| located)?\?|^are you in the right (?:place|country|store)\?|^welcome\W+(?:please )?(?:choose|select) your .{0,20}(?:country|region|location)/,
  /^(?:bitte )?(?:wählen sie|wähle) (?:ihr|dein|ihren|deinen|ihre|deine) (?:land|standort|region|lieferland|markt|store)|^(?:land|region|standort|lieferland)(?: und sprache| oder region)? (?:aus)?wählen/,
  /^(?:choisissez|sélectionnez) (?:votre|un) (?:pays|région|localisation|pays ou région|pays de livraison)|^(?:elige|selecciona|elija|seleccione|escoge) (?:tu|su|un) (?:país|región|ubicación|país o región)|^(?:escolha|selecione) (?:o )?(?:seu|sua)? ?(?:país|região|localização)|^(?:scegli|seleziona) (?:il tuo |la tua |il )?(?:paese|regione|posizione)|^(?:kies|selecteer) (?:je|uw) (?:land|regio|locatie)/,
  /(?:ülkenizi|bölgenizi|konumunuzu) seçin|выберите (?:вашу |свою |ваш |свой )?(?:страну|регион|город)|wybierz (?:swój |swoją )?(?:kraj|region|lokalizację)|(?:国|地域|お住まいの国).{0,10}選択|(?:选择|選擇)(?:您的|你的)?(?:国家|國家|地区|地區|所在地)|(?:국가|지역).{0,6}선택/u,
];
/** A sentence, which the page of a region has, unless it is about the choice. */
const MIN_FACT = /^.{30,}[.!?。！？]$/u;
const REGION_WORD =
  /countr|region|location|ship|store|language|market|continue|land|sprache|liefer|pays|langue|país|idioma|envío|paese|lingua|taal|ülke|dil|стран|язык|kraj|język|国|地域|言語|地区|语言|국가|언어/iu;
const MIN_REGIONS = 2;
/** A page whose countries are the options of a field has at most this much text. */
const MAX_REGION_FORM_CHARS = 300;
const MAX_REGION_PROSE_CHARS = 400;
const MAX_REGION_LINE_CHARS = 60;

/** Sentences that require the acceptance of terms before the content. */
const TERMS: readonly RegExp[] = [
  /\b(?:accept|agree|consent)\b.{0,40}\b(?:terms|conditions|disclaimer|license|agreement|policy|rules)\b.{0,60}\b(?:to (?:continue|proceed|enter|access|view|use)|before)|\bbefore you (?:can )?(?:continue|proceed|enter|access)\b.{0,80}\b(?:accept|agree)|\byou must (?:accept|agree|consent)\b/,
  /(?:akzeptieren|stimmen|bestätigen).{0,60}(?:nutzungsbedingungen|bedingungen|haftungsausschluss).{0,60}(?:fort|weiter|zugang|zu)|(?:acceptez|accepter).{0,40}(?:conditions|mentions).{0,60}(?:continuer|accéder)|(?:acepte|aceptar|aceite|aceitar|accetta|accettare|accepteer|accepteren).{0,40}(?:términos|condiciones|termos|termini|condizioni|voorwaarden).{0,60}(?:continuar|acceder|continuare|accedere|verder|door)/,
  /(?:利用規約|規約).{0,20}同意.{0,20}(?:進|続|利用|ください)|(?:同意|接受).{0,12}(?:条款|條款|协议|協議).{0,12}(?:继续|繼續|进入|進入|访问)|(?:약관).{0,10}동의.{0,12}(?:계속|이용|입장)/u,
];
const MAX_TERMS_CHARS = 1_500;
/** The request is among the first lines. Terms that a page has for other purposes mention it later. */
const MAX_TERMS_NOTES = 4;

/** Returns the evidence that a consent wall, an age gate or a choice of region is shown instead of the content, or null. */
export function findConsentGate(facts: PageFacts): string | null {
  return findAgeGate(facts) ?? findRegionGate(facts) ?? findTermsGate(facts) ?? findCookieGate(facts);
}

function findCookieGate(facts: PageFacts): string | null {
  const { lines, response, page, headings } = facts;
  const unlinked = lines.filter((line) => !isLinkLine(line));
  const total = unlinked.reduce((sum, line) => sum + line.length, 0);
  if (total === 0 || total > MAX_CHARS) return null;
  const about = unlinked.filter(({ text }) => SUBJECT.test(text.slice(0, 2 * MAX_PHRASE_CHARS)));
  const aboutChars = about.reduce((sum, line) => sum + line.length, 0);
  const isNamed = VENDOR_URL.test(response.url) || [...facts.titleParts, ...headings].some((part) => TITLE.test(part));
  if (aboutChars < MIN_SHARE * total && !isNamed) return null;
  if (total - aboutChars > (isNamed ? 3 * MAX_OTHER_CHARS : MAX_OTHER_CHARS)) return null;
  const { buttons, linkLabels, code } = facts.elements;
  const labels = [...buttons, ...linkLabels, ...lines.filter(({ text }) => text.length <= 50).map(({ text }) => text)];
  if (code > 0 || facts.elements.links > MAX_GATE_LINKS || !labels.some((label) => says(label, BUTTON))) return null;
  if (!isNamed && [...facts.titleParts, ...headings].some((part) => POLICY.test(part))) return null;
  const h1 = headings[0];
  const isTitled =
    h1 !== undefined && facts.titleParts.some((part) => wordsOnly(part) === wordsOnly(h1)) && !TITLE.test(h1);
  if (isTitled) return null;
  if (headings.some((text) => ABOUT_COOKIES.test(text)) || describesCookies(facts) || coversContent(facts)) return null;
  const isShell = !response.rendered && findMountElement(page.document) === "mount";
  if (!about.some(({ text }) => CORE.test(text))) return null;
  const [longest] = about.toSorted((a, b) => b.length - a.length);
  if ((isShell && !isNamed) || longest === undefined) return null;
  return `The page shows only a request for consent: ${quote(longest.text)}.`;
}

/** Returns true for a policy, which says how long cookies are kept. */
function describesCookies({ notes }: PageFacts): boolean {
  return notes.some((text) => /cookie|куки|クッキー|쿠키/iu.test(text) && DURATION.test(text));
}

/** Returns true if the request for consent is in a dialog over a page with content. */
function coversContent({ content, lines }: PageFacts): boolean {
  const isButton = ({ text }: TextLine) => text.length <= 50 && says(text, BUTTON);
  const isOutside = lines.some(isButton) && !content.some(isButton);
  if (!isOutside && content.some(({ text }) => SUBJECT.test(text))) return false;
  const covered = content.filter((line) => !isLinkLine(line) && line.headingLevel === 0);
  return covered.reduce((sum, line) => sum + line.length, 0) >= MIN_COVERED_CHARS;
}

function isAgeButton(label: string): boolean {
  const text = label.trim();
  const begin = AGE_BUTTON.exec(text)?.[0];
  return begin !== undefined && AGE_REST.test(text.slice(begin.length));
}

function findAgeGate(facts: PageFacts): string | null {
  const { lines, elements } = facts;
  const texts = lines.map(({ text }) => text);
  const total = lines.reduce((sum, line) => sum + (isLinkLine(line) ? 0 : line.length), 0);
  if (total > MAX_AGE_GATE_CHARS) return null;
  const question =
    texts.find((text) => text.length <= MAX_QUESTION_LINE_CHARS && says(text, AGE)) ??
    (elements.passwords === 0 && total <= MAX_QUESTION_CHARS
      ? texts.find((text) => says(text, CONFIRMATION) || (text.length <= MAX_PHRASE_CHARS && BIRTH.test(text)))
      : undefined);
  if (question === undefined || elements.code > 0 || hasPrice(facts) || isOffered(facts)) return null;
  const labels = [
    ...elements.buttons,
    ...elements.linkLabels.filter((label) => facts.content.some(({ text }) => text.includes(label))),
    ...facts.content.map(({ text }) => text).filter((text) => text.length <= 50 && text !== question),
  ];
  if (!labels.some(isAgeButton)) return null;
  if (elements.textFields > MAX_GATE_FIELDS) return null;
  return `The page requires the reader's confirmation: ${quote(question)}.`;
}

function findTermsGate({ notes, elements, unlinkedChars, isArticle }: PageFacts): string | null {
  if (unlinkedChars > MAX_TERMS_CHARS) return null;
  const sentence = notes.slice(0, MAX_TERMS_NOTES).find((text) => says(text, TERMS) && !CONTEST.test(text));
  if (sentence === undefined || isArticle || elements.code > 0 || elements.passwords > 0 || elements.textFields > 1)
    return null;
  const labels = [...elements.buttons, ...elements.linkLabels, ...notes.filter((text) => text.length <= 50)];
  if (!labels.some((label) => says(label, BUTTON))) return null;
  return `The page requires the reader's consent: ${quote(sentence)}.`;
}

/** Finds a page whose only content is a list of countries, regions or stores. */
function findRegionGate(facts: PageFacts): string | null {
  const { headings, titleParts, content, lines, proseChars } = facts;
  if (proseChars > MAX_REGION_PROSE_CHARS) return null;
  const first = lines[0]?.text;
  const question = [...headings.slice(0, 2), ...(headings.length === 0 && first ? [first] : []), ...titleParts].find(
    (text) => says(text, REGION),
  );
  if (question === undefined || content.some(({ text }) => /\d/.test(text))) return null;
  if (content.some(({ text }) => MIN_FACT.test(text) && !REGION_WORD.test(text))) return null;
  const options = content.filter((line) => line.text.length <= MAX_REGION_LINE_CHARS && line.headingLevel === 0);
  const others = content.filter((line) => !options.includes(line) && line.headingLevel === 0 && line.text !== question);
  const isForm = facts.unlinkedChars <= MAX_REGION_FORM_CHARS && facts.elements.buttons.length > 0;
  if (
    (options.length < MIN_REGIONS && !isForm) ||
    others.reduce((sum, line) => sum + line.length, 0) > MAX_REGION_PROSE_CHARS
  )
    return null;
  return `The page requires a choice of country or store: ${quote(question)}.`;
}
