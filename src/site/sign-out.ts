/** Matches a part of a URL that ends a session, such as `logout`, `users/sign_out` or `Special:UserLogout`. */
const ADDRESS =
  /^(?:special:)?(?:user|auth|account|member|customer|do|wp)?[-_.]?(?:(?:log|sign)[-_]?(?:out|off)|abmelden|ausloggen|(?:se-?)?d[ée]connexion|(?:se-?)?d[ée]connecter|cerrar-?sesi[oó]n|uitloggen|afmelden|wyloguj|logga-?ut|odhl[aá]sit|end-?session)(?:\.[a-z]{2,5})?$/i;
/** Matches the whole text of a link that ends a session. */
const TEXT =
  /^(?:(?:log|sign) ?(?:me |you )?(?:out|off)|abmelden|ausloggen|(?:se )?d[ée]connecter|d[ée]connexion|cerrar(?: la)? sesi[oó]n|desconectar(?:se)?|salir|sair|terminar sess[aã]o|encerrar sess[aã]o|esci|disconnetti(?:ti)?|uitloggen|afmelden|wyloguj(?: się)?|logga ut|logg ut|log(?:ga)? ud|kirjaudu ulos|odhl[aá]sit(?: se)?|kijelentkezés|выйти|выход|вийти|вихід|çıkış(?: yap)?|oturumu kapat|ログアウト|サインアウト|退出(?:登录|登錄)?|登出|注销|로그아웃|تسجيل الخروج)[ .!→»]*$/i;

/** Returns true if the address of a link shows that it ends the visitor's session. */
export function isSignOutUrl({ pathname, search }: URL): boolean {
  return `${pathname}/${search}`.split(/[/?&=;]/).some((part) => ADDRESS.test(decode(part)));
}

/** Returns true if the text of a link says that it ends the visitor's session. */
export function isSignOutText(text: string): boolean {
  return TEXT.test(text.trim());
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // The part contains percent-encodings that aren't valid UTF-8.
    return part;
  }
}
