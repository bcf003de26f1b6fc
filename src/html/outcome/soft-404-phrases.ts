const THING =
  "(?:web ?)?(?:page|site|url|link|address|product|item|article|story|post|entry|user|member|profile|account|listing|ad|advert|classified|job|vacancy|position|offer|event|video|photo|image|file|document|content|property|recipe|course|topic|thread|question|room|hotel|channel|playlist|book|game|app|store|shop|resource|repository|project|record|package)";
const ABSENT =
  "(?:(?:was|is|were|could|can)? ?(?:not|nt|wasnt|isnt|couldnt|cant|cannot|cannot be|can not be|couldnt be|cant be|could not be|not be)(?: be)? (?:found|available|located|accessible)|doesnt exist|does not exist|dont exist|didnt exist|not exist|no longer (?:exists?|available|active|here|listed|for sale|open)|is no longer (?:exists?|available|active|here|listed|for sale|open|accepting applications)|(?:is )?unavailable|(?:is )?missing|(?:is )?gone|(?:has |was )?(?:been )?(?:removed|deleted|expired|discontinued|taken down|deactivated))";

/** Names of pages for missing pages. They match a whole heading without punctuation. */
export const NOT_FOUND_NAMES: readonly RegExp[] = [
  new RegExp(
    `^(?:(?:the|this|that|your|requested|we are|were|were sorry|we are sorry|but|it looks like|looks like) )*${THING}(?: (?:you (?:are|re|were|have|requested|wanted)|youre|that)[\\p{L} ]{0,40}?)? ${ABSENT}$`,
    "u",
  ),
  /^(?:not found|page missing|missing page|you (?:seem|appear) (?:to be )?lost|are you lost|nothing (?:to see )?here|theres nothing here|this is not the (?:web )?page you are looking for)$/,
  new RegExp(
    `^(?:(?:but|were|we are|we) )*(?:we )?(?:cant|couldnt|cannot|could not|can not|werent able to|were unable to|are unable to)(?: seem to)? (?:find|locate) (?:the|that|this|your|what)(?: ${THING})?(?: youre looking for| you are looking for| you were looking for| you requested)?$`,
    "u",
  ),
  // German
  /^(?:(?:die|diese|der|dieser|dieses|das|den|leider|angeforderte|gesuchte|gewünschte|aufgerufene|wurde) )*(?:web|internet)?(?:seite|artikel|produkt|beitrag|anzeige|inserat|angebot|stelle|stellenanzeige|benutzer|nutzer|profil|dokument|datei|inhalt|eintrag|objekt|video|rezept)(?: \p{L}+){0,3}? ?(?:(?:wurde|konnte|ist|existiert|kann)? ?(?:leider )?(?:nicht (?:gefunden|verfügbar|vorhanden|mehr verfügbar|mehr vorhanden|mehr online|mehr aktiv)(?: werden)?|nicht(?: mehr)?(?: existent)?|existiert nicht(?: mehr)?|gelöscht|entfernt|deaktiviert))$/u,
  /^(?:nicht gefunden|diese seite gibt es (?:leider )?nicht(?: mehr)?|die (?:gesuchte |angeforderte )?seite gibt es (?:leider )?nicht(?: mehr)?|hier ist (?:leider )?nichts|wir konnten (?:die|diese) (?:seite|produkt) (?:leider )?nicht finden)$/,
  // French
  /^(?:(?:la|le|l|cette|ce|cet|votre) ?)?(?:page|produit|article|annonce|offre|profil|utilisateur|contenu|document|fichier|fiche|recette|vidéo)(?: web)?(?: que vous (?:recherchez|cherchez|demandez|avez demandée?)| demandée?| recherchée?)? (?:est )?(?:introuvable|non trouvée?|n ?existe (?:pas|plus)|n ?est (?:pas|plus) disponible|(?:na|n a) pas été trouvée?|inexistante?|indisponible|(?:est )?(?:désactivée?|expirée?|supprimée?|retirée?|terminée?|clôturée?)|a (?:expiré|été (?:supprimée?|retirée?|désactivée?))|non disponible|manquante)$/,
  /^(?:introuvable|non trouvée?|cette page n ?existe (?:pas|plus)|page perdue|vous êtes perdue?)$/,
  // Spanish
  /^(?:(?:la|el|esta|este|tu|esa) )?(?:página|pagina|producto|artículo|anuncio|oferta|perfil|usuario|contenido|documento|archivo|publicación|receta|vídeo|video)(?: web)?(?: que (?:buscas?|estás buscando|está buscando|busca|ha solicitado|intentas)| solicitad[ao]| buscad[ao])?(?: ya)? (?:no (?:encontrad[ao]|existe|disponible|se encuentra|se ha encontrado|se encontró|está disponible|se pudo encontrar|ha sido encontrad[ao])|inexistente|eliminad[ao])(?: disponible)?$/,
  /^(?:no encontrad[ao]|no (?:hemos encontrado|encontramos|pudimos encontrar|podemos encontrar) (?:la|esta|esa) página(?: que buscas)?)$/,
  // Portuguese
  /^(?:(?:a|o|esta|este|essa|esse) )?(?:página|pagina|produto|artigo|anúncio|oferta|perfil|usuário|utilizador|conteúdo|documento|arquivo|receita|vídeo|vaga)(?: que (?:você procura|procura|está procurando|procuras))?(?: já)? (?:não (?:foi )?(?:encontrad[ao]|localizad[ao]|existe(?: mais)?|disponível|está (?:mais )?disponível)|inexistente|removid[ao])$/,
  /^(?:não encontrad[ao]|não (?:encontr[aá]mos|conseguimos encontrar) (?:a|esta|essa) página(?: que (?:você )?procura)?)$/,
  // Italian
  /^(?:(?:la|il|l|questa|questo) ?)?(?:pagina|prodotto|articolo|annuncio|offerta|profilo|utente|contenuto|documento|file|ricetta|video)(?: (?:che (?:stai cercando|cerchi|cercavi)|richiest[ao]|cercat[ao]))? (?:non (?:è stat[ao] )?(?:trovat[ao]|esiste(?: più)?|disponibile|è (?:più )?disponibile)|inesistente|rimoss[ao])$/,
  /^(?:non trovat[ao]|non (?:troviamo|abbiamo trovato|riusciamo a trovare) (?:la|questa) pagina(?: che cerchi)?)$/,
  // Dutch
  /^(?:(?:de|deze|het|dit|opgevraagde|gezochte) )*(?:web)?(?:pagina|product|artikel|advertentie|vacature|profiel|gebruiker|inhoud|document|bestand|recept|video)(?: die je zoekt| die u zoekt)? (?:is )?(?:niet (?:gevonden|beschikbaar|meer beschikbaar)|bestaat (?:helaas )?niet(?: meer)?|(?:kan|kon) niet (?:worden )?gevonden(?: worden)?|verwijderd)$/,
  /^(?:niet gevonden|we (?:kunnen|konden) (?:de|deze) pagina (?:helaas )?niet vinden)$/,
  // Turkish
  /^(?:(?:aradığınız|bu|istediğiniz|böyle bir) )*(?:sayfa|ürün|içerik|ilan|kullanıcı|profil|makale|haber|dosya|tarif|video) ?(?:bulunamadı|bulunmuyor|mevcut değil|yok|yayında değil|yayından kaldırıldı|kaldırıldı|silinmiş|bulunamamıştır|mevcut değildir)$/,
  /^(?:bulunamadı|sayfayı bulamadık|aradığınız sayfayı bulamadık)$/,
  // Russian
  /^(?:(?:такой|такая|эта|этот|запрашиваемая|запрошенная|данная|данный|к сожалению|ой) )*(?:страниц[аы]|товара?|стать[яи]|объявлени[ея]|пользовател[ья]|профил[ья]|документа?|файла?|материала?|вакансия|рецепт|видео)(?: которую вы ищете)? ?(?:не (?:найден[ао]?|существует|обнаружен[ао]?|доступн[ао]?)|нет|больше не (?:существует|доступн[ао]?)|удал[её]н[ао]?|недоступн[ао]?|отсутствует|снят[ао]? с (?:публикации|продажи))$/,
  /^(?:не найдено|ничего не найдено|страница потерялась|мы не (?:нашли|можем найти) (?:такую|эту) страницу)$/,
  // Polish
  /^(?:(?:ta|ten|taka|podana|szukana|żądana) )*(?:strona|strony|produkt|produktu|artykuł|artykułu|ogłoszenie|ogłoszenia|oferta|oferty|użytkownik|użytkownika|profil|dokument|plik)(?: której szukasz)? ?(?:nie (?:istnieje|znaleziono|została znaleziona|został znaleziony|zostało znalezione|jest dostępn[aey])|nieznaleziona|jest niedostępn[aey]|niedostępn[aey]|już nie istnieje|wygasło|usunięt[aoy])$/,
  /^(?:nie znaleziono(?: strony| produktu| ogłoszenia)?|nie (?:możemy|mogliśmy|udało się) (?:znaleźć|odnaleźć) (?:tej )?strony|strony nie znaleziono)$/,
  // Japanese
  /^(?:お探しの|指定された|ご指定の|該当の|この|ご要望の)*(?:ページ|商品|記事|ファイル|ユーザー|コンテンツ|動画|求人)(?:が|は|を)?(?:見つかりません(?:でした)?|みつかりません(?:でした)?|存在しません|ありません|表示できません|削除されました|ございません|見つけることができません(?:でした)?|終了しました)$/u,
  /^(?:ページ未検出|未検出)$/u,
  // Chinese
  /^(?:很)?(?:您|你)?(?:要|所)?(?:访问|訪問|查找|浏览|瀏覽|請求|请求|寻找|尋找|查看|找)?的?(?:该|該|此|这个|這個)?(?:页面|頁面|网页|網頁|商品|产品|產品|文章|内容|內容|用户|用戶|文件|职位|帖子|视频|影片)(?:已经|已經|已)?(?:不存在|未找到|没找到|找不到(?:了)?|没有找到|沒有找到|不见了|不見了|被删除|被刪除|删除|刪除|下架|失效|丢失了|走丢了|无法找到|無法找到)(?:了)?$/u,
  /^(?:找不到|未找到|没有找到|沒有找到|无法找到|無法找到)(?:您|你)?(?:要|所)?(?:访问|訪問|查找|请求|請求)?的?(?:该|該|此|这个|這個)?(?:页面|頁面|网页|網頁|商品|文件|内容|內容)?$/u,
  // Korean
  /^(?:요청하신|찾으시는|해당|원하시는|존재하지 않는|이) ?(?:페이지|상품|게시물|게시글|문서|사용자|파일|콘텐츠|글)(?:를|을|가|이|는|은)?(?: ?(?:찾을 수 없습니다|찾을 수 없음|존재하지 않습니다|없습니다|삭제되었습니다|입니다|찾지 못했습니다|찾을 수 없어요))$/u,
  /^(?:페이지|상품|게시물|문서)(?:를|을|가|이)? ?(?:찾을 수 없습니다|찾을 수 없음|없습니다|존재하지 않습니다|찾지 못했습니다)$/u,
];

const SUBJECT =
  "(?:page|url|address|product|item|article|story|post|user|member|profile|account|listing|advert|ad|job|vacancy|offer|event|video|photo|image|file|document|content|property|recipe|course|topic|thread|channel|playlist|resource|link|what you(?:'re| are| were) looking for)";

/** Sentences that say that the requested page doesn't exist. */
export const NOT_FOUND_SENTENCES: readonly RegExp[] = [
  new RegExp(
    `\\b(?:the|this|that|your|requested|specified|selected|sorry,?|no such)(?: requested| specified)? ${SUBJECT}\\b.{0,70}\\b(?:does(?:n't| not) (?:seem to )?exist|do(?:n't| not) exist|(?:was|is|were)(?:n't| not) (?:found|here|available)|could(?:n't| not) be (?:found|located)|can(?:'t| not|not) be (?:found|located)|no longer (?:exists?|available|active|here|live|listed|for sale)|(?:is|are) unavailable|(?:has|have|may have|might have|was|could have)(?: either)? (?:been )?(?:moved|removed|deleted|renamed|expired|ended|discontinued|taken down|changed))`,
  ),
  /\b(?:we|i)(?:'re| are| were)? (?:can't|couldn't|cannot|could not|can not|unable to|not able to)(?: seem to)? (?:find|locate) (?:the|that|this|your|a|what) ?(?:page|product|item|article|user|profile|account|listing|job|event|video|file|post|document|content|url|you)/,
  /\b(?:page|product|item|file|document|resource|url) (?:that )?(?:you(?:'re| are| were|'ve| have)? )?(?:looking for|requested|trying to (?:reach|access|view)|searching for)/,
  /\b(?:there is (?:currently )?no (?:text|content|page|article) (?:in|on|at|with|by) th(?:is|e|at)|nothing was found at this location|it seems we can't find what you're looking for|it looks like nothing was found|the link you (?:followed|clicked) (?:may be|is|might be|has) (?:broken|expired|outdated)|you may have (?:mistyped|typed) the (?:address|url)|the requested (?:url|page|resource) .{0,200}(?:not found|doesn't exist)|(?:user|profile|account|product|item|listing|video|page|job|article) (?:not found|doesn't exist|does not exist|is unavailable|no longer exists))/,
  // German
  /(?:seite|artikel|produkt|beitrag|anzeige|inserat|angebot|stelle|stellenangebot|profil|benutzer|nutzer|dokument|datei|inhalt|eintrag|adresse|url|link).{0,70}(?:nicht (?:gefunden|verfügbar|vorhanden|existier|erreichbar)|nicht mehr (?:verfügbar|vorhanden|online|aktiv|existier|aktuell)|existiert (?:leider )?nicht|gibt es (?:leider )?nicht|(?:verschoben|gelöscht|entfernt|umbenannt))|(?:konnten?|können) .{0,60}(?:seite|artikel|produkt|profil|anzeige).{0,40}nicht (?:finden|gefunden)/,
  // French
  /(?:page|produit|article|annonce|offre|profil|utilisateur|contenu|document|fichier|adresse|url|lien).{0,80}(?:n'existe (?:pas|plus)|introuvable|n'est (?:pas|plus) (?:disponible|en ligne|accessible)|n'a pas (?:pu être|été) trouvée?|a (?:peut-être )?été (?:déplacée?|supprimée?|retirée?))|(?:ne (?:trouvons|parvenons)|n'avons pas (?:pu )?trouv).{0,60}(?:page|produit|article)/,
  // Spanish
  /(?:página|producto|artículo|anuncio|oferta|perfil|usuario|contenido|documento|archivo|dirección|url|enlace|publicación).{0,80}(?:no (?:existe|se (?:ha )?(?:encuentra|encontrado|encontró)|está(?: ya)? disponible|fue encontrad|ha sido encontrad|se pudo encontrar)|ya no (?:existe|está)|(?:ha sido|fue|haber sido|se ha|haya sido) (?:movid|eliminad|borrad|cambiad|retirad))|no (?:hemos (?:podido )?encontra|encontramos|podemos encontrar|pudimos encontrar).{0,40}(?:página|producto|artículo|que buscas)/,
  // Portuguese
  /(?:página|produto|artigo|anúncio|oferta|perfil|usuário|utilizador|conteúdo|documento|arquivo|endereço|url|link|vaga).{0,80}(?:não (?:existe|foi (?:encontrad|localizad)|está (?:mais )?disponível|pôde ser)|pode ter (?:expirado|sido)|(?:foi|ter sido|tenha sido) (?:movid|removid|excluíd|apagad|eliminad|alterad))|não (?:encontramos|conseguimos encontrar|foi possível (?:encontrar|localizar)).{0,40}(?:página|produto|conteúdo|que você)/,
  // Italian
  /(?:pagina|prodotto|articolo|annuncio|offerta|profilo|utente|contenuto|documento|file|indirizzo|url|link).{0,80}(?:non (?:esiste|è (?:stat[ao] trovat|(?:più )?disponibile|raggiungibile)|è più|può essere trovat)|(?:è stat[ao]|essere stat[ao]|sia stat[ao]) (?:spostat|rimoss|eliminat|cancellat))|non (?:riusciamo a trovare|abbiamo trovato|troviamo).{0,40}(?:pagina|prodotto|contenuto|quello che)/,
  // Dutch
  /(?:pagina|product|artikel|advertentie|vacature|profiel|gebruiker|inhoud|document|bestand|adres|url|link).{0,80}(?:bestaat (?:helaas )?niet|niet (?:gevonden|\(meer\)|meer (?:beschikbaar|actief|online)|beschikbaar|worden gevonden)|(?:is|werd) (?:mogelijk )?(?:verplaatst|verwijderd))|(?:kunnen|konden) .{0,40}pagina.{0,40} niet vinden/,
  // Turkish
  /(?:sayfa|ürün|içerik|ilan|kullanıcı|profil|makale|haber|dosya|adres|bağlantı).{0,80}(?:bulunamad|bulunamamış|bulunmamakta|mevcut değil|yayından kaldırıl|kaldırılmış|silinmiş|taşınmış|artık (?:yok|mevcut))|(?:sayfayı|ürünü|içeriği) bulam/,
  // Russian
  /(?:страниц|товар|стать|объявлени|пользовател|профил|документ|файл|материал|адрес|ссылк|вакансия|вакансии).{0,80}(?:не (?:найден|существует|обнаружен|доступн)|больше не|(?:была |был |было )?(?:удал[её]н|перемещ[её]н|перенес[её]н)|недоступ|отсутствует|снят[ао]? с|устарел)|(?:не (?:нашли|смогли найти|можем найти)|такой страницы).{0,40}(?:страниц|товар|нет)/,
  // Polish
  /(?:stron|produkt|artykuł|ogłoszeni|ofert|użytkownik|profil|dokument|plik|adres|link|treść).{0,80}(?:nie (?:istnieje|znaleziono|został[ao]? (?:znalezion|odnalezion)|jest (?:już )?dostępn|można znaleźć)|niedostępn|(?:został[ao]?|być może) (?:przeniesion|usunięt)|wygasł|nieaktualn)|nie (?:możemy|mogliśmy|udało (?:nam )?się) (?:znaleźć|odnaleźć).{0,40}stron/,
  // Japanese
  /(?:ページ|商品|記事|ファイル|ユーザー|コンテンツ|url|動画|求人|アドレス).{0,40}(?:見つかりません|みつかりません|見つけることができません|存在しません|存在しない|ございません|ありません|削除され|移動し|移動または削除|終了し|表示できません|お探し)/u,
  // Chinese
  /(?:页面|頁面|网页|網頁|商品|产品|產品|文章|内容|內容|用户|用戶|文件|链接|鏈接|連結|地址|网址|網址|职位|帖子).{0,30}(?:不存在|未找到|没找到|找不到|没有找到|沒有找到|已被?(?:删除|刪除|移除|下架|移动|移動)|已(?:失效|下架|过期)|无法找到|無法找到|不见了)|(?:找不到|未找到|没有找到|無法找到|无法找到).{0,20}(?:页面|頁面|网页|網頁|商品|文件|内容|內容)/u,
  // Korean
  /(?:페이지|상품|게시물|게시글|문서|사용자|파일|콘텐츠|주소|링크).{0,40}(?:찾을 수 (?:없|가 없)|찾지 못|존재하지 않|없습니다|삭제|변경되|이동되|만료|종료|판매 ?중지)/u,
  // Sentences that don't name the page, and things that are no longer offered
  /\b(?:page(?! \d)|link|address|article|product|item|property|home|job|vacancy|position|role|opening|listing|ad|account|profile|video|post|recipe|event|offer|auction)s?\b.{0,50}\b(?:(?:has|have) (?:already )?(?:closed|been filled|been sold|gone missing|gone|ended|been closed|been withdrawn|vanished|disappeared)|(?:is|are) (?:now )?(?:closed|missing|gone|off the market|no longer here|(?:not|n't) available anymore|out of stock for good|filled|archived|private)|isn't (?:in our range|available|on sale|here|online)|no longer (?:here|online|accepts?|offered|listed)|never existed|(?:doesn't|does not|didn't) exist|isn't available|is not a functioning page|(?:has )?(?:moved|been deleted|expired)\W*$)/,
  /\b(?:link|transfer|invitation|share|file) (?:has |is )?(?:expired|broken|invalid)|nobody .{0,30}goes by that name|(?:hit|reached) a dead end|we(?:'ve| have)? looked everywhere|could(?:n't| not) find what you(?:'re| are| were)|(?:we|i) (?:can't|couldn't|could not|cannot) find .{0,30}(?:page|looking for)|may have (?:been (?:banned|deleted|removed)|already taken place)|this (?:vacancy|job|position|role|posting|property|auction|offer) (?:has|is) (?:now )?(?:closed|expired|filled|sold|withdrawn|no longer)|sold out of that one for good|web address you entered/,
  /(?:seite|artikel|produkt|beitrag|anzeige|inserat|angebot|stelle|job|objekt|wohnung|immobilie|exposé|link|video|profil|inhalt).{0,60}(?:führt ins leere|(?:leider )?(?:schon |bereits )?(?:besetzt|vergeben|verkauft|vermietet|abgelaufen|deaktiviert|offline)|nicht gefunden|kennen wir nicht|haben wir (?:leider )?nicht|existiert nicht|fehlt)|(?:haben|konnten) wir (?:leider )?nicht (?:gefunden|finden)/,
  /(?:page|produit|article|annonce|offre|poste|profil|contenu|lien|adresse|vidéo|bien).{0,60}(?:a disparu|n'a jamais existé|est (?:désactivée?|expirée?|clôturée?|fermée?|pourvue?|vendue?|obsolète)|a (?:été )?(?:expiré|pourvue?|vendue?|clôturée?)|n'est plus|n'existe|plus (?:en ligne|disponible)|mort)|vous (?:vous )?êtes (?:égaré|perdu)/,
  /(?:página|producto|artículo|anuncio|oferta|vacante|empleo|enlace|contenido|perfil|inmueble|dirección).{0,60}(?:ya no (?:está|admite|existe|se)|(?:está |ha sido )?(?:cerrad|retirad|caducad|expirad|vendid|desactivad)|ha (?:caducado|expirado|desaparecido|cambiado)|roto)|te has perdido/,
  /(?:página|produto|anúncio|vaga|oferta|link|conteúdo|imóvel|endereço).{0,60}(?:foi (?:encerrad|vendid|desativad|preenchid)|expirou|já não|não existe|encerrad|quebrado)|não (?:achamos|encontramos) (?:essa|esta|a) página/,
  /(?:pagina|prodotto|articolo|annuncio|offerta|contenuto|link|immobile|indirizzo).{0,60}(?:è (?:scadut|stat[ao] (?:vendut|chius|ritirat))|non (?:c'è|è) più|non esiste|non è (?:più )?(?:online|disponibile)|è sbagliat|scadut[ao]\W*$)/,
  /(?:pagina|product|artikel|vacature|advertentie|woning|huis|link|adres|profiel|inhoud).{0,60}(?:kunnen we niet vinden|(?:is|staat) (?:niet meer|al|vervuld|verlopen|verkocht|verhuurd|verwijderd|gesloten)|niet meer|uit ons assortiment|werkt niet|bestaat niet|(?:vervuld|verlopen|verkocht))/,
  /(?:sayfa|ürün|ilan|içerik|bağlantı|hesap|video).{0,60}(?:yayında değil|kaldırıl|süresi dol|bulamad|bulunam|mevcut değil|değişmiş|silin|yok\b)/,
  /(?:страниц|товар|вакансия|объявлени|ссылк|запис|видео|аккаунт|объект|материал).{0,60}(?:в архиве|закрыт|не существует|у нас нет|устарел|снят|удал|продан|истек|истёк|не найден|недоступ)|(?:вы|кажется,? вы) (?:заблудились|потерялись)|ошиблись в адресе/,
  /(?:stron|produkt|ofert|ogłoszeni|link|konto|artykuł|treść|nieruchomość).{0,60}(?:nieaktualn|zakończon|wygas|usunięt|przeniesion|nie istnieje|nie ma|sprzedan|zamknięt)|nic tu nie ma/,
  /(?:ページ|商品|求人|記事|動画|物件|イベント|リンク|アカウント).{0,40}(?:掲載(?:を|は|が)?終了|取り扱って(?:おりません|いません)|販売(?:を)?終了|公開(?:を)?終了|期限切れ|受付(?:を)?終了|非公開)/u,
  /(?:主题|主題|帖子|版块|用户空间|空间|宝贝|寶貝|商品|页面|頁面|职位|職位|链接|連結|视频|影片|内容|內容|帖子|房源|文章).{0,24}(?:不存在|下架|失效|过期|過期|已关闭|已關閉|已结束|已結束|被转移|被删除|被刪除|找不到|走丢|丢失)|(?:삭제되었거나|존재하지 않는|만료된|종료된).{0,12}(?:페이지|게시물|게시글|상품|글|링크)|(?:채용|공고|모집).{0,10}(?:마감|종료)/u,
  // Other languages
  /(?:sidan|sidan du|artikeln|produkten|annonsen|länken|siden|siden du|artiklen|produktet|annoncen|artikkelen|annonsen|sivua|sivu|tuotetta|ilmoitus).{0,60}(?:hittades inte|(?:kunde|kan) inte hittas|finns inte|har tagits bort|har flyttats|ikke (?:fundet|funnet)|findes ikke|finnes ikke|blev ikke|ble ikke|kunne ikke findes|er (?:flyttet|slettet|fjernet)|ei (?:löyt|ole)|on poistettu|poistettu)/u,
  /(?:stránk|produkt|inzerát|článek|nabídk|oldal|termék|hirdetés|cikk|pagina|produsul|anunțul|articolul).{0,60}(?:nebyl|nenalezen|neexistuje|nenájden|nenašl|byla (?:přesunut|smazán|odstraněn)|nem (?:található|létezik|elérhető)|törölt|megszűnt|nu (?:a fost|există|mai|este)|a fost (?:ștears|mutat|eliminat))/u,
  /(?:σελίδα|προϊόν|άρθρο|αγγελία).{0,60}(?:δεν (?:βρέθηκε|υπάρχει|είναι)|καταργήθηκε)|(?:сторінк|товар|оголошенн|статт|страница).{0,60}(?:не (?:знайдено|існує|е намерена|съществува)|видален|перемі)|(?:halaman|produk|artikel|laman).{0,60}(?:tidak (?:ditemukan|ada|tersedia)|telah dihapus)|(?:trang|sản phẩm|bài viết|nội dung).{0,60}(?:không (?:tồn tại|tìm thấy|có)|đã bị xóa)|không tìm thấy.{0,20}(?:trang|sản phẩm|nội dung)|(?:الصفحة|المنتج|المقال).{0,60}(?:غير موجود|لم يتم العثور|غير متاح)|(?:הדף|העמוד|המוצר).{0,40}(?:לא נמצא|אינו קיים|לא קיים)|ไม่พบ(?:หน้า|สินค้า)|पृष्ठ नहीं मिला/u,
];
