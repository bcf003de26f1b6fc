import { isLinkLine } from "../main-content/regions";
import type { PageFacts } from "./page-facts";
import { MAX_PHRASE_CHARS, quote, says } from "./phrases";

/** A consent wall has at most this much text. */
const MAX_CHARS = 6_000;
/** A consent wall has at most this much text that isn't about consent. */
const MAX_OTHER_CHARS = 350;
/** At least this share of the text is about consent. */
const MIN_SHARE = 0.5;
const MAX_AGE_GATE_CHARS = 1_200;

const SUBJECT =
  /cookie|consent|privacy|gdpr|personal(?:i[sz]ed)? (?:data|ad|content)|personal data|our partners|partners|legitimate interest|advertis|tracking|einwillig|zustimm|datenschutz|personenbezogen|werbung|tracking|çerez|kişisel veri|куки|cookie|согласи|персональн|confidentialité|consentement|traceurs|données|publicité|privacidad|consentimiento|datos personales|publicidad|privacidade|consentimento|dados pessoais|riservatezza|consenso|dati personali|pubblicit|toestemming|gegevens|advertenties|zgod|prywatno|danych osobowych|クッキー|同意|プライバシー|隐私|隱私|同意|쿠키|동의|개인정보/iu;
const BUTTON: readonly RegExp[] = [
  /^(?:yes,? )?(?:i )?(?:accept|agree|allow|consent|reject|decline|continue without|got it|accept all|agree to all|manage (?:options|preferences|settings|cookies))\b.{0,40}$/,
  /^(?:alle[ns]? )?(?:cookies )?(?:akzeptieren|zustimmen|annehmen|ablehnen|einwilligen)\b.{0,40}$|^(?:ich )?(?:akzeptiere|stimme zu|bin einverstanden)|^(?:alle|allen) (?:akzeptieren|ablehnen|zustimmen|cookies)|einwilligen und weiter|akzeptieren und weiter|zustimmen und weiter|einverstanden/,
  /^(?:tout )?(?:accepter|refuser|j'accepte|continuer sans accepter|je refuse|tout accepter|tout refuser|gérer)\b.{0,40}$/,
  /^(?:aceptar|rechazar|acepto|aceitar|rejeitar|recusar|aceito|concordo|accetta|accetto|rifiuta|continua senza accettare|accepteren|akkoord|weigeren|alles (?:accepteren|afwijzen|weigeren)|ja, ik accepteer|ik ga akkoord)\b.{0,40}$/,
  /^(?:kabul|tümünü (?:kabul|reddet)|reddet|onaylıyorum|принять|принимаю|соглас|отклонить|akceptuj|zgadzam|odrzuć|przejdź do serwisu|zaakceptuj).{0,40}$/,
  /^(?:(?:すべて)?(?:同意|許可|拒否|承諾)(?:する|して続行|します)?|(?:全部|我)?(?:同意|接受|拒绝|拒絕)(?:并继续|所有.{0,8}|全部)?|(?:모두 )?(?:동의|허용|거부|수락)(?:하기|합니다|함)?)$/u,
];
/** The questions of age gates. */
const AGE: readonly RegExp[] = [
  /\b(?:are you|you must be|i am|you are|i'm|confirm (?:that )?you(?:'re| are)|must confirm).{0,30}(?:(?:at least|over|of|above|older than)?.{0,15}\b(?:18|19|20|21)\b|legal (?:drinking|smoking)? ?age|old enough|an adult)/,
  /\bage (?:verification|check|confirmation|restricted)|verify your age|enter your (?:date of birth|birth ?date|age|birthday)|adults only/,
  /(?:bist du|sind sie|ich bin).{0,25}(?:18|volljährig|alt genug)|altersverifikation|altersprüfung|altersbestätigung|mindestens 18/,
  /(?:avez-vous|êtes-vous|j'ai|vous devez avoir).{0,25}(?:18|majeur|l'âge légal)|vérification de l'âge|réservé aux adultes/,
  /(?:eres|es usted|tienes|tiene|soy).{0,25}(?:18|mayor de edad)|verificación de edad|(?:você|tem).{0,25}(?:18|maior de idade)|verificação de idade|(?:hai|sei|ho).{0,25}(?:18|maggiorenne)|verifica(?:zione)? (?:dell')?età|(?:ben je|bent u|ik ben).{0,25}18|leeftijdscontrole/,
  /18 yaşın|yaş doğrulama|reşit|вам (?:уже )?(?:есть |исполнилось )?18|мне (?:уже )?(?:есть |исполнилось )?18|подтвердите.{0,20}возраст|(?:masz|mam) (?:ukończone |skończone )?18|jesteś pełnoletn|pełnoletni/,
  /(?:18|20)歳(?:以上|未満)|年齢(?:確認|認証)|(?:您|你)(?:是否)?(?:已)?(?:年?满|滿|年滿)\s?(?:18|20|21)|年龄验证|年齡驗證|(?:만 ?)?19세|성인 ?인증|연령 ?확인/u,
];
const AGE_BUTTON =
  /^(?:yes|no|enter|exit|leave|i am|i'm|over|under|ja|nein|oui|non|entrer|quitter|sí|si|no|entrar|salir|sim|não|sair|entra|esci|nee|evet|hayır|giriş|да|нет|войти|выйти|tak|nie|はい|いいえ|入场|进入|离开|進入|離開|是|否|예|아니오|confirm|submit|verify|continue)(?![\p{L}])/iu;
const VENDOR_URL =
  /^https?:\/\/(?:consent\.(?:google|youtube|yahoo)\.|guce\.|myprivacy\.|privacy-?gate\.|cmp\.|consent\.)|\/(?:consent|privacy-?gate|cookie-?wall|zustimmung|age-?gate|age-?verification|collectConsent)(?:[/?.]|$)/i;
const TITLE =
  /before you continue|bevor (?:sie|du) fortf|avant d'accéder|antes de (?:ir|continuar)|prima di continuare|voordat je verdergaat|privacy ?gate|cookie ?wall|consent|zustimmung|age (?:verification|gate|check)|zgod|tcf|privacy settings|privacy preference|einwilligung/i;
const POLICY =
  /(?:privacy|cookie|data protection) (?:policy|notice|statement)|datenschutz(?:erklärung|hinweise)|politique (?:de|des)|política de|informativa|privacyverklaring|cookiebeleid|gizlilik politikası|çerez politikası|политика|polityka/i;

/** Returns the evidence that a consent wall or an age gate is shown instead of the content, or null. */
export function findConsentWall(facts: PageFacts): string | null {
  return findAgeGate(facts) ?? findCookieWall(facts);
}

function findCookieWall({ lines, elements, titleParts, headings, response, html }: PageFacts): string | null {
  const unlinked = lines.filter((line) => !isLinkLine(line));
  const total = unlinked.reduce((sum, line) => sum + line.length, 0);
  if (total === 0 || total > MAX_CHARS || elements.code > 0) return null;
  const labels = [...elements.buttons, ...lines.filter(({ text }) => text.length <= 50).map(({ text }) => text)];
  const button = labels.find((label) => says(label, BUTTON));
  if (button === undefined) return null;
  const about = unlinked.filter(({ text }) => SUBJECT.test(text.slice(0, 2 * MAX_PHRASE_CHARS)));
  const aboutChars = about.reduce((sum, line) => sum + line.length, 0);
  const other = total - aboutChars;
  const isNamed =
    VENDOR_URL.test(response.url) ||
    titleParts.some((part) => TITLE.test(part)) ||
    headings.some((text) => TITLE.test(text));
  if (aboutChars < MIN_SHARE * total && !isNamed) return null;
  if (other > (isNamed ? 3 * MAX_OTHER_CHARS : MAX_OTHER_CHARS)) return null;
  if (titleParts.some((part) => POLICY.test(part)) && !isNamed) return null;
  const isShell = !response.rendered && /<div[^<>]{0,200}\bid=["']?(?:root|app|__next|__nuxt)\b/i.test(html);
  if (isShell && !isNamed) return null;
  const [first] = about.toSorted((a, b) => b.length - a.length);
  return first === undefined ? null : `The page shows only a request for consent: ${quote(first.text)}.`;
}

function findAgeGate({ lines, elements }: PageFacts): string | null {
  const texts = lines.map(({ text }) => text);
  const total = lines.reduce((sum, line) => sum + (isLinkLine(line) ? 0 : line.length), 0);
  if (total > MAX_AGE_GATE_CHARS || elements.code > 0) return null;
  const question = texts.find((text) => says(text, AGE));
  if (question === undefined) return null;
  const labels = [...elements.buttons, ...texts.filter((text) => text.length <= 50 && text !== question)];
  if (!labels.some((label) => AGE_BUTTON.test(label.trim()))) return null;
  return `The page asks for the reader's age: ${quote(question)}.`;
}
