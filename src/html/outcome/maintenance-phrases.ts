import { anyOf } from "./phrases";

/** Headings and titles of maintenance pages. */
export const MAINTENANCE_NAMES: readonly RegExp[] = [
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
export const MAINTENANCE_SENTENCES: readonly RegExp[] = [
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

/** Words for the work on a site, or for its overload. */
export const WORK = anyOf(
  /maintenance|upgrad|we(?:'re| are) (?:updating|improving|migrating|moving)|wartung|gewartet|aktualisier|umbau|mantenimiento|mantención|actualiza|mejorando|manuten[çz]|atualiza|aggiornament|onderhoud|werkzaamheden|bakım|güncelle|техническ\S+ (?:работ|обслуж|перерыв)|профилактическ|обслуживани|обновлени|konserwac|prace (?:techn|serw|modern)|przerw\S+ techniczn|modernizac|aktualizac|メンテナンス|保守|维护|維護|升级|升級|점검|유지 ?보수|moving the database|relaunch|migrat|umzug|umgezogen|refonte|travaux|amélior|mejora|melhori|miglior|verbeter|verhui|yenileni|geliştir|улучш|переезд|ulepsz|przebudow|リニューアル|改修|改版|개편|개선|업데이트|mise à jour/u,
  /makeover|redecorat|restock|getting an upgrade|(?:tun|freshen)ing things up|technical works?\b|planned (?:outage|downtime)|\bpatch \d|being (?:deployed|updated|upgraded|rebuilt|redesigned|moved)|(?:are|while) (?:we )?(?:updat|upgrad|migrat|mov|renovat|rebuild|redesign|install|switch)|new (?:servers?|hardware|data cent)|an update\b|unusually high|(?:high|heavy) (?:traffic|demand|load)|too many (?:visitors|requests)/u,
  /technische[nr]? (?:arbeit|umstell|grund|gründ)|umgestellt|umstellung|(?:ein|eines|wegen) updates?|überarbeite|räumen .{0,12}um|neues? (?:gesicht|design|gewand)|systemumstellung|serverumzug|datenbankumzug|erneuer/u,
  /(?:opération|intervention|pause|incident|arrêt) technique|mettre à jour|peau neuve|migration|bricol|en coulisses|modernis/u,
  /(?:trabajos|tareas|labores|operación|parada) (?:técnic|de actual)|de reforma|renova(?:ndo|mos)|actualizando|migrando|migración|mejoras técnicas|(?:intervenção|manutenç|parada|trabalhos) (?:técnic|programad)|atualizand|atualizar os|a ser atualizad|migração/u,
  /intervento tecnico|lavori in corso|stiamo (?:aggiorn|lavor|migliorand|rinnovand)|rinnov|migrazione/u,
  /(?:werken|werkt) (?:wij |we )?(?:aan|hard)|update uit|vernieuw|verbouw|storing/u,
  /yapılan çalışma|çalışma nedeniyle|yenileniyor|güncelleniyor|taşın/u,
  /обновля|обновлён|переезд|перенос|миграци|реконструкц|модерниз|профилактик|регламентны/u,
  /aktualizacj|odświeża|odswieża|migracj|unowocześ|wdrożeni|remanent/u,
  /システム(?:更新|移行|切替|障害)|サーバー?(?:移行|移転|更新)|作業の?ため|アップデート|改善作業|割接|搬迁|搬遷|迁移|遷移|更新中|升级|改造|교체|작업|이전|업그레이드|개선|개편/u,
  /underhåll|uppdaterar|vedligehold|opdater|vedlikehold|oppgrader|oppdater|huolto|päivit|údržb|odstávk|aktualizuj|karbantart|frissít|συντήρησ|αναβάθμισ|технічн|оновлю|оновленн|mentenanț|întrețin|поддръжк|pemeliharaan|perbaikan|bảo trì|nâng cấp|บำรุงรักษา|صيانة|الصيانة|תחזוקה|रखरखाव|hooldus|apkop|priežiūr|održavanj|vzdrževanj/u,
);

/** Words for a site that doesn't work now. */
export const CLOSED = anyOf(
  /unavailable|not available|(?:is|are) (?:currently |temporarily )?(?:down|offline|disabled)|temporarily closed|nicht (?:erreichbar|verfügbar)|offline|indisponible|inaccessible|pas (?:disponible|accessible)|no (?:está|se encuentra) disponible|fuera de servicio|indispon|fora do ar|non (?:è |sarà )?(?:disponibile|raggiungibile|accessibile)|niet (?:beschikbaar|bereikbaar)|erişil|hizmet (?:veremi|dışı)|kapalı|недоступ|не работает|niedostępn|停止|ご利用(?:いただけ|になれ)|利用できません|暂停|暫停|无法(?:访问|使用)|無法|이용(?:이|을|에)? ?(?:불가|제한|할 수 없)|중단|종료/u,
  /aren't available|isn't available|is closed|are closed|(?:is|be) (?:unavailable|offline|down)|servers? offline|\boffline\b|out of service|closed (?:while|for a|for the)|taking (?:a|the) .{0,20}(?:offline|down)|unable to handle|(?:can't|cannot|won't be able to) (?:log|sign|access|reach)|downtime|\boutage\b/u,
  /nicht (?:zur verfügung|möglich|zugänglich|nutzbar)|geschlossen|außer betrieb|abgeschaltet|unterbrochen|gesperrt/u,
  /interrompu|suspendu|fermé|hors service|hors ligne|n'est (?:pas|plus) (?:disponible|accessible)|interruption/u,
  /no disponible|cerrad[ao]|suspendid|interrumpid|no (?:es|será) posible|fora de serviço|fechad|suspens|não (?:está |estão )?(?:disponíve|acessíve|poss)/u,
  /sospes|non (?:sono |sarà |saranno )?(?:disponibil|raggiungibil|accessibil|possibil)|chius|fuori servizio|interrott/u,
  /niet (?:mogelijk|toegankelijk)|gesloten|buiten gebruik|uit de lucht|offline/u,
  /kullanılam|kapalı|hizmet veremi|ulaşılam|erişime kapa/u,
  /закрыт|отключ|приостановлен|не будет работать|не доступ/u,
  /zamknięt|wyłączon|nieczynn|przerw[ay] w|niedostępn/u,
  /停止して|停止いたし|休止|(?:ご)?利用(?:でき|いただけ)|閉鎖|暂停服务|暫停服務|停止服务|暂停使用|暫停使用|无法(?:办理|登录|提供)|無法|关闭|關閉|중단|불가|중지/u,
  /inte logga in|otillgänglig|stängd|ligger nere|midlertidigt|lukket|utilgjengelig|midlertidig|pois käytöstä|ei ole (?:käytettävissä|saatavilla)|suljettu|nedostupn|mimo provoz|nem elérhető|szünetel|μη διαθέσιμ|εκτός λειτουργίας|тимчасово|indisponibil|недостъп|tidak (?:dapat|tersedia)|không truy cập|tạm ngừng|tạm thời|ปิดปรับปรุง|غير متاح|متوقف|לא זמין|nedosegljiv|nedostupan|nepieejam|nepasiekiam/u,
);

/** Words for the time when a site works again, and apologies. */
export const RETURN = anyOf(
  /bald wieder|noch ?einmal|erneut|intente|intént|probeer|dene(?:yin|yiniz)|ziyaret|일시/u,
  /back (?:soon|shortly|online|later|up|in |at|on|after|by|again)|be right back|check back\b|come back\b|(?:up|available|open|online|running) again|(?:will|to|we) (?:re-?open|return|resume|be restored)|reopens?\b|(?:re)?open again|up and running|try again|(?:expect|estimated|should)\b.{0,40}(?:hours?|minutes?|back|open|run|by|at|on)|thank you for your (?:patience|understanding)|thanks for (?:your patience|bearing|understanding)|for your patience|sorry for (?:the|any) inconvenience|apologi[sz]e for|will be (?:able to|possible|available|back)|working on a fix|see you (?:again|soon|on)|be patient|pardon our/u,
  /in kürze|bald|gleich wieder|wieder (?:da|online|für|verfügbar|erreichbar|anmelden|vorbei|möglich)|geht es weiter|später|(?:bitten|danken) .{0,20}(?:verständnis|geduld|entschuldigung)|voraussichtlich|versuchen sie es|schauen sie/u,
  /de retour|revenez|rouvr|réessayer|sera rétabli|merci de votre|(?:prions|prie) de nous excuser|veuillez nous excuser|pour la gêne|à bientôt|très vite|patience|compréhension/u,
  /volve|vuelv|nos vemos|más tarde|restablec|se reanud|disculp[ea]|gracias por (?:su|tu) (?:paciencia|comprensión)|molestias|pronto|volta|retorn|normaliza|desculpas|transtorno|incômodo|compreensão|em breve|logo|tente/u,
  /torne|torniamo|riprova|saremo (?:di nuovo|presto)|ripristin|ci scusiamo|disagio|a breve|presto/u,
  /terug|probeer|weer (?:bij ons|online|inloggen|bereikbaar|beschikbaar)|excuses|ongemak|begrip|geduld|binnenkort/u,
  /döneceğiz|açılacak|tekrar|yakında|kısa süre|özür|anlayışınız|sabrınız|karşınızda|hizmetinizde/u,
  /верн|(?:откроется|будет открыт)|заработает|зайти|зайдите|попробуйте|скоро|извинения|извините|неудобства|спасибо за (?:понимание|терпение)|откроемся|будет (?:возможен|доступ|восстанов)|возобнов|позже|восстановл/u,
  /wracamy|wrócimy|spróbuj|zapraszamy|przepraszamy|utrudnienia|będzie (?:dostępn|czynn)|zajrzyj|dziękujemy za|wkrótce|później|przywróc/u,
  /お待ち|再開|再度|後ほど|ご迷惑|ご不便|申し訳|稍后|稍後|恢复|恢復|不便|歉意|敬请|敬請|谅解|見諒|잠시|다시|불편|양해|재개|정상 ?이용|이용이 가능/u,
  /tillbaka|ber om ursäkt|senare|prøv igen|senere|tilbage|tilbake|beklager|myöhemmin|pahoittelemme|omlouváme|později|brzy|később|elnézést|hamarosan|αργότερα|σύντομα|συγγνώμη|спробуйте|вибач|повернем|revenim|reveniți|scuze|segera kembali|coba lagi|maaf|quay lại|xin lỗi|سنعود|نعتذر|لاحقا|נחזור/u,
  /(?:until|till|ab|bis|jusqu'(?:à|au)|hasta (?:el|las)|até|fino (?:a|al|alle)|tot|vanaf|saat .{0,6}kadar|до|do(?: godz)?) (?:\p{L}+,? ){0,4}\d/u,
);

/** Words for the present. An announcement on a working site is about the future. */
export const NOW = anyOf(
  /currently|right now|at the moment|derzeit|zurzeit|momentan|gerade|actuellement|en ce moment|en este momento|actualmente|no momento|atualmente|momentaneamente|attualmente|momenteel|op dit moment|şu an|сейчас|в настоящее время|obecnie|chwilowo|現在|ただいま|目前|当前|當前|正在|현재/u,
  /(?:is|are) (?:now )?(?:down|closed|offline|unavailable) (?:while|because|for)|momentaneamente|just nu|nyt|právě|jelenleg|зараз|saat ini|hiện/u,
);

/** Words for a site or an application. Other things are also closed for maintenance. */
export const SITE = anyOf(
  /site|website|page|server|service|system|portal|\bapp|platform|database|online|catalog|forum|board|software|upgrade|login|\bapi\b|seite|shop|katalog|dienst|banking|sitio|página|pagina|servicio|sistema|plataforma|serviço|sito|servizio|webshop|sistem|sayfa|hizmet|сайт|сервис|систем|портал|stron|serwis|usług|サイト|サービス|システム|サーバ|网站|網站|系统|系統|服务|服務|서비스|사이트|시스템|서버|홈페이지|점검/u,
  /homepage|\bboard\b|wiki\b|\bmail\b|\bstore\b|realm|banking|\bmoodle\b|learning|campus|sede electr|tienda|boutique|\bloja\b|negozio|winkel|bankieren|mağaza|форум|банк|госуслуг|sklep|bank|kanał|バンキング|ショップ|ページ|营业厅|平台|商城|選課|뱅킹|쇼핑|tjänst|\bsiden\b|selvbetjening|nettbank|palvelu|portál|oldal|ιστότοπος|υπηρεσ|ιστοσελίδ|сторінк|situs|layanan|trang web|hệ thống|الموقع|الخدمة|האתר|espace|\bent\b|confluence|jira|gitlab|website/u,
);

/** Says in a few words that a site is under maintenance. */
export const STATE =
  /(?:under|down for|in|for|closed for) (?:\S+ )?maintenance|maintenance (?:mode|page|in progress|break)|en maintenance|en mantenimiento|em manutenção|in manutenzione|in (?:het )?onderhoud|wartungs(?:arbeiten|modus)|bakımda|bakım (?:modu|çalışm)|на (?:техническом )?обслуживании|технические работы|przerwa techniczna|prace (?:konserw|techn)|メンテナンス中|维护中|維護中|점검 ?중/u;

/** Says that a site or a service is temporarily out of service. */
export const OUT_OF_SERVICE =
  /(?:site|website|page|service|system|server|portal|app|application|platform|shop|store|forum|board)s?\b.{0,40}\b(?:temporarily|briefly|currently) (?:unavailable|out of service|offline|down|closed|suspended|disabled)|temporarily (?:unavailable|out of service|offline|closed|down)\b.{0,60}(?:site|website|service|system|server|portal|app|platform)|(?:service|site|server) (?:is )?(?:temporarily )?unavailable|(?:experiencing|due to) technical (?:difficulties|problems|issues)|there (?:is|has been) a (?:problem|fault) with (?:the|this|our) (?:service|site|website|system)|our (?:engineers|team|technicians) .{0,40}(?:working on|looking into|investigating)|(?:seite|website|webseite|dienst|service|system|server|portal|shop|onlineshop|anwendung)\S*.{0,50}(?:vorübergehend|zurzeit|derzeit|momentan|gerade) (?:leider )?(?:nicht (?:erreichbar|verfügbar)|geschlossen|offline|außer betrieb)|(?:site|service|portail|application|boutique|page)\b.{0,50}(?:temporairement|momentanément|actuellement) (?:indisponible|fermée?|inaccessible|hors service|suspendue?)|(?:sitio|web|página|servicio|sistema|portal|tienda|aplicación)\b.{0,50}(?:temporalmente|momentáneamente) (?:fuera de servicio|no disponible|cerrad|suspendid|inactiv|deshabilitad)|(?:site|página|serviço|sistema|portal|loja|aplicativo)\b.{0,50}temporariamente (?:indisponível|fora|fechad|suspens)|(?:sito|pagina|servizio|sistema|portale|negozio)\b.{0,50}(?:temporaneamente|momentaneamente) (?:non (?:disponibile|raggiungibile)|chius|sospes|fuori)|(?:website|site|webshop|dienst|systeem|pagina)\b.{0,50}tijdelijk (?:niet (?:beschikbaar|bereikbaar)|offline|gesloten|buiten)|(?:site|sistem|sayfa|hizmet|uygulama)\S*.{0,40}geçici (?:olarak|bir süre)|(?:сайт|сервис|портал|система|страница|магазин|приложение)\S*.{0,40}временно (?:недоступ|не работа|закрыт|отключ|приостанов)|(?:strona|serwis|system|sklep|portal|usługa|aplikacja).{0,40}(?:tymczasowo|chwilowo) (?:niedostępn|wyłączon|nieczynn|zamknięt)|(?:サイト|サービス|システム|ページ).{0,20}一時(?:的に|停止)|(?:网站|網站|系统|系統|服务|服務|页面|本站).{0,12}(?:暂时|暫時|暂停|暫停|临时|臨時)|(?:사이트|서비스|시스템|홈페이지).{0,16}(?:일시|임시)/u;

/** Text about the schedule of a service, or about maintenance as a service or a topic. */
export const ABOUT =
  /operational\b|\b(?:ferry|ferries|elevator|bridge|pool|road|tower|(?<!en )trains?|bus(?:es)?|pier|museum)\b|aufzug|fahrstuhl|brücke|schwimmbad|ascenseur|piscin|carretera|ascensore|zwembad|лифт|подъезд|winda|basen|電車|エレベーター|电梯|電梯|승강기|엘리베이터|how (?:do|can|should) |\brelease (?:notes|\d)|changelog|service level|(?:^|\n)(?:fixed|new|added):|\b(?:may|can|might|could) (?:sometimes |occasionally )?be (?:unavailable|down|offline)|怎么|如何|とは|方法|어떻게|(?:^|\n)(?:wie|so|comment|cómo|como|come|hoe|nasıl|как|jak) |incident history|past incidents|subscribe to updates|all systems|how to|what is|\bplug-?ins?\b|installations?\b|休館|our (?:services|prices)|get a quote|\b(?:lawn|garden|car|vehicle|home|property|building|pool|roof|aircraft|machine|hvac|preventive|predictive|elevator|facility)s? maintenance/u;

/** Text about work that is over, or about the holidays of a business. */
export const OVER =
  /\b(?:resolved|completed)\W*(?:\n|$)|\b(?:was|were) (?:down|offline|unavailable|closed) (?:for|from|between|on)\b|via de webshop|webshop .{0,12}(?:open|bereikbaar)|\bshop (?:stays|remains|is still) open|online-?shop .{0,24}(?:geöffnet|weiterhin)|\bhas been (?:completed|resolved)|works? again|yesterday|gestern|gisteren|\bayer\b|\bieri\b|ontem|вчера|wczoraj|昨日|昨天|어제|werkt weer|funktioniert wieder|(?:^|\n)(?:completed|resolved|abgeschlossen|behoben|terminé|resuelto|resolvido|risolto|opgelost|завершено|zakończono|已完成|完了|완료)(?![\p{L}])|holidays?\b|vacation|urlaub|ferien|congés|vacaciones|férias|chiusura estiva|per ferie|vakantie|tatil|отпуск|urlop|休業|夏季休暇|放假|休假|휴가|휴무/u;

/** Announces work in the future. */
export const FUTURE =
  /将于|将在|將於|將在|届时|屆時|予定|行います|実施(?:いた)?します|예정|will (?:upgrade|perform|carry out|be (?:carrying|performing|upgrading|unavailable|offline|down|closed))|will (?:undergo|take place)|(?:wird|werden) (?:am|vom|in der nacht|zwischen)|findet .{0,60}statt|(?:aura|auront) lieu|sera (?:indisponible|inaccessible)|estará (?:fuera|no disponible|indispon|em)|(?:se )?realizará|tendrá lugar|non sarà|sarà (?:non|offline|in)|effettueremo|zal .{0,40}(?:zijn|worden)|yapılacak|olacak|будет (?:недоступ|проводи|закрыт)|будут (?:недоступ|проводи)|będzie (?:niedostępn|wyłącz)|odbędzie|przeprowadzimy/u;

/** Words for things that exist only on the web. */
export const ONLINE =
  /web ?site|\bsite\b|online|internet|portal|\bserver|system|digital|\bapps?\b|\bmail\b|homepage|webseite|banking|sede electr|campus virtual|plataforma|сайт|портал|сервер|сервис|систем|форум|usług|stron[aęy]|システム|サイト|サーバ|バンキング|网站|網站|系统|系統|网上|시스템|사이트|뱅킹/u;
/** The period of work on a day, such as "on 14 June from 1 a.m. to 5 a.m.". */
export const PERIOD =
  /(?:from|between|von|zwischen|de|entre|dalle|tra le|van|tussen|с|od|między) (?:\p{L}+ )?\d[\d.:]*(?: ?(?:h|uhr|a\.?m\.?|p\.?m\.?|uur|ore))? (?:to|until|and|bis|und|à|et|a|y|às|e|alle|tot|en|до|do|i|a) (?:las |le )?\d|\d[時点시].{0,4}(?:から|至|부터|到).{0,6}\d/u;
