import { BUTTON } from "./consent-phrases";
import type { PageFacts } from "./page-facts";
import { quote, says, sentencesOf } from "./phrases";

/** Titles and headings that ask for the reader's country or store. */
const REGION: readonly RegExp[] = [
  /^(?:please )?(?:choose|select|confirm|pick|change|set) (?:your |a |the )?(?:preferred )?(?:shipping |delivery )?(?:location|country|region|market|store|country or region|country\/region|region and language|country and language|location and language|language and (?:region|country)|site|territory|shipping destination|language)(?: and language| to continue| or region)?\W*$|^(?:please )?(?:choose|select|confirm) (?:your|a|the) .{0,24}(?:country|region|location|language)\b.{0,30}$|^where (?:would you like|do you want|should we) .{0,20}(?:ship|deliver)|^where are you(?: shopping from| located)?\?|^are you in the right (?:place|country|store)\?|^welcome\W+(?:please )?(?:choose|select) your .{0,20}(?:country|region|location)/,
  /^(?:bitte )?(?:wählen sie|wähle) (?:ihr|dein|ihren|deinen|ihre|deine) (?:land|standort|region|lieferland|markt|store)|^(?:land|region|standort|lieferland)(?: und sprache| oder region)? (?:aus)?wählen/,
  /^(?:choisissez|sélectionnez) (?:votre|un) (?:pays|région|localisation|pays ou région|pays de livraison)|^(?:elige|selecciona|elija|seleccione|escoge) (?:tu|su|un) (?:país|región|ubicación|país o región)|^(?:escolha|selecione) (?:o )?(?:seu|sua)? ?(?:país|região|localização)|^(?:scegli|seleziona) (?:il tuo |la tua |il )?(?:paese|regione|posizione)|^(?:kies|selecteer) (?:je|uw) (?:land|regio|locatie)/,
  /(?:ülkenizi|bölgenizi|konumunuzu) seçin|выберите (?:вашу |свою |ваш |свой )?(?:страну|регион|город)|wybierz (?:swój |swoją )?(?:kraj|region|lokalizację)|(?:国|地域|お住まいの国).{0,10}選択|(?:选择|選擇)(?:您|你)?(?:的|所在的?)?(?:国家|國家|地区|地區|所在地)|(?:국가|지역).{0,6}선택/u,
  /^(?:in welche[mns] (?:land|markt)|wohin (?:sollen|dürfen) wir|où (?:êtes-vous|souhaitez-vous|voulez-vous)|dans quel pays|¿?(?:dónde|en qué país)|em que país|in che paese|dove (?:ti trovi|vuoi)|waar (?:wil|woon|bevind)|in welk land).{0,60}\?/,
  /^where (?:should|do|can|would|are) (?:we|you)\b.{0,50}(?:deliver|shop|ship|located|live|store)|^(?:enter|set) your (?:post ?code|zip(?: code)?|location)\b|^(?:choose|select) (?:your |a )?.{0,40}(?:investor type|profile|audience|role)\b.{0,30}$|^(?:wählen sie|bitte wählen sie) .{0,30}(?:anlegertyp|anlegerprofil|profil)\b|^(?:sélectionnez|choisissez) votre profil\b|^(?:seleccione|selecciona|elija|elige) (?:su|tu) perfil\b|^(?:seleziona|scegli) (?:il tuo|il suo) profilo\b|^selecione (?:o )?seu perfil\b|^(?:wybierz|zvolte|vyberte|välj|vælg|velg|valitse|válassz|alegeți|оберіть|pilih|chọn) .{0,30}(?:kraj|zemi|jazyk|land|språk|sprog|maa|ország|țara|країну|negara|quốc gia)/u,
];
/** A sentence, which the page of a region has, unless it is about the choice. */
const MIN_FACT = /^.{30,}[.!?。！？]$/u;
const REGION_WORD =
  /choos|select|choice|your (?:country|region|location|language|store|market)|shopping|ship(?:ping)? to|deliver to|continue|auswahl|wähl|(?:ihr|dein)\p{L}* (?:land|region|standort|sprache)|choisi|sélection|choix|votre pays|elig|elij|selecc|escolh|selecion|scegli|selezion|scelta|kies|selecteer|keuze|seç|выб|wybi|wybór|選択|选择|選擇|선택|välj|vælg|velg|valits|vyber|zvol|válassz|aleg|оберіть/iu;
const MIN_REGIONS = 2;
/** A short page can ask for the country below its heading. */
const MAX_QUESTION_CHARS = 60;
const MAX_QUESTION_LINES = 3;
/** A page whose countries are the options of a field has at most this much text. */
const MAX_REGION_FORM_CHARS = 300;
const MAX_REGION_PROSE_CHARS = 400;
const MAX_REGION_LINE_CHARS = 60;
/** Sentences that require the acceptance of terms before the content. */
const TERMS: readonly RegExp[] = [
  /\b(?:accept|agree|consent)\b.{0,40}\b(?:terms|conditions|disclaimer|license|agreement|policy|rules)\b.{0,60}\b(?:to (?:continue|proceed|enter|access|view|use)|before)|\bbefore you (?:can )?(?:continue|proceed|enter|access)\b.{0,80}\b(?:accept|agree)|\byou must (?:accept|agree|consent)\b/,
  /(?:akzeptieren|stimmen|bestätigen).{0,60}(?:nutzungsbedingungen|bedingungen|haftungsausschluss).{0,60}(?:fort|weiter|zugang|zu)|(?:acceptez|accepter).{0,40}(?:conditions|mentions).{0,60}(?:continuer|accéder)|(?:acepte|aceptar|aceite|aceitar|accetta|accettare|accepteer|accepteren).{0,40}(?:términos|condiciones|termos|termini|condizioni|voorwaarden).{0,60}(?:continuar|acceder|continuare|accedere|verder|door)/,
  /(?:利用規約|規約).{0,20}同意.{0,20}(?:進|続|利用|ください)|(?:同意|接受).{0,12}(?:条款|條款|协议|協議).{0,12}(?:继续|繼續|进入|進入|访问)|(?:약관).{0,10}동의.{0,12}(?:계속|이용|입장)/u,
  /\b(?:before (?:you |entering|proceeding|continuing|accessing)|(?:please|must|to) (?:confirm|indicate|tell us|acknowledge)).{0,100}\b(?:confirm|accept|agree|tell us|read (?:the|these|and)|continue|proceed|enter|access)\b|\bby (?:entering|clicking|continuing|accessing|selecting)\b.{0,60}\b(?:confirm|certify|affirm|acknowledge|agree|accept|have agreed)\b|\bread (?:the following|these|this).{0,60}\b(?:before|prior to)\b|(?:access|information).{0,60}\b(?:is restricted|not (?:available|intended|directed|for release))\b.{0,60}\b(?:persons|investors|residents|united states|jurisdiction)|(?:could|may|might) (?:have|contain) (?:adult|sensitive|graphic|explicit) content/,
  /(?:bevor sie|vor dem (?:zugriff|betreten)|um (?:fortzufahren|die)).{0,100}(?:zustimmen|akzeptieren|bestätigen|einverstanden)|(?:avant d'(?:accéder|entrer|utiliser)|pour (?:continuer|accéder|poursuivre)|en (?:cliquant|continuant|entrant)).{0,100}(?:accept|confirm|indiqu|certifi|reconna)|(?:antes de (?:acceder|continuar|entrar)|para (?:continuar|acceder|entrar|prosseguir|acessar)|al (?:hacer clic|entrar|continuar)|ao (?:clicar|entrar|continuar)).{0,100}(?:acept|aceit|confirm|concord|declar)|(?:prima di (?:accedere|continuare|entrare|proseguire)|per (?:continuare|accedere|proseguire)|cliccando).{0,100}(?:accett|conferm|dichiar)|(?:voordat (?:u|je)|om (?:verder|door) te).{0,100}(?:akkoord|accepte|bevestig)/,
  /(?:devam etmek|girmek|erişmek) için.{0,80}(?:kabul|onay)|(?:чтобы (?:продолжить|войти|получить доступ)|перед (?:входом|использованием|началом)|для (?:продолжения|доступа)).{0,80}(?:прим|соглас|подтверд|ознаком)|(?:aby (?:kontynuować|wejść|przejść|uzyskać)|przed (?:wejściem|skorzystaniem)).{0,80}(?:akcept|zgod|potwierd|zapozna)|(?:ご利用|閲覧|続行|入場).{0,20}(?:前|には|するには).{0,30}(?:同意|確認|ご了承)|(?:进入|進入|使用|继续|繼續|访问).{0,12}(?:前|之前).{0,20}(?:同意|阅读|閱讀|确认|確認)|(?:이용|계속|입장|열람).{0,12}(?:하려면|전에|위해).{0,24}(?:동의|확인)/u,
  /\bto (?:view|enter|access|visit|use|search) (?:this|the|our) (?:\S+ )?(?:site|website|content|portal|records?|information)\b.{0,100}\b(?:select|choose|confirm|accept|agree)|\b(?:accept|agree to) the (?:terms|conditions|disclaimer).{0,20}\bbefore\b|\b(?:is|are) not directed (?:at|to) (?:residents|persons)|müssen .{0,60}(?:zustimmen|akzeptieren|bestätigen),? (?:um|bevor)|(?:inhalt|information|seite).{0,40}(?:richte|ausschließlich).{0,60}(?:anleger|investor)|mit (?:der|ihrer) (?:auswahl|zustimmung) (?:bestätigen|erklären)|(?:sélectionnez|choisissez|indiquez) .{0,80}pour accéder|(?:al continuar|para continuar),? (?:declara|acepta|confirma)|dichiaro di (?:aver letto|accettare|essere)|riservat[oa] a(?:gli)? investitori|(?:declara|declaro|confirma|confirmo) que ha (?:leído|lido)|(?:内容|事項)に同意.{0,20}(?:進|続|方)|(?:下記|以下).{0,12}同意/u,
];
const MAX_TERMS_CHARS = 1_500;
/** The request is among the first lines. Terms that a page has for other purposes mention it later. */
const MAX_TERMS_NOTES = 4;
const CONTEST =
  /contest|competition|giveaway|raffle|prize|gewinnspiel|verlosung|concours|sorteo|sorteio|concorso|winactie|çekiliş|конкурс|розыгрыш|konkurs|懸賞|抽奖|抽獎|이벤트/i;
/** Words for cookies, which a banner of an ordinary page is about, and words for terms, which it isn't about. */
const COOKIES = /cookie|çerez|クッキー|쿠키|куки/iu;
const CONDITIONS =
  /terms|conditions|conditions|disclaimer|licen[cs]e|bedingungen|voorwaarden|condiciones|términos|termos|condizioni|termini|koşul|услови|правил|warunk|regulamin|規約|条款|條款|약관|investor|\badult\b|person/iu;
/** Labels of buttons that lead to the content. */
const ENTER: readonly RegExp[] = [
  /^(?:i (?:have read|understand|confirm|acknowledge|am)|yes,? |confirm|continue|proceed|enter|accept|agree|zustimmen|weiter|bestätigen|einverstanden|valider|entrer|continuer|j'ai lu|continuar|confirmar|entrar|aceptar|aceitar|continua|conferma|entra|accetta|verder|doorgaan|akkoord|bevestig|devam|onay|kabul|продолжить|подтвер|принять|согласен|войти|dalej|potwierd|akcept|przejdź|(?:private|retail|individual|institutional|professional) investor|privatanleger|(?:professioneller|institutioneller) anleger|investisseur|investitore|inversor|investidor|pokračovat|fortsätt|fortsæt|fortsett|jatka|tovább)/u,
  /同意|続ける|進む|入場|确认|確認|继续|繼續|进入|進入|동의|확인|계속|입장/u,
];

/** Labels that accept in the first person, and labels that refuse. */
const ACCEPT: readonly RegExp[] = [
  /^(?:yes,? )?i (?:accept|agree|confirm|certify|acknowledge|have read)\b|^(?:accept|agree)(?: and .{1,20}| to .{1,20})?\W*$|^(?:ich )?(?:stimme zu|akzeptiere|bestätige)|^zustimmen|^j'accepte|^je confirme|^acepto|^aceito|^accetto|^dichiaro|^sì, dichiaro|^ik ga akkoord|^akceptuję|^potwierdzam|^souhlasím|^kabul ediyorum|^(?:принимаю|подтверждаю|согласен)|同意する|^我?同意|^동의(?:합니다)?\W*$/u,
];
const REFUSE: readonly RegExp[] = [
  /^(?:no,? )?i (?:do not|don't|disagree|decline)\b|^(?:decline|disagree|leave|exit|cancel|do not accept)\b.{0,20}$|^(?:ich )?(?:lehne ab|ablehnen|verlassen|stimme nicht)|^(?:je )?(?:refuse|quitter)|^(?:no acepto|rechaz|salir|não aceito|recus|sair|non accetto|rifiut|esci|ik ga niet|weiger|nie akceptuję|opuszczam|odrzuc|nesouhlas|reddet|не принимаю|отказ|нет\W*$)|同意しない|不同意|拒绝|离开|거부|나가기/u,
];
/** A terms gate with both labels has the request anywhere, and few links. */
const MAX_PAIR_LINKS = 12;
const MAX_FORMAL_SENTENCE_CHARS = 300;

/** Returns the evidence that the page requires the acceptance of terms before its content, or null. */
export function findTermsGate({ notes, elements, unlinkedChars, isArticle }: PageFacts): string | null {
  if (unlinkedChars > MAX_TERMS_CHARS || elements.buttons.length + elements.links === 0) return null;
  const labels = [...elements.buttons, ...elements.linkLabels, ...notes.filter((text) => text.length <= 50)];
  const hasLabel = (patterns: readonly RegExp[]) => labels.some((label) => label.length <= 50 && says(label, patterns));
  const isFormal = elements.links <= MAX_PAIR_LINKS && hasLabel(ACCEPT) && (elements.links <= 1 || hasLabel(REFUSE));
  const sentence = isFormal
    ? notes.flatMap(sentencesOf).find((text) => text.length <= MAX_FORMAL_SENTENCE_CHARS && requiresTerms(text))
    : notes.slice(0, MAX_TERMS_NOTES).find(requiresTerms);
  if (sentence === undefined || isArticle || elements.code > 0 || elements.passwords > 0 || elements.textFields > 1)
    return null;
  if (!hasLabel(ENTER) && !labels.some((label) => says(label, BUTTON))) return null;
  return `The page requires the reader's consent: ${quote(sentence)}.`;
}

function requiresTerms(text: string): boolean {
  return says(text, TERMS) && !CONTEST.test(text) && (!COOKIES.test(text) || CONDITIONS.test(text));
}

/** Finds a page whose only content is a list of countries, regions or stores. */
export function findRegionGate(facts: PageFacts): string | null {
  const { headings, titleParts, content, lines, proseChars } = facts;
  if (proseChars > MAX_REGION_PROSE_CHARS) return null;
  const first = lines[0]?.text;
  const firstLines = content.slice(0, MAX_QUESTION_LINES).map(({ text }) => text);
  const question = [
    ...headings.slice(0, 2),
    ...(headings.length === 0 && first ? [first] : []),
    ...titleParts,
    ...firstLines.filter((text) => text.length <= MAX_QUESTION_CHARS),
  ].find((text) => says(text, REGION));
  if (question === undefined || content.some(({ text }) => /\d/.test(text))) return null;
  if (content.some(({ text }) => text !== question && MIN_FACT.test(text) && !REGION_WORD.test(text))) return null;
  const options = content.filter((line) => line.text.length <= MAX_REGION_LINE_CHARS && line.headingLevel === 0);
  const others = content.filter((line) => !options.includes(line) && line.headingLevel === 0 && line.text !== question);
  const isForm = facts.unlinkedChars <= MAX_REGION_FORM_CHARS && facts.elements.buttons.length > 0;
  if (
    (options.length < MIN_REGIONS && facts.elements.linkLabels.length < MIN_REGIONS && !isForm) ||
    others.reduce((sum, line) => sum + line.length, 0) > MAX_REGION_PROSE_CHARS
  )
    return null;
  return `The page requires a choice of country or store: ${quote(question)}.`;
}
