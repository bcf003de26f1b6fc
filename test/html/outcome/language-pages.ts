// Pages of each outcome in the most common languages, with the wording of widely used software and sites.

const SITE_NAV = '<nav><a href="/">Home</a> <a href="/a">A</a> <a href="/b">B</a> <a href="/c">C</a></nav>';

const missing = (title: string, heading: string, text: string) =>
  `<title>${title}</title><body>${SITE_NAV}<main><h1>${heading}</h1><p>${text}</p><a href="/">→</a></main>`;
const maintained = (title: string, heading: string, text: string) =>
  `<title>${title}</title><body><div class="box"><h1>${heading}</h1><p>${text}</p></div>`;
const signIn = (title: string, heading: string, labels: readonly [string, string, string, string]) =>
  `<title>${title}</title><body><h1>${heading}</h1><form method="post"><label>${labels[0]} <input name="user"></label><label>${labels[1]} <input type="password"></label><button>${labels[2]}</button></form><a href="/forgot">${labels[3]}</a>`;
const gate = (title: string, heading: string, text: string, buttons: readonly string[]) =>
  `<title>${title}</title><body><div class="box"><h1>${heading}</h1><p>${text}</p>${buttons.map((label) => `<button>${label}</button>`).join("")}</div>`;
const teaser = (title: string, text: string, notice: string, label: string) =>
  `<title>${title}</title><body>${SITE_NAV}<article><h1>${title}</h1><p>${text}</p><div class="offer"><h2>${notice}</h2><a class="button" href="/abo">${label}</a></div></article>`;
const unused = (domain: string, text: string) =>
  `<title>${domain}</title><body><h1>${domain}</h1><p>${text}</p><a href="https://registrar.example/">registrar.example</a>`;

type Labeled = readonly [language: string, html: string];

export const MISSING_PAGES: readonly Labeled[] = [
  [
    "English",
    missing(
      "Page not found – Lamps",
      "Oops! That page can’t be found.",
      "It looks like nothing was found at this location. Maybe try one of the links below or a search?",
    ),
  ],
  [
    "English, a user",
    missing("Lamps", "User not found", "The account you are looking for doesn't exist or has been deleted."),
  ],
  [
    "English, a product",
    missing(
      "Sorry, this item isn't available",
      "Sorry, this item isn't available",
      "The product you requested is no longer available in our store.",
    ),
  ],
  [
    "German",
    missing(
      "Seite nicht gefunden - Lampen",
      "Seite nicht gefunden",
      "Die von Ihnen angeforderte Seite konnte leider nicht gefunden werden.",
    ),
  ],
  [
    "German, a product",
    missing(
      "Lampen GmbH",
      "Dieser Artikel ist nicht mehr verfügbar",
      "Das Produkt, das Sie suchen, wurde leider aus dem Sortiment entfernt.",
    ),
  ],
  [
    "French",
    missing(
      "Page introuvable | Lampes",
      "Oups ! Cette page est introuvable",
      "La page que vous recherchez n’existe pas ou a été déplacée.",
    ),
  ],
  [
    "Spanish",
    missing(
      "Página no encontrada - Lámparas",
      "Error 404",
      "Lo sentimos, la página que buscas no existe o ha cambiado de dirección.",
    ),
  ],
  [
    "Portuguese",
    missing(
      "Página não encontrada",
      "Ops! Página não encontrada",
      "A página que você está procurando não existe ou foi removida.",
    ),
  ],
  [
    "Italian",
    missing(
      "Pagina non trovata – Lampade",
      "Pagina non trovata",
      "La pagina che stai cercando non esiste o è stata spostata.",
    ),
  ],
  [
    "Dutch",
    missing("Pagina niet gevonden - Lampen", "Pagina niet gevonden", "De pagina die je zoekt bestaat niet (meer)."),
  ],
  ["Turkish", missing("Sayfa bulunamadı | Lamba", "404", "Aradığınız sayfa bulunamadı veya kaldırılmış olabilir.")],
  [
    "Russian",
    missing(
      "Страница не найдена",
      "Страница не найдена",
      "К сожалению, запрашиваемая страница не существует или была удалена.",
    ),
  ],
  [
    "Polish",
    missing(
      "Nie znaleziono strony - Lampy",
      "Ups! Nie znaleźliśmy takiej strony",
      "Strona, której szukasz, nie istnieje lub została przeniesiona.",
    ),
  ],
  [
    "Japanese",
    missing(
      "ページが見つかりません | ランプ",
      "お探しのページは見つかりませんでした",
      "お探しのページは削除されたか、URLが変更された可能性があります。",
    ),
  ],
  ["Chinese", missing("页面不存在 - 灯具", "抱歉，您访问的页面不存在", "您要查找的页面可能已被删除或链接已失效。")],
  ["Traditional Chinese", missing("找不到網頁 | 燈具", "找不到您要的網頁", "您所訪問的頁面不存在或已移除。")],
  [
    "Korean",
    missing(
      "페이지를 찾을 수 없습니다 - 램프",
      "페이지를 찾을 수 없습니다",
      "요청하신 페이지가 존재하지 않거나 삭제되었습니다.",
    ),
  ],
];

export const MAINTENANCE_PAGES: readonly Labeled[] = [
  [
    "English",
    maintained(
      "Site maintenance",
      "We&rsquo;ll be back soon!",
      "Sorry for the inconvenience. We&rsquo;re performing some maintenance at the moment.",
    ),
  ],
  [
    "English, without a title",
    maintained(
      "",
      "Down for maintenance",
      "Our store is temporarily closed for scheduled updates. Please check back shortly.",
    ),
  ],
  [
    "German",
    maintained(
      "Wartungsarbeiten",
      "Wir sind bald zurück",
      "Wegen Wartungsarbeiten ist unsere Website derzeit nicht erreichbar. Bitte versuchen Sie es später erneut.",
    ),
  ],
  [
    "French",
    maintained(
      "Site en maintenance",
      "Maintenance en cours",
      "Notre site est actuellement en maintenance. Nous serons de retour très bientôt.",
    ),
  ],
  [
    "Spanish",
    maintained("En mantenimiento", "Estamos en mantenimiento", "Estamos mejorando nuestro sitio. Volveremos pronto."),
  ],
  [
    "Portuguese",
    maintained("Em manutenção", "Site em manutenção", "Estamos realizando melhorias. Voltaremos em breve."),
  ],
  [
    "Italian",
    maintained(
      "Sito in manutenzione",
      "Torniamo subito",
      "Il sito è temporaneamente non disponibile per manutenzione.",
    ),
  ],
  ["Dutch", maintained("Onderhoud", "We zijn zo terug", "Onze website is tijdelijk niet bereikbaar wegens onderhoud.")],
  ["Turkish", maintained("Bakım çalışması", "Sitemiz bakımda", "Kısa süre sonra tekrar hizmetinizdeyiz.")],
  [
    "Russian",
    maintained(
      "Технические работы",
      "На сайте ведутся технические работы",
      "Приносим извинения за неудобства. Зайдите позже.",
    ),
  ],
  ["Polish", maintained("Przerwa techniczna", "Przerwa techniczna", "Trwają prace konserwacyjne. Wkrótce wracamy.")],
  [
    "Japanese",
    maintained(
      "メンテナンス中",
      "ただいまメンテナンス中です",
      "ご不便をおかけして申し訳ございません。しばらく経ってから再度アクセスしてください。",
    ),
  ],
  ["Chinese", maintained("系统维护", "系统维护中", "网站正在升级维护，请稍后再访问。")],
  [
    "Korean",
    maintained(
      "서비스 점검 안내",
      "시스템 점검 중입니다",
      "보다 나은 서비스를 위해 점검을 진행하고 있습니다. 이용에 불편을 드려 죄송합니다.",
    ),
  ],
];

export const LOGIN_PAGES: readonly Labeled[] = [
  ["English", signIn("Log In ‹ Lamps — WordPress", "Lamps", ["Username", "Password", "Log In", "Lost your password?"])],
  [
    "English, without a field for the password",
    "<title>Sign in - Lamps</title><body><h1>Sign in</h1><p>to continue to Lamp Mail</p><form><label>Email or phone <input type=email></label><button>Next</button></form>",
  ],
  [
    "English, members only",
    `<title>Thread 12 | Lamp forum</title><body>${SITE_NAV}<main><h1>Error</h1><p>You must be logged-in to do that.</p></main>`,
  ],
  ["German", signIn("Anmelden", "Anmelden", ["Benutzername", "Passwort", "Anmelden", "Passwort vergessen?"])],
  [
    "French",
    signIn("Connexion - Lampes", "Connexion", [
      "Adresse e-mail",
      "Mot de passe",
      "Se connecter",
      "Mot de passe oublié ?",
    ]),
  ],
  [
    "Spanish",
    signIn("Iniciar sesión", "Inicia sesión", ["Correo", "Contraseña", "Entrar", "¿Olvidaste tu contraseña?"]),
  ],
  ["Portuguese", signIn("Entrar", "Acesse sua conta", ["E-mail", "Senha", "Entrar", "Esqueceu a senha?"])],
  ["Italian", signIn("Accedi", "Accedi al tuo account", ["Email", "Password", "Accedi", "Password dimenticata?"])],
  ["Dutch", signIn("Inloggen", "Inloggen", ["E-mailadres", "Wachtwoord", "Inloggen", "Wachtwoord vergeten?"])],
  ["Turkish", signIn("Giriş Yap", "Üye Girişi", ["E-posta", "Şifre", "Giriş yap", "Şifremi unuttum"])],
  ["Russian", signIn("Вход", "Вход в личный кабинет", ["Логин", "Пароль", "Войти", "Забыли пароль?"])],
  ["Polish", signIn("Logowanie", "Zaloguj się", ["Login", "Hasło", "Zaloguj", "Nie pamiętasz hasła?"])],
  [
    "Japanese",
    signIn("ログイン", "ログイン", ["メールアドレス", "パスワード", "ログイン", "パスワードをお忘れですか？"]),
  ],
  ["Chinese", signIn("用户登录", "账号登录", ["用户名", "密码", "登录", "忘记密码？"])],
  ["Korean", signIn("로그인", "로그인", ["아이디", "비밀번호", "로그인", "비밀번호 찾기"])],
];

export const CONSENT_PAGES: readonly Labeled[] = [
  [
    "English",
    gate(
      "Before you continue",
      "Before you continue",
      "We use cookies and data to deliver and maintain our services and to show personalized ads.",
      ["Reject all", "Accept all"],
    ),
  ],
  [
    "English, an age gate",
    gate("Distillery", "Are you of legal drinking age?", "You must be 21 or older to visit this site.", ["Yes", "No"]),
  ],
  [
    "English, a choice of country",
    "<title>Lamps</title><body><h1>Select your country</h1><ul><li><a href=/us>United States</a></li><li><a href=/uk>United Kingdom</a></li><li><a href=/de>Deutschland</a></li></ul>",
  ],
  [
    "German",
    gate(
      "Zustimmung",
      "Weiterlesen mit Werbung",
      "Besuchen Sie uns wie gewohnt mit Werbung und Tracking. Die Zustimmung ist jederzeit widerrufbar. Details in der Datenschutzerklärung.",
      ["Einwilligen und weiter"],
    ),
  ],
  [
    "French",
    gate(
      "Avant d'accéder au site",
      "Votre vie privée",
      "Avec votre consentement, nos partenaires et nous utilisons des cookies et traceurs pour la publicité personnalisée.",
      ["Continuer sans accepter", "Accepter et continuer"],
    ),
  ],
  [
    "Spanish",
    gate(
      "Privacidad",
      "Tu privacidad es importante",
      "Nosotros y nuestros socios usamos cookies para mostrar publicidad personalizada con tu consentimiento.",
      ["Aceptar y continuar", "Rechazar y suscribirse"],
    ),
  ],
  [
    "Portuguese",
    gate("Verificação", "Você tem mais de 18 anos?", "Este site é destinado a maiores de 18 anos.", ["Sim", "Não"]),
  ],
  [
    "Italian",
    gate(
      "Privacy",
      "La tua privacy",
      "Noi e i nostri partner utilizziamo cookie per pubblicità personalizzata, con il tuo consenso.",
      ["Accetta e continua", "Rifiuta"],
    ),
  ],
  [
    "Dutch",
    gate(
      "Toestemming",
      "Jouw privacy",
      "Wij en onze partners gebruiken cookies voor gepersonaliseerde advertenties. Geef toestemming om verder te gaan.",
      ["Akkoord", "Instellen"],
    ),
  ],
  [
    "Turkish",
    gate("Yaş doğrulama", "18 yaşından büyük müsünüz?", "Bu siteye girmek için 18 yaşında olmalısınız.", [
      "Evet",
      "Hayır",
    ]),
  ],
  [
    "Russian",
    gate("Подтверждение", "Вам есть 18 лет?", "Сайт содержит информацию о табачной продукции.", ["Да", "Нет"]),
  ],
  [
    "Polish",
    gate(
      "Zgoda",
      "Dbamy o Twoją prywatność",
      "Wraz z partnerami używamy plików cookie. Wyrażając zgodę, akceptujesz przetwarzanie danych osobowych.",
      ["Przejdź do serwisu", "Ustawienia"],
    ),
  ],
  ["Japanese", gate("年齢確認", "年齢確認", "あなたは20歳以上ですか？", ["はい", "いいえ"])],
  ["Chinese", gate("年龄验证", "您是否已年满18岁？", "本网站仅供成年人访问。", ["是", "否"])],
  ["Korean", gate("성인 인증", "성인 인증이 필요합니다", "만 19세 이상만 이용할 수 있습니다.", ["예", "아니오"])],
];

export const PAYWALLED_PAGES: readonly Labeled[] = [
  [
    "English",
    teaser(
      "The lamp",
      "The lamp stood in the window for forty years, and nobody knew who had lit it. Last week a letter arrived.",
      "Subscribe to continue reading",
      "Subscribe",
    ),
  ],
  [
    "English, the number of free articles",
    teaser(
      "The lamp",
      "The lamp stood in the window for forty years, and nobody knew who had lit it. Last week a letter arrived.",
      "You've reached your limit of free articles",
      "See options",
    ),
  ],
  [
    "German",
    teaser(
      "Die Lampe",
      "Vierzig Jahre stand die Lampe im Fenster, und niemand wusste, wer sie angezündet hatte. Dann kam ein Brief.",
      "Diesen Artikel weiterlesen mit Lampe+",
      "Jetzt testen",
    ),
  ],
  [
    "French",
    teaser(
      "La lampe",
      "La lampe est restée quarante ans à la fenêtre, et personne ne savait qui l'avait allumée. Puis une lettre est arrivée.",
      "Cet article est réservé aux abonnés",
      "S'abonner",
    ),
  ],
  [
    "Spanish",
    teaser(
      "La lámpara",
      "La lámpara estuvo cuarenta años en la ventana y nadie sabía quién la había encendido. Entonces llegó una carta.",
      "Suscríbete para seguir leyendo",
      "Suscríbete",
    ),
  ],
  [
    "Portuguese",
    teaser(
      "A lâmpada",
      "A lâmpada ficou quarenta anos na janela e ninguém sabia quem a tinha acendido. Depois chegou uma carta.",
      "Conteúdo exclusivo para assinantes",
      "Assine",
    ),
  ],
  [
    "Italian",
    teaser(
      "La lampada",
      "La lampada rimase quarant'anni alla finestra e nessuno sapeva chi l'avesse accesa. Poi arrivò una lettera.",
      "Contenuto riservato agli abbonati",
      "Abbonati",
    ),
  ],
  [
    "Dutch",
    teaser(
      "De lamp",
      "De lamp stond veertig jaar voor het raam en niemand wist wie hem had aangestoken. Toen kwam er een brief.",
      "Dit artikel is alleen voor abonnees",
      "Word abonnee",
    ),
  ],
  [
    "Turkish",
    teaser(
      "Lamba",
      "Lamba kırk yıl pencerede durdu ve kimse onu kimin yaktığını bilmiyordu. Sonra bir gün bir mektup geldi.",
      "Devamını okumak için abone olun",
      "Abone ol",
    ),
  ],
  [
    "Russian",
    teaser(
      "Лампа",
      "Лампа сорок лет стояла на окне, и никто не знал, кто её зажёг. На прошлой неделе пришло письмо от смотрителя.",
      "Материал доступен только для подписчиков",
      "Подписаться",
    ),
  ],
  [
    "Polish",
    teaser(
      "Lampa",
      "Lampa stała w oknie czterdzieści lat i nikt nie wiedział, kto ją zapalił. W zeszłym tygodniu przyszedł list.",
      "Wykup dostęp, aby czytać dalej",
      "Kup",
    ),
  ],
  [
    "Japanese",
    teaser(
      "ランプ",
      "そのランプは四十年のあいだ窓辺に立っていたが、誰が灯したのかは誰も知らなかった。先週、一通の手紙が届いた。",
      "この記事は有料会員限定です",
      "登録する",
    ),
  ],
  [
    "Chinese",
    teaser(
      "灯",
      "那盏灯在窗前亮了四十年，没有人知道是谁点的。上周，一封信寄到了海边的小屋，信封上没有署名，也没有邮票。",
      "订阅后继续阅读全文",
      "订阅",
    ),
  ],
  [
    "Korean",
    teaser(
      "램프",
      "그 램프는 사십 년 동안 창가에 서 있었고 누가 불을 켰는지 아무도 몰랐다. 지난주에 편지 한 통이 도착했다.",
      "이 기사는 유료 구독자 전용입니다",
      "구독하기",
    ),
  ],
];

export const PARKED_PAGES: readonly Labeled[] = [
  ["English", unused("oldlamps.example", "The domain oldlamps.example is for sale. Make an offer today.")],
  [
    "English, a registrar",
    unused("oldlamps.example", "This domain has been registered and is parked free, courtesy of Registrar."),
  ],
  ["German", unused("alte-lampen.example", "Diese Domain steht zum Verkauf.")],
  ["French", unused("vieilles-lampes.example", "Ce nom de domaine est à vendre.")],
  ["Spanish", unused("lamparas.example", "Este dominio está en venta.")],
  ["Portuguese", unused("lampadas.example", "Este domínio está à venda.")],
  ["Italian", unused("lampade.example", "Questo dominio è in vendita.")],
  ["Dutch", unused("lampen.example", "Deze domeinnaam is te koop.")],
  ["Turkish", unused("lamba.example", "Bu alan adı satılıktır.")],
  ["Russian", unused("lampa.example", "Домен продаётся. Домен припаркован у регистратора.")],
  ["Polish", unused("lampy.example", "Ta domena jest na sprzedaż.")],
  ["Japanese", unused("lamp.example", "このドメインは販売中です。")],
  ["Chinese", unused("deng.example", "该域名正在出售。")],
  ["Korean", unused("deung.example", "이 도메인은 판매 중입니다.")],
];

const shell = (text: string) =>
  `<title>App</title><body><noscript>${text}</noscript><div id="root"></div><script src="/static/js/main.js"></script>`;
const loading = (text: string) =>
  `<title>App</title><body><div class="view"><p>${text}</p></div><script src="/static/js/main.js"></script>`;

export const SHELLS: readonly Labeled[] = [
  ["English", shell("You need to enable JavaScript to run this app.")],
  ["English, a loading message", loading("Loading…")],
  ["German", loading("Bitte aktivieren Sie JavaScript, um diese Seite zu nutzen.")],
  ["French", loading("Chargement en cours…")],
  ["Spanish", loading("Cargando…")],
  ["Portuguese", loading("É necessário ativar o JavaScript para usar este site.")],
  ["Italian", loading("Caricamento in corso…")],
  ["Dutch", loading("Schakel JavaScript in om deze pagina te bekijken.")],
  ["Turkish", loading("Yükleniyor...")],
  ["Russian", loading("Для работы сайта включите JavaScript.")],
  ["Polish", loading("Ładowanie…")],
  ["Japanese", loading("読み込み中…")],
  ["Chinese", loading("正在加载…")],
  ["Korean", loading("로딩 중입니다…")],
];
