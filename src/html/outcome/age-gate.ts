import { isLinkLine } from "../main-content/regions";
import { hasPrice, isOffered } from "./ordinary-signs";
import type { PageFacts } from "./page-facts";
import { MAX_PHRASE_CHARS, quote, says } from "./phrases";

const MAX_AGE_GATE_CHARS = 1_200;
const MAX_QUESTION_CHARS = 900;
const MAX_QUESTION_LINE_CHARS = 240;
const OTHER_SENTENCE = /^.{50,}[.!。]$/u;
/** An age gate has fields for the day, the month and the year. A longer form is another kind of page. */
const MAX_GATE_FIELDS = 3;
/** The questions of age gates. */
const AGE: readonly RegExp[] = [
  /(?:confirm|certif|déclar|erklär|bestätig|declar|potwierdz|подтвержда)\S* .{0,40}\b18\b|\b(?:are you|you must be|i am|you are|i'm|confirm (?:that )?you(?:'re| are)|must confirm).{0,30}(?:(?:at least|over|of|above|older than)?.{0,15}\b(?:18|19|20|21)\b|legal (?:drinking|smoking)? ?age|old enough|an adult)/,
  /\bage (?:verification|check|confirmation|restricted)|verify your age|enter your (?:date of birth|birth ?date|age|birthday)|adults only/,
  /(?:bist du|sind sie|ich bin).{0,25}(?:18|volljährig|alt genug)|altersverifikation|altersprüfung|altersbestätigung|mindestens 18/,
  /(?:avez-vous|êtes-vous|j'ai|vous devez avoir).{0,25}(?:18|majeur|l'âge légal)|vérification de l'âge|réservé aux adultes/,
  /(?:eres|es usted|tienes|tiene|soy).{0,25}(?:18|mayor de edad)|verificación de edad|(?:você|tem).{0,25}(?:18|maior de idade)|verificação de idade|(?:hai|sei|ho).{0,25}(?:18|maggiorenne)|verifica(?:zione)? (?:dell')?età|(?:ben je|bent u|ik ben).{0,25}18|leeftijdscontrole/,
  /18 yaşın|yaş doğrulama|reşit|вам (?:уже )?(?:есть |исполнилось )?18|мне (?:уже )?(?:есть |исполнилось )?18|подтвердите.{0,20}возраст|(?:masz|mam) (?:ukończone |skończone )?18|jesteś pełnoletn|pełnoletni/,
  /(?:18|20)歳(?:以上|未満)|年齢(?:確認|認証)|(?:您|你)(?:是否)?(?:已)?(?:年?满|滿|年滿)\s?(?:18|20|21)|年龄验证|年齡驗證|(?:만 ?)?19세|성인 ?인증|연령 ?확인/u,
  /\b(?:confirm|verify|check) your age\b|legal (?:drinking|smoking) age|\b(?:at least|over) (?:eighteen|twenty-one)\b|^(?:18|21)\+(?: only)?\W*$|(?:this is an |an? )adult (?:web ?)?site|age[- ]restricted (?:material|content|product)|(?:mature|explicit|adult|restricted) (?:audiences|content)|years? of age or older|for adults/,
  /unter 18|erst ab (?:16|18)|ab 18 jahren|jugendschutz|volljährig|moins de 18 ans|majorité|mayores? de (?:18|edad)|menores de (?:18|edad)|maiores de (?:18|idade)|menores de (?:18|idade)|maggiorenni|minori di 18|jonger dan 18|(?:18|achttien) jaar (?:of|en) ouder/,
  /18 yaşından|(?:лицам|лиц),? (?:младше|не достигш|старше)|совершеннолетн|достигли 18|niepełnoletni|ukończone 18|未満の(?:方|お客様|青少年)|成人の方|未满(?:18|十八)|未滿(?:18|十八)|限制級|成人內容|成人内容|미만의? ?(?:청소년|이용)|청소년 ?(?:유해|이용)|성인 ?콘텐츠/u,
  /över 18|fyllt 18|over 18 år|fylt 18|fyldt 18|täyttänyt 18|yli 18|starší 18|bylo (?:vám|ti) 18|elmúltál 18|elmúlt 18|άνω των 18|18 років|peste 18 ani|навърш\S* 18|18 tahun|đủ 18|18 tuổi|فوق 18/u,
];
/** Questions to professionals and warnings of content, which readers must confirm. */
const CONFIRMATION: readonly RegExp[] = [
  /\b(?:are you|i am|i'm|confirm (?:that )?you are|intended (?:only )?for|restricted to|only for) (?:an? |the )?(?:\S+ ){0,3}(?:healthcare|health care|medical|professional|qualified|accredited|institutional) (?:professionals?|practitioners?|investors?|clients?)\b|(?:mature|adult|sensitive|explicit|graphic) (?:content|material)\b|content warning|(?:not|isn't) (?:available|intended) (?:in|for) (?:your|the) (?:country|region|location)/,
  /(?:angehörige|fachkreise|fachpersonal|medizinische fachkräfte|professionelle anleger)|(?:professionnel|professionnelle) de (?:la )?santé|investisseur (?:professionnel|qualifié)|profesional(?:es)? (?:sanitario|de la salud)|inversor (?:profesional|cualificado)|profissiona(?:l|is) de saúde|(?:professionista|operatore) sanitari|zorgprofessional|sağlık (?:mesleği|profesyonel)|(?:медицинск\S+|специалист\S+ здравоохранения)|(?:pracownik|osob\S+) (?:medyczn|służby zdrowia)|医療関係者|医疗(?:专业|卫生)|의료 ?(?:전문|인)/u,
  /\b(?:health ?care|medical) professionals?\b.{0,20}\b(?:only|practising|practicing|in the)|profession(?:nels|nel) de santé|profesionales? (?:sanitario|de la salud)|operatori sanitari|(?:doctor|physician|pharmacist)s? only/,
  /\b(?:for|to) (?:healthcare|health care|medical) professionals (?:in|of|within)\b|odborn(?:á|ou) veřejnost|odborník(?:ům|em)?(?: ve)? |zawód medyczny|(?:dla|przeznaczon\S+ dla) (?:lekarzy|profesjonalistów|farmaceutów)|(?:медицинским|фармацевтическим) .{0,20}работник|egészségügyi szakember|hälso- och sjukvårdspersonal|sundhedsfaglig|helsepersonell|terveydenhuollon ammattil/u,
];
const BIRTH =
  /date of birth|birth ?date|geburtsdatum|date de naissance|fecha de nacimiento|data de nascimento|data di nascita|geboortedatum|doğum tarih|дат[ау] рождения|dat[aęy] urodzenia|生年月日|出生(?:日期|年月)|생년월일|year of birth|birth year|geburtsjahr|année de naissance|año de nacimiento|födelse|fødsels|syntymä|datum narození|születési/iu;
/** The beginning of the label of a button of an age gate. */
const AGE_BUTTON =
  /^(?:i(?:'m| am| have)|over|under|ich |j'ai |je |tengo |soy |tenho |sou |ho |sono |ik |mam |jestem |мне |я |我|내|저는)|^(?:yes|no|enter|exit|leave|ja|nein|oui|non|entrer|quitter|sí|si|no|entrar|salir|sim|não|sair|entra|esci|nee|evet|hayır|giriş|да|нет|войти|выйти|tak|nie|はい|いいえ|入场|进入|离开|進入|離開|是|否|예|아니오|네|confirm|submit|verify|continue|continuer|weiter|18|understood|confirmer|valider|bestätigen|verlassen|confirmar|conferma|bevestig|onayla|подтвердить|potwierdzam|potwierdź|potwierd|wejd|確認|确认|확인|인증|휴대폰|본인|jag |jeg |kyllä|ei\b|ano\b|ne\b|igen|nem|ναι|όχι|так|ні|da\b|nu\b|ya\b|tidak|tôi|có|نعم|لا)(?![\p{L}])|^(?:휴대폰|본인|성인|我)/iu;
/** The rest of the label of a button of an age gate, such as "Yes, I am 18 or older". */
const AGE_REST =
  /\bi am\b|\bi'm\b|jestem|\bjsem\b|dichiaro|gehöre|ammattil|^[^\p{L}\p{N}]*$|\d|\bage\b|\bold(?:er)?\b|adult|under|over\b|enter|site|leave|submit|confirm|continu|alter|\balt\b|jünger|volljährig|seite|majeure?|mineure?|âge|edad|mayor|menor|años|anos|idade|maior|anni|maggiorenne|età|jaar|ouder|yaş|лет|возраст|lat\b|pełnolet|wiek|souhaite|compris|歳|岁|歲|세|eighteen|twenty|thank|continue|health ?care|medical|professional|patient|public|fachkreis|gesundheit|professionnel|patient|profesional|profissional|sanitari|médic|medic|zorg|uitgang|verlaten|人증|인증|나가기|満|滿|满|以上|未満|未滿|未满|år|vuotta|let\b|éve|ετών|років|ani\b|tahun|tuổi/iu;
/** Classes and ids of age gates. */
const MARK =
  /(?:^|[\s_-])(?:age[-_]?(?:gate|verif\w*|check|popup|confirm\w*|wall|restrict\w*)|adult[-_]?(?:intro|gate|warning|check)|hcp[-_]?gate|agecheck|birthday[-_]?selector)(?=$|[\s_-])/i;

/** Returns the evidence that the page requires the reader's age or profession before its content, or null. */
export function findAgeGate(facts: PageFacts): string | null {
  const { lines, elements } = facts;
  const texts = lines.map(({ text }) => text);
  const total = lines.reduce((sum, line) => sum + (isLinkLine(line) ? 0 : line.length), 0);
  if (total > MAX_AGE_GATE_CHARS || elements.code > 0 || elements.textFields > MAX_GATE_FIELDS) return null;
  const isMarked = MARK.test(elements.names);
  const mayConfirm = elements.passwords === 0 && total <= MAX_QUESTION_CHARS;
  const question =
    [...texts, ...facts.titleParts].find((text) => text.length <= MAX_QUESTION_LINE_CHARS && says(text, AGE)) ??
    (mayConfirm || isMarked
      ? (findConfirmation(texts) ?? texts.find((text) => text.length <= MAX_PHRASE_CHARS && BIRTH.test(text)))
      : undefined);
  if (question === undefined || hasPrice(facts) || isOffered(facts)) return null;
  const labels = [
    ...elements.buttons,
    ...elements.linkLabels.filter((label) => facts.content.some(({ text }) => text.includes(label))),
    ...facts.content.map(({ text }) => text).filter((text) => text.length <= 50 && text !== question),
  ].filter((label) => label !== "");
  if (!(isMarked ? labels.length > 0 : labels.some(isAgeButton))) return null;
  return `The page requires the reader's confirmation: ${quote(question)}.`;
}

/** Returns the request for a confirmation. The text before it has no other sentences. */
function findConfirmation(texts: readonly string[]): string | undefined {
  const at = texts.findIndex((text) => says(text, CONFIRMATION));
  return texts.slice(0, Math.max(at, 0)).some((text) => OTHER_SENTENCE.test(text)) ? undefined : texts[at];
}

function isAgeButton(label: string): boolean {
  const text = label.trim();
  const begin = AGE_BUTTON.exec(text)?.[0];
  return begin !== undefined && AGE_REST.test(text.slice(begin.length));
}
