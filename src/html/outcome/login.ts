import { isLinkLine, type TextLine } from "../main-content/regions";
import { hasPrice } from "./ordinary-signs";
import type { PageFacts } from "./page-facts";
import { normalize, quote, says, sentencesOf } from "./phrases";

/** A sign-in page has at most this much prose. */
const MAX_PROSE_CHARS = 900;
const MAX_CHARS = 1_500;
/** A page without a form that tells readers to sign in has at most this much text. */
const MAX_DEMAND_CHARS = 500;
/** A page with only such a demand has at most this much text. */
const MAX_BRIEF_CHARS = 250;
/** The same for text besides the demand, on a page that isn't named a sign-in page. */
const MAX_REST_CHARS = 60;
/** A form on a page that isn't named a sign-in page is the whole content if the page has at most this much text. */
const MAX_UNNAMED_CHARS = 400;
/** The links next to a sign-in form have at most this much text. */
const MAX_LINKED_CHARS = 600;
/** A page with a field for the name, before the page with the password, has at most this much text. */
const MAX_FIRST_STEP_CHARS = 120;
/** A page with only a form has at most this much prose. */
const MAX_BARE_PROSE_CHARS = 80;
/** The same if only a button names the sign-in form. */
const MAX_FOREIGN_PROSE_CHARS = 110;
const MAX_LABEL_CHARS = 70;
/** A shorter line is a label. */
const MIN_TEXT_CHARS = 12;
/** The least text of a page under a dialog. */
const MIN_COVERED_CHARS = 60;
/** A page may have a form for signing in and another one for signing up, which repeats the password. */
const MAX_PASSWORDS = 3;
/** A page with more fields for text is a checkout or another kind of form, with a sign-in form next to it. */
const MAX_TEXT_FIELDS = 3;
/** A sign-in form in a table has at most this many header cells. */
const MAX_FORM_HEADERS = 4;

/** Titles, headings and labels of sign-in forms. They match whole labels. */
const LABELS: readonly RegExp[] = [
  /^(?:please )?(?:member |user |customer |account |client |admin |secure |employee |student |staff )*(?:log ?-?in|sign ?-?in|logon|log on|sign on)(?: page| form| required| here| now| securely)?(?: (?:to|with|into|at|using|for|-|or|and) .{1,40})?\W*$/,
  /^(?:welcome back|authentication required|continue with (?:google|apple|facebook|microsoft|email|sso)|enter your password|(?:my )?account login)\W*$/,
  /^(?:(?:bitte |jetzt )?(?:anmelden|einloggen|anmeldung|log-?in)|kunden-?login|mitglieder-?login|melden sie sich (?:bitte )?an|melde dich (?:bitte )?an|mit .{1,20} anmelden)(?: bei .{1,40})?\W*$/,
  /^(?:(?:se )?connecter|connexion|se connecter(?: à .{1,40})?|connectez-vous(?: à .{1,40})?|identification|identifiez-vous|s'identifier|espace (?:client|membre|personnel|abonné)s?|authentification|(?:me|se) connecter|(?:accéder|accès) à (?:mes comptes|mon compte|mon espace.{0,20}|votre compte|votre espace.{0,20}))\W*$/,
  /^(?:iniciar? (?:de )?sesión|inicio de sesión|inicia sesión(?: en .{1,40})?|acceder|acceso(?: clientes| usuarios)?|entrar|ingresar|ingresa|identifícate|identificarse)\W*$/,
  /^(?:entrar|iniciar sessão|fazer login|faça login|faça (?:o )?seu login|acessar|acesse sua conta|entre na sua conta|acesso)\W*$/,
  /^(?:accedi|accedere|accesso|entra|area (?:riservata|clienti)|effettua (?:il login|l'accesso)|accedi al tuo account|autenticazione)\W*$/,
  /^(?:inloggen|log in|aanmelden|login|mijn account|meld je aan|inloggen bij .{1,40})\W*$/,
  /^(?:giriş(?: yap(?:ın)?| sayfası)?|oturum aç(?:ın|ma)?|üye girişi|kullanıcı girişi|hesabınıza giriş yapın)\W*$/,
  /^(?:вход(?: в .{1,40}| на сайт)?|войти(?: в .{1,40}| через .{1,20})?|авторизация|авторизуйтесь|личный кабинет|авторизоваться|вход для .{1,30})[^\p{L}\p{N}]*$/u,
  /^(?:zaloguj(?: się)?(?: do .{1,40})?|logowanie(?: do .{1,40})?|panel logowania|zaloguj się na swoje konto)\W*$/,
  /^(?:ログイン(?:する|ページ|画面|フォーム)?|サインイン|会員ログイン|.{1,12}にログイン|.{0,10}会員.{0,6}ログイン)[^\p{L}\p{N}]*$/u,
  /^(?:登录|登入|登陆|登錄|会员登录|會員登入|用户登录|用戶登入|账号登录|密码登录|帳號登入|立即登录|.{1,10}登录)[^\p{L}\p{N}]*$/u,
  /^(?:로그인(?:하기|하세요)?|회원 ?로그인|.{1,12} 로그인)[^\p{L}\p{N}]*$/u,
  /^(?:logga in|log på|log ind|logg inn|kirjaudu(?: sisään)?|přihlášení|přihlásit(?: se)?|prihlásenie|bejelentkezés|belépés|autentificare|conectare|σύνδεση|είσοδος|вхід|увійти|masuk|đăng nhập|เข้าสู่ระบบ|تسجيل الدخول|دخول|כניסה|התחברות)(?: (?:på|til|i|do|se|в) .{1,40})?\W*$/u,
  /^(?:portail d'authentification|identifiez-vous|identifique-se|accede a .{1,40}|accedi a(?:i|l|lla|gli)? .{1,40}|zaloguj .{1,40}|members? only|private (?:area|page|site)|protected: .{1,80}|interner bereich|geschützter bereich|area (?:personale|privata)|área (?:privada|restrita|de clientes)|扫码登录|(?:how|where) do you want to (?:sign|log) in)\W*$/u,
];

/** Sentences that withhold content until the reader signs in. */
const DEMANDS: readonly RegExp[] = [
  /\b(?:you (?:must|need to|have to|should) (?:be (?:logged|signed)[ -]in|(?:first )?(?:log ?in|sign ?in|log on))|(?:please |kindly )(?:log ?in|sign ?in|login|log on|authenticate)\b.{0,60}\b(?:to|before|first|continue|view|access|see)|(?:log|sign) ?in(?: or (?:sign ?up|register|create an account|join))? to (?:continue|view|see|access|read|proceed|your account)|(?:only )?(?:registered|logged[ -]in|signed[ -]in) (?:users|members)(?: only| can| may| have)|(?:this (?:page|content|area|board|section|forum) (?:is|requires).{0,40}(?:members|log(?:ged)? ?in|sign(?:ed)? ?in|registered|authentication))|login required|authentication (?:is )?required|join .{1,40} or sign in)/,
  /(?:(?:bitte|um) .{0,60}(?:melden sie sich|melde dich|loggen sie sich|logge dich|anmelden|einloggen|anzumelden|einzuloggen)|(?:müssen|musst) .{0,40}(?:angemeldet|eingeloggt|anmelden|einloggen)|nur für (?:registrierte|angemeldete|eingeloggte|mitglieder)|melden sie sich (?:bitte )?an,? um|melde dich (?:bitte )?an,? um)/,
  /(?:(?:vous devez|veuillez|merci de) .{0,40}(?:connecter|connecté|identifier|identifié)|connectez-vous pour|identifiez-vous pour|réservée? aux (?:membres|utilisateurs (?:inscrits|connectés)))/,
  /(?:(?:debes|debe|tienes que|necesitas|por favor).{0,30}(?:iniciar? sesión|inicia sesión|inicie sesión|identificar|acceder|ingresar)|inicia sesión para|inicie sesión para|solo (?:para )?(?:usuarios|miembros) registrados)/,
  /(?:(?:você precisa|é necessário|é preciso|por favor).{0,30}(?:fazer login|entrar|estar logado|login|iniciar sessão)|(?:faça|efetue) (?:o )?login para|entre para|inicie sessão para|apenas (?:para )?usuários registrados)/,
  /(?:(?:devi|è necessario|bisogna|per favore).{0,30}(?:accedere|effettuare (?:il login|l'accesso)|autenticar|loggarti|essere (?:loggato|registrato))|(?:accedi|effettua (?:il login|l'accesso)) per|riservat[ao] agli utenti registrati)/,
  /(?:(?:je|u) moet .{0,30}(?:inloggen|ingelogd|aanmelden|aangemeld)|log in om|(?:log|meld je) .{0,20}(?:om verder|om deze)|alleen (?:toegankelijk )?voor (?:leden|geregistreerde))/,
  /(?:(?:giriş yap|oturum aç|üye ol)(?:malı|manız|mak gerek|ın|ınız)|için (?:lütfen )?(?:giriş yap|oturum aç|üye girişi))/,
  /(?:(?:необходимо|нужно|пожалуйста|чтобы).{0,50}(?:войти|войдите|авторизоваться|авторизуйтесь|зарегистрир)|(?:войдите|авторизуйтесь),? чтобы|только (?:для )?(?:зарегистрированны|авторизованны))/,
  /(?:(?:musisz|proszę|aby|należy).{0,50}(?:zalogowa|zaloguj|być zalogowan)|zaloguj się,? (?:aby|żeby|by)|tylko dla (?:zalogowanych|zarejestrowanych))/,
  /(?:ログイン(?:が必要|してください|して(?:続け|ご覧|ご利用)|すると|後に)|会員(?:限定|専用|登録が必要)|サインインして)/u,
  /(?:(?:请|請)(?:先)?(?:登录|登入|登錄)|(?:登录|登入|登錄)(?:后|後|以)(?:才)?(?:可|查看|继续|繼續|即可)|需要(?:登录|登入|登錄)|(?:您|你)(?:还没有|尚未|還沒有)(?:登录|登入|登錄))/u,
  /(?:로그인(?:이 필요|해 ?주세요|해야|하셔야|후 이용|이 필요한|하신 후| 후)|회원(?:만|전용|에게만))/u,
  /\b(?:login|log-in|sign-in) is required|\bpassword[- ]protected\b|guests? (?:cannot|can't|may not) (?:access|view)|\b(?:sign|log) in with an account|not authori[sz]ed to (?:read|view|access)|you are not (?:logged|signed) in or you do not have permission|\buse your .{1,30}account to (?:get in|log in|sign in|continue)|\b(?:is|are) for (?:registered )?members\b.{0,40}|we'll email you a (?:magic )?link/,
  /log in met .{1,20} om|logg(?:a|e)? (?:in|inn|på|ind) for at|du (?:skal|må|måste) logg|(?:kirjaudu|sinun on kirjauduttava)|(?:musíte se|přihlaste se|prosím přihlaste)|(?:be kell jelentkezn|jelentkezz be)|(?:необхідно|щоб).{0,40}(?:увійти|увійдіть)|(?:vui lòng|bạn cần) đăng nhập|silakan masuk|войдите или зарегистрируйтесь/u,
];
const LOGIN_URL =
  /[/.=_-](?:log-?in|sign-?in|signin|logon|auth|sso|oauth2?|wp-login|session|account\/login|anmelden|connexion|accounts?)(?:[/.?&_-]|$)|^https?:\/\/(?:login|signin|auth|sso|accounts?|id|idp)\./i;
const SIGN_UP =
  /\b(?:sign ?up|register|registration|create (?:an |your )?account|join now|registrieren|inscription|regístrate|registro|cadastr|registrati|kayıt ol|регистрация|zarejestruj|新規登録|注册|註冊|회원가입)/i;

/** Names other forms with a password. */
const ACCOUNT =
  /\b(?:join|create|change|new|reset|test|check|delete|confirm|save|wi-?fi|router setup|connect|import|generat)|konto|ändern|neu\b|löschen|cuenta nueva|crear|criar|créer|crea\b|modif|cambia|nieuw|wijzig|yeni|değiştir|создать|измени|utwórz|zmień|załóż|作成|変更|创建|建立|修改|가입|변경/iu;

/** The labels of buttons that sign in with another service. */
const PROVIDERS: readonly RegExp[] = [
  /^(?:continue|sign in|log in|login|sign up) (?:with|using|via) |^(?:mit|über) .{1,20} (?:anmelden|fortfahren|einloggen)|^(?:continuer|se connecter|connexion) avec |^(?:continuar|iniciar sesión|acceder|entrar|ingresar) con |^(?:continuar|entrar|iniciar sessão) com |^(?:continua|accedi) con |^(?:doorgaan|inloggen|verder) met |ile (?:giriş yap|devam et)|^(?:войти|продолжить) (?:через|с помощью|с) |^(?:zaloguj się|kontynuuj) (?:przez|z|za pomocą) |^(?:entra|entrar|accedi|inloggen|logga in|log på|logg inn|zaloguj|войти) (?:con|com|met|med|przez|через|przy|kodem) |^(?:mobilt? )?bankid\b|で(?:ログイン|続行|続ける)|(?:使用|通过|用|以).{1,12}(?:登录|登入|继续|繼續)|(?:로|으로) (?:로그인|계속)/u,
];
/** Actions for which readers must sign in, although the page shows its content. */
const OPTIONAL =
  /comment|telefonisch|\bkurs|teilnahme|veranstaltung|\bplatz|notification|\bstar\b|subscribe|upload|report (?:this|a)|\blike\b|join the (?:discussion|conversation)|結帳|结账|結賬|购物|購物|お買い物|ご注文|주문|review|repl(?:y|ies)|respond|\brate\b|rating|vote|wish ?list|bookmark|\bsave\b|follow|\bedit|contribut|\bchat|\bask |answer|post (?:a|your|new)|bid|favou?rite|check ?out|\bcart\b|\bbasket|faster|sneller|afreken|schneller|warenkorb|plus vite|panier|más rápido|carrito|carrinho|carrello|winkelwagen|sepet|корзин|koszyk|カート|购物车|購物車|장바구니|kommentar|kommentier|bewert|antwort|merkliste|commenter|un avis|comentar|comentario|reseña|opinión|commentare|recension|reager|reactie|beoordel|yorum|değerlendir|коммент|отзыв|ответить|komentarz|komentowa|opini|コメント|レビュー|投稿|お気に入り|评论|評論|回帖|发帖|發帖|跟帖|回应|回复|回覆|收藏|댓글|리뷰|찜/u;
/** Names another purpose of signing in than reading the content. */
const ACCESS =
  /\b(?:signed|logged|sign|log)[ -]?in to (?!(?:continue|proceed|view|see|access|read|enter|open|use|display|visit|watch|unlock|browse|get|find|do that|perform|your|our|my|the|this|a |an )\b)/;
/** Text about an interface that requires a key. */
const INTERFACE = /\bapi\b|endpoint|\bheaders?\b|bearer|\btoken|\bsdk\b|access key/i;
/** Links and labels that only sign-in forms have. */
const FORGOTTEN =
  /(?:forgot|forgotten|lost|reset|recover|trouble) .{0,20}(?:password|passcode|username|sign|log)|can't (?:log|sign) in|remember me|keep me (?:logged|signed) in|stay signed in|passwort (?:vergessen|zurücksetzen)|angemeldet bleiben|(?:mot de passe|identifiant|code).{0,15}oublié|rester connecté|se souvenir de moi|(?:olvid|recuperar|restablecer).{0,25}contraseña|recu[eé]rda?me|recordarme|esquec.{0,20}senha|recuperar (?:a )?senha|lembrar|(?:password|credenziali) dimenticat|dimenticato .{0,10}password|ricordami|wachtwoord vergeten|ingelogd blijven|onthoud mij|şifre(?:mi|nizi)? ?(?:unuttum|mi unuttunuz)|beni hatırla|забыли пароль|восстановить пароль|запомнить меня|(?:zapomniał|nie pamięta|odzyskaj|przypomnij).{0,20}has[łl]|zapamiętaj mnie|パスワードを?(?:お?忘れ|再設定)|ログイン状態を|忘记密码|忘記密碼|记住我|記住我|비밀번호 ?(?:찾기|를 잊|재설정)|로그인 ?상태|glömt (?:lösenord|ditt)|glemt (?:passord|adgangskode|kodeord)|unohd\p{L}+ salasan|zapomenut\p{L}* hesl|elfelejtett jelszó|забули пароль|quên mật khẩu|lupa (?:kata sandi|password)|نسيت كلمة|problem z logowaniem|trouble (?:signing|logging)/iu;

/** Returns the evidence that the page is a sign-in page or withholds its content until the reader signs in, or null. */
export function findLogin(facts: PageFacts): string | null {
  if (facts.proseChars > MAX_PROSE_CHARS || facts.unlinkedChars > MAX_CHARS) return null;
  const { elements } = facts;
  if (elements.code > 0) return null;
  return elements.passwords > 0 ? findForm(facts) : findDemand(facts);
}

function findForm(facts: PageFacts): string | null {
  const { elements, titleParts, headings, proseChars, content } = facts;
  const names = namesOf(facts);
  const linked = content.reduce((sum, line) => sum + line.linkLength, 0);
  if (linked > MAX_LINKED_CHARS || elements.passwords > MAX_PASSWORDS || elements.textFields > MAX_TEXT_FIELDS)
    return null;
  if (hasPrice(facts) || isOverContent(facts)) return null;
  // Some forums put the form into a table.
  if (elements.tableHeaders > (demandOf(facts) === undefined ? 0 : MAX_FORM_HEADERS)) return null;
  if (titleParts.every((text) => !isLabel(text)) && facts.notes.some(isOptional)) return null;
  const isForgotten = content.some(({ text }) => text.length <= MAX_LABEL_CHARS && FORGOTTEN.test(normalize(text)));
  const labels = [...titleParts, ...headings];
  if (!isForgotten && labels.some((text) => SIGN_UP.test(text)) && !labels.some(isLabel)) return null;
  const evidence = names.length + Number(isForgotten) + Number(LOGIN_URL.test(facts.response.url));
  const isNamed = labels.some(isLabel) || LOGIN_URL.test(facts.response.url);
  if (isBareForm(facts, labels)) return "The page has only a sign-in form.";
  const isForeign = proseChars > MAX_FOREIGN_PROSE_CHARS && !isNamed && !isForgotten;
  const isOnlyForm = proseChars <= MAX_DEMAND_CHARS && !isForeign;
  if (!isNamed && facts.unlinkedChars > MAX_UNNAMED_CHARS) return null;
  if (isOnlyForm && (evidence >= 2 || (evidence === 1 && facts.unlinkedChars <= MAX_DEMAND_CHARS)))
    return "The page has only a sign-in form.";
  const demand = demandOf(facts);
  return demand === undefined ? null : `The page says ${quote(demand)}.`;
}

/** Returns true if the page has only fields for a name and a password, and doesn't create or change an account. */
function isBareForm({ elements, unlinkedChars, proseChars }: PageFacts, labels: readonly string[]): boolean {
  if (elements.passwords !== 1 || elements.textFields < 1 || elements.textFields > 2) return false;
  if (unlinkedChars > MAX_BRIEF_CHARS || proseChars > MAX_BARE_PROSE_CHARS || elements.buttons.length === 0)
    return false;
  return ![...labels, ...elements.buttons].some((text) => SIGN_UP.test(text) || ACCOUNT.test(text));
}

/** Finds a page that withholds its content without showing a field for the password. */
function findDemand(facts: PageFacts): string | null {
  const { unlinkedChars, elements } = facts;
  if (unlinkedChars > MAX_DEMAND_CHARS || hasPrice(facts)) return null;
  if (facts.notes.some((text) => INTERFACE.test(text))) return null;
  const demand = demandOf(facts);
  const names = namesOf(facts);
  const isNamed =
    [...facts.titleParts, ...facts.headings].some(isLabel) ||
    facts.content.some((line) => isLinkLine(line) && isLabel(line.text));
  if (
    demand !== undefined &&
    (names.length > 0 || unlinkedChars <= MAX_BRIEF_CHARS) &&
    unlinkedChars - demand.length <= (isNamed ? MAX_BRIEF_CHARS : MAX_REST_CHARS) &&
    (isNamed || isFirst(demand, facts))
  )
    return `The page says ${quote(demand)}.`;
  const isForm =
    elements.textFields > 0 || [...elements.buttons, ...elements.linkLabels].some((label) => says(label, PROVIDERS));
  const isFirstStep =
    elements.textFields === 1 && unlinkedChars <= MAX_FIRST_STEP_CHARS && facts.headings.slice(0, 1).some(isLabel);
  return (names.length >= 2 || isFirstStep) && isForm && unlinkedChars <= MAX_BRIEF_CHARS
    ? "The page has only a sign-in form."
    : null;
}

/** Returns true if the form is in a dialog over a page with content. */
function isOverContent({ lines, content }: PageFacts): boolean {
  const isOfForm = ({ text }: TextLine) =>
    isLabel(text) || (text.length <= MAX_LABEL_CHARS && FORGOTTEN.test(normalize(text)));
  if (!lines.some(isOfForm) || content.some(isOfForm)) return false;
  const covered = content.filter((line) => !isLinkLine(line) && line.headingLevel === 0);
  return covered.reduce((sum, line) => sum + line.length, 0) >= MIN_COVERED_CHARS;
}

/** Returns true if no other text precedes the demand, except headings and labels. */
function isFirst(demand: string, { content }: PageFacts): boolean {
  const at = content.findIndex(({ text }) => text.includes(demand));
  const before = content.slice(0, Math.max(0, at)).filter((line) => !isLinkLine(line) && line.headingLevel === 0);
  return content[at]?.text.startsWith(demand) !== false && before.every(({ length }) => length < MIN_TEXT_CHARS);
}

function isLabel(text: string): boolean {
  return text.length <= MAX_LABEL_CHARS && says(text, LABELS);
}

/** Returns the title, the heading and the label of a button that name a sign-in form. */
function namesOf({ titleParts, headings, notes, elements }: PageFacts): string[] {
  const labels = [
    titleParts.find(isLabel),
    [...headings, ...notes.slice(0, 3)].find(isLabel),
    elements.buttons.find(isLabel),
  ];
  return labels.filter((label) => label !== undefined);
}

/** Returns true if readers must sign in only for an action, such as a reply. */
function isOptional(text: string): boolean {
  return says(text, DEMANDS) && OPTIONAL.test(normalize(text));
}

function demandOf({ notes }: PageFacts): string | undefined {
  return notes.flatMap(sentencesOf).find((text) => {
    const normalized = normalize(text);
    return says(text, DEMANDS) && !OPTIONAL.test(normalized) && !ACCESS.test(normalized);
  });
}
