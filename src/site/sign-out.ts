import { decodeUri } from "../lib/text";

/** Matches a part of a URL that ends a session, such as `logout`, `users/sign_out` or `Special:UserLogout`. */
const ADDRESS =
  /^(?:special:)?(?:user|auth|account|member|customer|do|wp|j[-_]?spring[-_]?security)?[-_.]?(?:(?:log|sign)[-_]?(?:me[-_])?(?:out|off)(?:[-_]?(?:user|all))?|abmelden|ausloggen|(?:se-?)?d[ée]connexion|(?:se-?)?d[ée]connecter|(?:cerrar|terminar|encerrar)[-_]?(?:sesi[oó]n|sess[aã]o)|uitloggen|afmelden|wyloguj(?:-?sie)?|logga-?ut|logg-?ut|log-?ud|kirjaudu-?ulos|odhl[aá]sit(?:-?se)?|odhl[aá](?:sen[ií]|ska)|kijelentkez[eé]s|oturumu-?kapat|end-?session)(?:\.[a-z]{2,5})?$|^(?:salir|sair|esci|exit|quit|cikis)\.(?:php|aspx?|jsp|do|html?)$/i;
/** Matches the parameters of a query that name another page or a text to search for. */
const OTHER_PARAMETERS = /(?<=[?&;])(?:q|s|query|search|keywords?|next|return\w*|redirect\w*|continue)=[^&;]*/gi;
/** Matches the whole text of a link that ends a session. */
const TEXT =
  /^(?:(?:log|sign) ?(?:me |you )?(?:out|off)(?: (?:of|from) [^.]{1,40}| everywhere| \S{1,64}@\S{1,64})?|end session|abmelden|abmeldung|ausloggen|sitzung beenden|(?:se )?d[ée]connecter|d[ée]connexion|cerrar(?: la)? sesi[oó]n|desconectar(?:se)?|salir|sair|terminar sess[aã]o|encerrar sess[aã]o|esci|disconnetti(?:ti)?|tancar? (?:la )?sessió|uitloggen|afmelden|wyloguj(?: się)?|logga ut|logg ut|log(?:ga)? ud|kirjaudu ulos|odhl[aá]si[tť](?: s[ea])?|kijelentkezés|deconectare|ieșire|odjav(?:a|i se)|αποσύνδεση|выйти|выход|вийти|вихід|изход|çıkış(?: yap)?|oturumu kapat|đăng xuất|(?:log )?keluar|ออกจากระบบ|लॉग ?आउट|(?:ログアウト|サインアウト)(?:する)?|退出(?:登录|登錄)?|登出(?:系统|系統)?|注销|로그아웃|تسجيل الخروج|خروج|התנתק(?:ות)?)[ .!→»]{0,10}$/i;

/** Returns true if the address of a link shows that it ends the visitor's session. */
export function isSignOutUrl({ pathname, search }: URL): boolean {
  return `${pathname}/${search.replace(OTHER_PARAMETERS, "")}`
    .split(/[/?&=;]/)
    .some((part) => ADDRESS.test(decodeUri(part)));
}

/** Returns true if the text of a link says that it ends the visitor's session. Ignores an icon, and a name in parentheses. */
export function isSignOutText(text: string): boolean {
  return TEXT.test(text.replace(/^[^\p{L}]+/u, "").replace(/\s{0,5}\([^()]{0,100}\)\s{0,5}$/, ""));
}
