// Short pages modeled on widely used sites and systems. Each line has the outcome, the language and the model, the
// title, and the HTML of its body.

import { toModels } from "./page-lines";

const PAGES = `
maintenance en nightly window | Online services | <h1>Online services are closed for the night</h1><p>Our systems are updated every night between 00:00 and 05:00. Please come back after 05:00.</p>
maintenance en bank | Lakeshore Credit Union - Digital Banking | <img src="/logo.svg" alt="logo"><h1>Digital Banking is getting an upgrade</h1><p>While we make the switch, online and mobile banking aren't available. We expect everything to be up and running by Monday at 6 a.m. ET.</p><p>You can still use your debit card and our ATMs. Questions? Call 555-0100.</p>
maintenance en game | Starforge servers offline | <h1>Servers offline</h1><p>The realm is resting while patch 4.2 is being deployed. Estimated downtime: 4 hours. Follow @starforge for updates.</p>
maintenance en tax | HM Online | <header><a href="/">Home</a></header><main><h1>Sorry, the service is unavailable</h1><p>You will be able to use the service from 8am on Monday 12 June.</p><p>If you need to speak to someone, <a href="/contact">contact us</a>.</p></main>
maintenance en gov problem | Service unavailable | <main><h1 class="govuk-heading-l">Sorry, there is a problem with the service</h1><p>Try again later.</p><p>We have not saved your answers. When the service is available, you will have to start again.</p></main>
maintenance en shopify | Opening soon | <h1>We're giving the store a makeover</h1><p>The shop is closed for a short while as we restock and redecorate. Be the first to know when we reopen.</p><form><input type="email" placeholder="Email"><button>Notify me</button></form>
maintenance en wiki | Wiki locked | <h1>Database migration in progress</h1><p>The wiki is offline while we move it to new hardware. Thanks for your patience!</p>
maintenance en forum | Community offline | <div class="panel"><h2>Board closed</h2><p>The board is closed at the moment because we are installing an update. Come back in an hour or so.</p></div>
maintenance en canvas | Learning platform | <h1>Pardon our dust!</h1><p>Moodle is unavailable from Friday 18:00 to Sunday 12:00 because of the annual upgrade. Quizzes and submissions will reopen on Sunday.</p><a href="mailto:it@uni.example">IT Service Desk</a>
maintenance en outage | Brindle Mail | <h1>Something's not right on our end</h1><p>Brindle Mail is down right now. Our engineers know about the problem and are working on a fix.</p><a href="https://status.brindle.example">Status page</a>
maintenance en overloaded | High demand | <h1>We are experiencing unusually high traffic</h1><p>The site is temporarily unable to handle your request. Please try again in a few minutes.</p>
maintenance en magento | Maintenance | <main><h1>503</h1><p>Service is temporary unavailable</p><p>The site is down due to maintenance servicing and will return to work soon.</p></main>
maintenance en atlassian | Confluence | <div id="content"><h1>Confluence is being upgraded</h1><p>This site is offline while the administrators upgrade it. Contact your administrators for details.</p></div>
maintenance de amt | Serviceportal Landkreis | <h1>Vorübergehend nicht verfügbar</h1><p>Aufgrund technischer Arbeiten steht das Serviceportal bis Montag, 7 Uhr, nicht zur Verfügung. Wir bitten um Ihr Verständnis.</p>
maintenance de bank | Online-Banking | <h1>Online-Banking derzeit nicht möglich</h1><p>Wir führen ein Update durch. Ab 14 Uhr können Sie sich wieder anmelden.</p><p>Kartenzahlungen sind weiterhin möglich. Sperr-Notruf: 116 116</p>
maintenance de shop | Kurze Pause | <h1>Wir räumen gerade um!</h1><p>Unser Shop bekommt ein neues Gesicht. Schauen Sie in ein paar Stunden wieder vorbei.</p>
maintenance de forum | Forum | <p>Das Forum ist zurzeit wegen eines Updates geschlossen. Voraussichtlich ab 20 Uhr geht es weiter.</p>
maintenance de verein | TSV Steinbach | <h1>TSV Steinbach</h1><p>Unsere Homepage wird gerade überarbeitet und ist bald wieder für euch da.</p>
maintenance fr banque | Espace client | <h1>Service momentanément interrompu</h1><p>En raison d'une opération technique, l'accès à votre espace est interrompu jusqu'au dimanche 18 mai à 10 h.</p><p>Nous vous prions de nous excuser pour la gêne occasionnée.</p>
maintenance fr mairie | Ville de Montreuil-sur-Lys | <h1>Le site fait peau neuve</h1><p>Le site de la ville est fermé pendant sa mise à jour. Il rouvrira le 2 juin.</p>
maintenance fr boutique | La Fabrique | <h1>Petite pause technique</h1><p>On bricole en coulisses ! La boutique rouvre ce soir à 18 h.</p>
maintenance fr univ | ENT | <h1>Interruption de service</h1><p>L'ENT n'est pas accessible ce week-end pendant la migration des serveurs. Le service sera rétabli lundi matin.</p>
maintenance es gobierno | Sede electrónica | <h1>Sede electrónica no disponible</h1><p>Por trabajos técnicos, la sede electrónica permanecerá cerrada hasta las 8:00 del lunes. Disculpe las molestias.</p>
maintenance es tienda | Vinoteca | <h1>¡Estamos de reforma!</h1><p>Nuestra tienda online está cerrada unos días mientras la renovamos. ¡Nos vemos pronto!</p>
maintenance es universidad | Campus virtual | <h1>Campus virtual fuera de servicio</h1><p>Estamos actualizando la plataforma. El servicio se restablecerá el sábado a las 14 h.</p>
maintenance pt banco | Internet Banking | <h1>Sistema indisponível</h1><p>Estamos atualizando nossos sistemas. O acesso será normalizado às 6h. Pedimos desculpas pelo transtorno.</p>
maintenance pt loja | Loja | <h1>Já voltamos!</h1><p>A nossa loja está a ser atualizada. Volte daqui a pouco.</p>
maintenance it comune | Comune di Valverde | <h1>Servizi online sospesi</h1><p>Per un intervento tecnico i servizi online non sono disponibili fino alle ore 8 di lunedì. Ci scusiamo per il disagio.</p>
maintenance it negozio | Torniamo presto | <h1>Lavori in corso</h1><p>Stiamo aggiornando il nostro negozio. Saremo di nuovo online a breve.</p>
maintenance nl gemeente | Gemeente Oosterdam | <h1>Website tijdelijk niet beschikbaar</h1><p>Wij werken aan de website. Vanaf maandag 9.00 uur kunt u weer bij ons terecht.</p>
maintenance nl bank | Mijn Bank | <h1>Internetbankieren is nu niet mogelijk</h1><p>We voeren een update uit. Vanaf 06.00 uur kunt u weer inloggen.</p>
maintenance tr kurum | e-Hizmet | <h1>Sistem güncelleniyor</h1><p>Sistemlerimizde yapılan çalışma nedeniyle hizmet veremiyoruz. Saat 08.00'den itibaren tekrar hizmetinizdeyiz.</p>
maintenance tr magaza | Mağaza | <h1>Yenileniyoruz!</h1><p>Mağazamız kısa bir süreliğine kapalı. Çok yakında yeni yüzümüzle karşınızdayız.</p>
maintenance ru банк | Интернет-банк | <h1>Сервис временно недоступен</h1><p>Мы обновляем систему. Вход в интернет-банк будет возможен после 6:00 по московскому времени. Приносим извинения за неудобства.</p>
maintenance ru форум | Форум отключен | <p>Форум закрыт на время переезда на новый сервер. Откроемся в понедельник.</p>
maintenance ru портал | Госуслуги региона | <h1>Идёт обновление портала</h1><p>Портал не работает до 9:00. Попробуйте зайти позже.</p>
maintenance pl urzad | ePUAP gmina | <h1>Usługa chwilowo niedostępna</h1><p>Trwa aktualizacja systemu. Usługa będzie dostępna od godziny 6:00. Przepraszamy za utrudnienia.</p>
maintenance pl sklep | Sklep | <h1>Robimy remanent</h1><p>Nasz sklep jest chwilowo zamknięty, bo go odświeżamy. Zajrzyj do nas za kilka godzin.</p>
maintenance ja 銀行 | インターネットバンキング | <h1>サービス停止のお知らせ</h1><p>システム更新のため、現在サービスを停止しております。再開は5月7日（木）午前6時の予定です。</p><p>ご迷惑をおかけし申し訳ございません。</p>
maintenance ja 店 | オンラインショップ | <h1>ただいまサイトをリニューアルしています</h1><p>オープンまで今しばらくお待ちください。</p>
maintenance zh 政务 | 政务服务网 | <h1>系统升级中</h1><p>因系统升级，网上办事服务暂停使用，预计5月8日上午9时恢复。</p>
maintenance zh 学校 | 選課系統 | <h1>選課系統暫停服務</h1><p>因機房搬遷，本系統暫停服務至週一上午八點，造成不便敬請見諒。</p>
maintenance ko 은행 | 인터넷뱅킹 | <h1>서비스 일시 중단 안내</h1><p>전산 시스템 교체로 인해 인터넷뱅킹 서비스가 중단됩니다. 5월 5일 06시부터 정상 이용이 가능합니다.</p>
maintenance sv | Försäkring Online | <h1>Vi uppdaterar våra system</h1><p>Just nu kan du inte logga in. Tjänsten är tillbaka kl. 07.00. Vi ber om ursäkt för besväret.</p>
maintenance da | Borger selvbetjening | <h1>Siden er midlertidigt lukket</h1><p>På grund af vedligeholdelse er selvbetjeningen lukket. Prøv igen senere.</p>
maintenance no | Nettbank | <h1>Vedlikehold pågår</h1><p>Nettbanken er utilgjengelig på grunn av planlagt vedlikehold. Vi er snart tilbake.</p>
maintenance fi | Verkkopalvelu | <h1>Huoltokatko</h1><p>Palvelu on pois käytöstä huoltotöiden vuoksi. Yritä myöhemmin uudelleen.</p>
maintenance cs | Portál občana | <h1>Probíhá údržba</h1><p>Portál je z důvodu plánované odstávky dočasně nedostupný. Omlouváme se za komplikace.</p>
maintenance hu | Ügyfélkapu | <h1>Karbantartás</h1><p>Az oldal karbantartás miatt átmenetileg nem elérhető. Kérjük, látogasson vissza később.</p>
maintenance el | Υπηρεσία | <h1>Εργασίες συντήρησης</h1><p>Ο ιστότοπος είναι προσωρινά μη διαθέσιμος λόγω αναβάθμισης. Παρακαλούμε δοκιμάστε αργότερα.</p>
maintenance uk | Портал послуг | <h1>Технічні роботи</h1><p>Портал тимчасово недоступний. Ми скоро повернемося.</p>
maintenance ro | Portal | <h1>Site în mentenanță</h1><p>Site-ul este temporar indisponibil. Revenim în curând.</p>
maintenance id | Layanan | <h1>Sedang dalam pemeliharaan</h1><p>Situs ini sedang dalam perbaikan dan akan segera kembali.</p>
maintenance vi | Cổng dịch vụ | <h1>Hệ thống đang bảo trì</h1><p>Trang web tạm thời không truy cập được. Vui lòng quay lại sau.</p>
maintenance ar | الخدمات | <h1>الموقع تحت الصيانة</h1><p>نعتذر عن الإزعاج، سنعود قريبا.</p>
soft_404 en joblist | Job no longer available | Coastline Careers | <nav><a href=/>Home</a> <a href=/jobs>Jobs</a></nav><main><h1>This vacancy has closed</h1><p>The position you were looking at has been filled. Browse similar openings below.</p><ul><li><a href=/1>Deckhand</a></li><li><a href=/2>Cook</a></li></ul></main>
soft_404 en retailer | Outdoor Shop | <main><h1>Oh no! We've sold out of that one for good</h1><p>The product you're after isn't in our range anymore.</p><h2>You might also like</h2><ul><li><a href=/1>Trail jacket</a> £89</li><li><a href=/2>Rain cape</a> £45</li></ul></main>
soft_404 en social | Chirper | <main><h1>Hmm...this page doesn’t exist. Try searching for something else.</h1><a href=/search>Search</a></main>
soft_404 en account | Chirper | <main><h2>This account doesn’t exist</h2><p>Try searching for another.</p></main>
soft_404 en insta | Pixgram | <main><h2>Sorry, this page isn't available.</h2><p>The link you followed may be broken, or the page may have been removed. <a href=/>Go back to Pixgram.</a></p></main>
soft_404 en reddit | Sorry, nobody on Threadit goes by that name. | <main><h1>Sorry, nobody on Threadit goes by that name.</h1><p>This account may have been banned or the username is incorrect.</p><a href=/>View other communities</a></main>
soft_404 en yt | Vidtube | <main><h1>This video isn't available anymore</h1><a href=/>Go to home</a></main>
soft_404 en github | Page not found · Gitstore | <main><p>This is not the web page you are looking for.</p><form><input type=search><button>Search</button></form></main>
soft_404 en drive | Filebox | <main><h1>The link has expired</h1><p>The file owner has removed the transfer or it has passed its expiry date.</p></main>
soft_404 en estate | Riverside Homes | <main><h1>This property is off the market</h1><p>The home you're looking for has been sold or withdrawn.</p><a href=/buy>Search homes for sale</a></main>
soft_404 en events | Ticketline | <main><h1>Event not found</h1><p>It may have already taken place, or the address is wrong.</p><a href=/events>All events</a></main>
soft_404 en generic | Acme | <main><h1>We looked everywhere…</h1><p>but we couldn't find what you're looking for. The page may have moved or it never existed.</p><a href=/>Take me home</a></main>
soft_404 en dead end | Dead end | Bramble Toys | <main><h1>Looks like you've hit a dead end</h1><p>The page you tried to open is no longer here.</p><a href=/>Back to the shop</a></main>
soft_404 en broken link | Harrow Council | <main><h1>This page has moved or been deleted</h1><p>Use the search above or start from the <a href=/>home page</a>.</p></main>
soft_404 en docs | Docs | <main><h1>404</h1><p>We could not find what you were looking for.</p><p>Please contact the owner of the site that linked you to the original URL and let them know their link is broken.</p></main>
soft_404 en ebay-like | Bidbay | <main><p>We looked everywhere.</p><p>Looks like this page is missing. If you still need help, visit our <a href=/help>help pages</a>.</p><a href=/>Go to homepage</a></main>
soft_404 en amazon-like | Page Not Found | <main><p>Looking for something?</p><p>We're sorry. The Web address you entered is not a functioning page on our site.</p><a href=/>Go to Rivershop's Home Page</a></main>
soft_404 en recipe | Spoonful | <main><h1>Uh-oh, this recipe has gone missing</h1><p>It may have been deleted by its author.</p><h2>Popular recipes</h2><a href=/1>Pea soup</a><a href=/2>Bread</a></main>
soft_404 en airbnb-like | Staywell | <main><h1>Oops!</h1><h2>We can't seem to find the page you're looking for.</h2><p>Error code: 404</p><p>Here are some helpful links instead:</p><ul><li><a href=/>Home</a></li><li><a href=/s>Search</a></li></ul></main>
soft_404 de stellen | Stelle nicht mehr verfügbar | Jobhafen | <main><h1>Diese Stelle ist leider schon besetzt</h1><p>Die Anzeige ist nicht mehr online. Hier finden Sie ähnliche Jobs.</p><a href=/1>Koch</a></main>
soft_404 de shop | Möbelwerk | <main><h1>Ups, hier ist etwas schiefgelaufen</h1><p>Die von dir gesuchte Seite haben wir leider nicht gefunden.</p><a href=/>Zum Shop</a></main>
soft_404 de kleinanzeigen | Kleinmarkt | <main><h1>Die gewünschte Anzeige ist nicht mehr verfügbar.</h1><a href=/>Zurück zur Suche</a></main>
soft_404 de immo | Immonord | <main><h1>Objekt nicht mehr vorhanden</h1><p>Das Exposé wurde deaktiviert, weil die Wohnung vermietet ist.</p></main>
soft_404 fr emploi | Emploi Ouest | <main><h1>Cette offre n'est plus en ligne</h1><p>Le poste a été pourvu ou l'annonce a expiré.</p><a href=/>Voir les offres similaires</a></main>
soft_404 fr boutique | Oups ! | <main><h1>Oups ! Vous vous êtes égaré</h1><p>La page que vous cherchez a disparu ou n'a jamais existé.</p><a href=/>Retour à l'accueil</a></main>
soft_404 es tienda | Zapatería Sol | <main><h1>¡Vaya! Este producto ya no está a la venta</h1><p>Te proponemos otros modelos.</p><a href=/1>Sandalia</a></main>
soft_404 es empleo | Empleo Ya | <main><h1>Oferta cerrada</h1><p>Esta vacante ya no admite candidaturas o ha sido retirada.</p></main>
soft_404 es noticia | Diario | <main><h1>Lo sentimos</h1><p>La página a la que intentas acceder no existe o ha cambiado de dirección.</p></main>
soft_404 pt loja | Loja Mar | <main><h1>Ops! Não achamos essa página</h1><p>Verifique o endereço ou volte para a página inicial.</p></main>
soft_404 pt vaga | Vagas | <main><h1>Esta vaga foi encerrada</h1><p>O anúncio expirou. Veja vagas parecidas.</p></main>
soft_404 it annuncio | Annunci | <main><h1>L'annuncio è scaduto</h1><p>Questo annuncio non è più online. Guarda quelli simili.</p></main>
soft_404 it pagina | Errore | <main><h1>Ops, qualcosa è andato storto</h1><p>La pagina che cercavi non c'è più o l'indirizzo è sbagliato.</p><a href=/>Torna alla home</a></main>
soft_404 nl winkel | Fietsenwinkel | <main><h1>Oeps, deze pagina kunnen we niet vinden</h1><p>Misschien is het product uit ons assortiment.</p></main>
soft_404 nl huis | Huizen | <main><h1>Deze woning staat niet meer te koop</h1><p>Bekijk ander aanbod in de buurt.</p></main>
soft_404 tr ilan | İlanlar | <main><h1>Bu ilan yayında değil</h1><p>İlan sahibi tarafından kaldırılmış veya süresi dolmuş olabilir.</p></main>
soft_404 tr sayfa | Mağaza | <main><h1>Üzgünüz, bu sayfayı bulamadık</h1><p>Aradığınız sayfanın adresi değişmiş olabilir.</p></main>
soft_404 ru стр | Магазин | <main><h1>Кажется, вы заблудились</h1><p>Такой страницы у нас нет. Возможно, она была удалена или вы ошиблись в адресе.</p></main>
soft_404 pl oferta | Praca | <main><h1>Ta oferta pracy jest już nieaktualna</h1><p>Pracodawca zakończył rekrutację.</p></main>
soft_404 pl strona | Ups | <main><h1>Ups! Nic tu nie ma</h1><p>Strona, której szukasz, została usunięta lub przeniesiona.</p></main>
soft_404 ja 求人 | 求人 | <main><h1>この求人は掲載を終了しました</h1><p>ほかの求人をお探しください。</p></main>
soft_404 ja 商品 | ショップ | <main><h1>申し訳ございません</h1><p>お探しの商品は現在取り扱っておりません。URLをご確認ください。</p></main>
soft_404 zh 商品 | 商城 | <main><h1>很抱歉，您查看的宝贝不存在，可能已下架或被转移</h1></main>
soft_404 zh 知乎 | 出错了 | <main><h1>404</h1><p>你似乎来到了没有知识存在的荒原</p><a href=/>去往首页</a></main>
soft_404 ko 삭제 | 블로그 | <main><h1>삭제되었거나 존재하지 않는 게시물입니다</h1><a href=/>홈으로</a></main>
soft_404 sv | Sidan hittades inte | <main><h1>Sidan kunde inte hittas</h1><p>Sidan du letar efter finns inte längre.</p></main>
soft_404 cs | Stránka nenalezena | <main><h1>Stránka nenalezena</h1><p>Požadovaná stránka neexistuje nebo byla přesunuta.</p></main>
soft_404 da | Siden findes ikke | <main><h1>Siden findes ikke</h1><p>Den side, du leder efter, er flyttet eller slettet.</p></main>
soft_404 uk | Сторінку не знайдено | <main><h1>Сторінку не знайдено</h1><p>Можливо, вона була видалена або переміщена.</p></main>
soft_404 ro | Pagina nu a fost găsită | <main><h1>Pagina nu a fost găsită</h1><p>Pagina pe care o căutați nu există.</p></main>
soft_404 fi | Sivua ei löytynyt | <main><h1>Sivua ei löytynyt</h1><p>Etsimääsi sivua ei ole tai se on poistettu.</p></main>
soft_404 id | Halaman tidak ditemukan | <main><h1>Halaman tidak ditemukan</h1><p>Halaman yang Anda cari tidak ada atau telah dihapus.</p></main>
soft_404 vi | Không tìm thấy trang | <main><h1>Không tìm thấy trang</h1><p>Trang bạn tìm không tồn tại.</p></main>
soft_404 ar | الصفحة غير موجودة | <main><h1>الصفحة غير موجودة</h1><p>عذرا، الصفحة التي تبحث عنها غير موجودة.</p></main>
soft_404 el | Η σελίδα δεν βρέθηκε | <main><h1>Η σελίδα δεν βρέθηκε</h1><p>Η σελίδα που ζητήσατε δεν υπάρχει.</p></main>
consent en yt | Before you continue to Vidtube | <h1>Before you continue to Vidtube</h1><p>We use cookies and data to</p><ul><li>Deliver and maintain our services</li><li>Track outages and protect against spam, fraud, and abuse</li><li>Measure audience engagement and site statistics</li></ul><p>If you choose to “Accept all,” we will also use cookies and data to</p><ul><li>Develop and improve new services</li><li>Deliver and measure the effectiveness of ads</li></ul><button>Reject all</button><button>Accept all</button><a href=/m>More options</a>
consent fr yt | Avant d'accéder à Vidtube | <h1>Avant d'accéder à Vidtube</h1><p>Nous utilisons des cookies et d'autres données pour</p><ul><li>proposer les services et s'assurer qu'ils fonctionnent</li><li>suivre les interruptions de service et lutter contre le spam</li><li>mesurer l'engagement de l'audience</li></ul><button>Tout refuser</button><button>Tout accepter</button>
consent es yt | Antes de ir a Vidtube | <h1>Antes de ir a Vidtube</h1><p>Utilizamos cookies y datos para</p><ul><li>Proporcionar y mantener nuestros servicios</li><li>Controlar las interrupciones</li><li>Medir la interacción de la audiencia</li></ul><button>Rechazar todo</button><button>Aceptar todo</button>
consent it yt | Prima di continuare su Findr | <h1>Prima di continuare</h1><p>Utilizziamo cookie e dati per</p><ul><li>Fornire e gestire i servizi</li><li>Monitorare interruzioni</li></ul><button>Rifiuta tutto</button><button>Accetta tutto</button>
consent nl yt | Voordat je verdergaat naar Findr | <h1>Voordat je verdergaat</h1><p>We gebruiken cookies en gegevens voor het volgende:</p><ul><li>Services leveren en onderhouden</li><li>Storingen bijhouden</li></ul><button>Alles afwijzen</button><button>Alles accepteren</button>
consent ja yt | Findr に進む前に | <h1>Findr に進む前に</h1><p>Cookie とデータは次の目的で使用されます</p><ul><li>サービスの提供、維持</li><li>停止状況の監視と、スパム、不正行為、悪用に対する保護</li></ul><button>すべて拒否</button><button>すべて同意</button>
consent pl yt | Zanim przejdziesz do Findr | <h1>Zanim przejdziesz do wyszukiwarki</h1><p>Używamy plików cookie i danych, aby</p><ul><li>Dostarczać usługi i dbać o ich jakość</li><li>Śledzić przestoje</li></ul><button>Odrzuć wszystko</button><button>Zaakceptuj wszystko</button>
consent de spiegel-like | Nachrichten - WELTBLICK | <h1>Weltblick.example mit Werbung oder im Abo lesen</h1><h2>Mit Werbung lesen</h2><p>Besuchen Sie Weltblick.example wie gewohnt mit Werbung und üblichem Tracking. Ihre Zustimmung können Sie jederzeit widerrufen.</p><button>Akzeptieren und weiter</button><h2>… oder PUR-Abo</h2><p>Nutzen Sie uns ganz ohne Werbetracking für 4,99 € im Monat.</p><a href=/pur>Jetzt abonnieren</a><p>Schon PUR-Abonnent? Hier anmelden.</p>
consent de zeit-like | Ihr Einverständnis | <h1>Wochenschau mit Werbung</h1><p>Nutzen Sie unsere Seiten mit personalisierter Werbung, Werbetracking, Nutzungsanalyse und externen Multimedia-Inhalten. Details zu Cookies und Verarbeitungszwecken finden Sie in unserer Datenschutzerklärung.</p><button>Einverstanden</button><h1>Wochenschau PUR</h1><p>Unser Angebot ohne Werbetracking für 1,40 € pro Woche.</p><button>Zum Angebot</button>
consent de heise-like | tech-news | <h1>Zustimmung zur Datenverarbeitung</h1><p>Wir und unsere bis zu 189 Partner verwenden Cookies und Tracking-Technologien. Einige Cookies und Datenverarbeitungen sind technisch notwendig, andere helfen, unser Angebot zu verbessern und wirtschaftlich zu betreiben.</p><button>Alle akzeptieren</button><a href=/pur>Werbefrei lesen mit tech pur</a>
consent fr lemonde-like | Le Quotidien | <h1>Lire Le Quotidien en acceptant les cookies</h1><p>En acceptant, vous nous permettez, ainsi qu'à nos 98 partenaires, de déposer des traceurs pour financer le journal par la publicité.</p><button>Accepter et continuer</button><p>ou</p><button>S'abonner pour refuser</button><p>Déjà abonné ? Se connecter</p>
consent it corriere-like | Gazzetta del Lago | <h1>Scegli come leggere</h1><p>Acconsenti ai cookie per proseguire gratuitamente, oppure rifiuta e sottoscrivi l'abbonamento a 1 € al mese.</p><button>Accetta e continua</button><button>Rifiuta e abbonati</button>
consent es pais-like | El Diario | <h1>Con tu consentimiento, El Diario es gratis</h1><p>Nosotros y nuestros 833 socios almacenamos o accedemos a información en un dispositivo, tales como cookies, y procesamos datos personales.</p><button>Aceptar y continuar gratis</button><button>Rechazar y suscribirse</button>
consent uk mirror-like | Your choice | <h1>We value your privacy</h1><p>We and our 512 partners store and access personal data, like browsing data or unique identifiers, on your device. Choose to read with personalised ads, or pay £1.99 a month to reject.</p><button>I Accept</button><button>Pay to Reject</button>
consent nl dpg-like | DPG Media Privacy Gate | <h1>De Stadskrant gebruikt cookies</h1><p>Met jouw toestemming lees je onze site. Wij en derden verzamelen gegevens om advertenties te tonen die bij je passen.</p><button>Akkoord</button><a href=/i>Instellen</a>
consent pl onet-like | Portal24 | <h1>Przejdź do serwisu</h1><p>Drogi Użytkowniku! Klikając „Przejdź do serwisu” zgadzasz się na wykorzystywanie przez nas i naszych partnerów plików cookies oraz przetwarzanie danych osobowych w celach marketingowych.</p><button>PRZEJDŹ DO SERWISU</button><button>USTAWIENIA ZAAWANSOWANE</button>
consent ru 18 | Винный дом | <h1>Вам исполнилось 18 лет?</h1><p>Сайт содержит информацию, не рекомендованную для лиц, не достигших совершеннолетнего возраста.</p><button>Да, мне есть 18 лет</button><button>Нет</button>
consent en casino | Lucky Reef | <h1>18+ only</h1><p>This website is for adults. By entering, you confirm that you are over the age of 18.</p><button>Enter</button><button>Leave</button>
consent en adult | Warning: adult material | <h1>This is an adult website</h1><p>This website contains age-restricted materials including nudity. By entering, you affirm that you are at least 18 years of age or the age of majority in the jurisdiction you are accessing the website from.</p><button>I am 18 or older - Enter</button><button>I am under 18 - Exit</button>
consent en beer over21 | Confirm your age | <img src=/l.png alt=logo><h2>Confirm your age to enter</h2><a href=/home><button>Over 21</button></a><a href=https://r.example><button>Under 21</button></a><label><input type=checkbox>Remember Me</label>
consent en welcome beer | DASBIER | <div>WELCOME AT DASBIER</div><div>#1 BEER SHOP OF EUROPE</div><div>Please confirm that you are above the legal drinking age in your country of residence before entering our homepage.</div><button>YES</button><button>NO</button>
consent fr alcool | Cave | <h1>Tu es sur un site commercialisant des boissons alcoolisées, merci de confirmer ta date de naissance avant de continuer :</h1><form><input type=date><input type=submit value=Confirmer></form>
consent vi 18 | Cảnh báo 18+ | <h1>Cảnh báo 18+</h1><p>Trang web này chứa nội dung chỉ phù hợp với người từ 18 tuổi trở lên. Vui lòng xác nhận để tiếp tục.</p><button>Tôi đã đủ 18 tuổi</button><button>Rời trang</button>
consent en reddit nsfw | You must be 18+ to view this community | <h1>You must be at least eighteen years old to view this content.</h1><p>Are you over eighteen and willing to see adult content?</p><a href=/y>No thank you</a> <button>Yes, I'm over eighteen</button>
consent en ao3 | Archive | <p>This work could have adult content. If you continue, you have agreed that you are willing to see such content.</p><a href=/y>Yes, Continue</a> <a href=/n>No, Go Back</a> <a href=/p>Set your preferences now</a>
consent en hcp | MedPortal | <h1>For healthcare professionals</h1><p>The information on this site is intended for healthcare professionals practising in the US.</p><button>Continue</button><a href=https://x.example>I'm not a healthcare professional</a>
consent de dochcheck | Fachinformation | <h1>Nur für Fachkreise</h1><p>Die folgenden Informationen dürfen wir nach dem Heilmittelwerbegesetz nur medizinischen Fachkreisen zugänglich machen. Bitte bestätigen Sie, dass Sie einem Gesundheitsberuf angehören.</p><button>Ja, ich gehöre zu den Fachkreisen</button><a href=/n>Nein</a>
consent fr investisseur | Gestion d'actifs | <h1>Quel type d'investisseur êtes-vous ?</h1><p>Avant d'accéder au site, veuillez indiquer votre profil et accepter les conditions d'utilisation.</p><select><option>Particulier</option><option>Professionnel</option></select><button>Entrer sur le site</button>
consent es profesional | Farma | <h1>Contenido para profesionales sanitarios</h1><p>¿Es usted un profesional de la salud facultado para prescribir o dispensar medicamentos en España?</p><button>Sí</button><button>No</button>
consent it operatori | Dispositivi | <h1>Sezione riservata agli operatori sanitari</h1><p>Dichiaro di essere un professionista sanitario e di voler accedere ai contenuti.</p><button>Accetto</button><button>Esci</button>
consent ja 医療 | 医療関係者向けサイト | <h1>医療関係者の方へ</h1><p>このサイトは、国内の医療関係者（医師、薬剤師等）を対象に情報を提供しています。あなたは医療関係者ですか？</p><a href=/y>はい</a><a href=/n>いいえ</a>
consent en fund | Fund disclaimer | <h1>Important legal information</h1><p>You must read the following before proceeding. The funds described on this website are not available to US persons. By clicking Accept you confirm that you are not a US person and that you accept these terms.</p><button>Accept</button><button>Decline</button>
consent en region nike-like | Choose your location | <h1>Where would you like to shop?</h1><ul><li><a href=/us>United States</a></li><li><a href=/ca>Canada</a></li><li><a href=/de>Deutschland</a></li><li><a href=/fr>France</a></li></ul>
consent de region | Standort | <h1>In welchem Land möchten Sie einkaufen?</h1><a href=/de>Deutschland</a><a href=/at>Österreich</a><a href=/ch>Schweiz</a>
consent ru город | Выбор города | <h1>Выберите ваш город</h1><a href=/m>Москва</a><a href=/s>Санкт-Петербург</a><a href=/k>Казань</a>
consent en terms | Court records | <h1>Terms of access</h1><p>Read these terms before you search the records. The information is provided as is. Commercial use is not allowed.</p><label><input type=checkbox>I have read and agree to the terms</label><button>Continue to search</button>
consent de tos | Geoportal | <h1>Nutzungsbedingungen</h1><p>Bevor Sie die Karten aufrufen können, müssen Sie den Nutzungsbedingungen zustimmen.</p><button>Zustimmen</button><button>Ablehnen</button>
consent ko 19 | 성인 인증 | <h1>본 정보는 청소년에게 유해한 정보를 포함하고 있어 성인인증이 필요합니다.</h1><p>만 19세 미만은 이용할 수 없습니다.</p><a href=/c>본인인증 하기</a><a href=/o>나가기</a>
consent zh 18 | 警告 | <h1>警告：內容限制級</h1><p>本網站包含限制級內容，未滿18歲者請勿進入。</p><a href=/y>我已年滿18歲，進入</a><a href=/n>離開</a>
consent sv | Samtycke | <h1>Vi värnar om din integritet</h1><p>Vi och våra 120 partner lagrar cookies på din enhet för att visa personliga annonser. Välj hur du vill läsa tidningen.</p><button>Godkänn alla</button><button>Hantera inställningar</button>
consent tr 18 | Yaş kontrolü | <h1>18 yaşından büyük müsünüz?</h1><p>Bu siteye girmek için 18 yaşını doldurmuş olmanız gerekir.</p><button>Evet</button><button>Hayır</button>
paywall en wapo-like | A bridge to nowhere | <article><h1>A bridge to nowhere</h1><p>The bridge was to open in spring. It is now the third winter, and the two halves still end over the water, forty feet apart.</p></article><div class=wall><h2>Get unlimited access to the Ledger</h2><p>Keep reading for just $1 every four weeks.</p><button>Subscribe now</button><p>Already a subscriber? <a href=/l>Sign in</a></p></div>
paywall en ft-like | Subscribe to read | <main><h1>Copper prices jump after mine closes</h1><p>Subscribe to unlock this article</p><p>Try unlimited access. Only £1 for 4 weeks. Then £59 per month. Complete digital access on any device.</p><a href=/b>Select</a></main>
paywall en economist-like | The price of sand | <article><h1>The price of sand</h1><p>In the delta, dredgers work at night. Nobody counts the barges, and the river bank falls a little further every week.</p><p>This article is part of a subscription</p><p>Continue with a free trial</p><a href=/t>Start trial</a></article>
paywall en nyt-like | How the harbor froze | <article><h1>How the harbor froze</h1><p>On the second night the ice reached the piers. By morning the ferries were locked in, and the gulls were walking where the boats had been.</p></article><div><p>Thank you for your patience while we verify access.</p><p>Already a subscriber? Log in. Want all of The Record? Subscribe.</p></div>
paywall en substack | The week in rail | <article><h1>The week in rail</h1><p>Three things happened this week that matter more than the new timetable. The first is the tunnel.</p><h2>Keep reading with a 7-day free trial</h2><p>Subscribe to Rail Notes to keep reading this post and get 7 days of free access to the full post archives.</p><button>Start trial</button></article>
paywall en medium | Why I stopped benchmarking | <article><h1>Why I stopped benchmarking</h1><p>Member-only story</p><p>For ten years I measured everything that moved. Then the numbers stopped telling me anything at all.</p><h2>Create an account to read the full story.</h2><p>The author made this story available to members only.</p><button>Continue in app</button></article>
paywall en jstor-like | Early salt roads of the Alps | <main><h1>Early salt roads of the Alps</h1><p>This paper traces the salt trade between 900 and 1250 on the basis of toll registers that survive in four archives.</p><h2>Read and download</h2><p>Log in through your school or library</p><p>Purchase article $14.00 - Download now and later</p></main>
paywall en wiley-like | Lichen growth on slate roofs | <main><h1>Lichen growth on slate roofs</h1><h2>Abstract</h2><p>We measured the growth of three lichen species on slate roofs over eleven years and found that growth depends mostly on orientation.</p><h2>Get access to the full version of this article</h2><p>Institutional login</p><p>Purchase instant access: 48-hour online access $12.00</p></main>
paywall en standard | EN 12345 Ladders | <main><h1>EN 12345:2024 Ladders for lofts</h1><p>This document specifies requirements for the safety of ladders that give access to lofts in buildings.</p><p>Only informative sections of standards are publicly available. To view the full content, you will need to purchase the standard.</p><a href=/b>Buy</a></main>
paywall en course | Lesson 7: sharpening | <main><h1>Lesson 7: sharpening</h1><p>In this lesson you learn how to put a keen edge on a plane iron with two stones and a strop.</p><div class=lock>This lesson is locked. Enroll in the course to unlock all lessons.</div><a href=/e>Enroll for $49</a></main>
paywall en book preview | Chapter 3 | <main><h1>Chapter 3. The lock keeper</h1><p>The lock keeper had a dog and a rule. The dog was called Admiral. The rule was that nobody crossed the gates after dark.</p><p>You've reached the end of this preview. Start your free trial to read the rest of the book.</p></main>
paywall en webnovel | Chapter 88 - The gate | <main><h1>Chapter 88 - The gate</h1><p>She put her hand on the gate and felt that it was warm. Behind it somebody, or something, was breathing.</p><p>This chapter is locked. Unlock for 12 coins</p><button>Unlock</button></main>
paywall en quota | Harbor Ledger | <article><h1>Council votes on the pier</h1><p>The council votes tonight on the future of the pier, which has been closed since the storm in January.</p></article><div><h3>You have 0 free stories left this month</h3><a href=/s>See subscription options</a></div>
paywall de plus | Warum der Fluss stinkt | <article><h1>Warum der Fluss stinkt</h1><p>Seit Wochen klagen die Anwohner. Das Amt hat nun gemessen, und die Werte sind höher, als alle dachten.</p><div><h3>Jetzt mit SZ-Nord Plus weiterlesen</h3><p>4 Wochen für 0,99 € testen</p><a href=/t>Weiter</a><p>Sie haben bereits ein Konto? Anmelden</p></div></article>
paywall de faz | Der Wald zahlt sich nicht aus | <article><h1>Der Wald zahlt sich nicht aus</h1><p>Wer heute Bäume pflanzt, rechnet in Jahrhunderten. Die Banken rechnen in Quartalen, und daran scheitert vieles.</p><p>Dieser Text ist Teil unseres Premium-Angebots.</p><a href=/t>Zugang freischalten</a></article>
paywall de verbraucher | Staubsauger im Test | <main><h1>Staubsauger im Test</h1><p>24 Modelle mussten auf Teppich und Hartboden zeigen, was sie können. Fünf sind gut, zwei fallen durch.</p><p>Testergebnisse freischalten: Einzelabruf 4,90 € oder mit der Flatrate</p></main>
paywall fr abonnes | Le barrage qui divise | <article><h1>Le barrage qui divise</h1><p>Dans la vallée, deux camps s'affrontent depuis que le préfet a signé l'arrêté. Personne n'avait prévu la sécheresse.</p><p>Article réservé aux abonnés</p><p>La suite est réservée aux abonnés. 1 € le premier mois, sans engagement.</p></article>
paywall fr payant | Enquête | <article><h1>Enquête sur les eaux usées</h1><p>Les chiffres dormaient dans un tiroir. Nous les avons obtenus, et ils racontent une autre histoire que celle des communiqués.</p><p>Il vous reste 82% de l'article à lire.</p><a href=/a>Je m'abonne</a></article>
paywall es muro | La sequía | <article><h1>La sequía que nadie quiso ver</h1><p>El embalse lleva tres años por debajo del veinte por ciento. En el pueblo, el agua llega en camiones.</p><p>Este contenido es exclusivo para suscriptores</p><p>Suscríbete por 1 € y lee sin límites</p></article>
paywall es limite | El puerto | <article><h1>El puerto se queda pequeño</h1><p>Los barcos esperan tres días en la bocana. La ampliación, prometida hace una década, sigue en un cajón.</p><p>Has alcanzado el límite de artículos gratuitos este mes.</p></article>
paywall pt assin | A seca | <article><h1>A seca que ninguém viu</h1><p>O açude está no volume morto desde março. Na cidade, a água chega em caminhões-pipa.</p><p>Para ler este conteúdo na íntegra, assine o jornal.</p></article>
paywall it abb | La diga | <article><h1>La diga contesa</h1><p>Da tre anni il lago scende. A valle protestano i contadini, a monte gli albergatori, e la Regione prende tempo.</p><p>Questo articolo è riservato a chi ha un abbonamento.</p><a href=/a>Abbonati</a></article>
paywall nl premium | De dijk | <article><h1>De dijk moet omhoog</h1><p>Het waterschap wil de dijk een meter verhogen. Voor elf huizen is dan geen plaats meer.</p><p>Dit is een premium artikel. Wil je verder lezen?</p><a href=/a>Neem een abonnement vanaf € 1</a></article>
paywall sv plus | Isen | <article><h1>Isen som försvann</h1><p>I februari brukade man åka skridskor till öarna. I år gick färjan hela vintern.</p><p>Det här är en artikel för dig som är prenumerant. Köp prenumeration för att läsa vidare.</p></article>
paywall da plus | Isen | <article><h1>Isen der forsvandt</h1><p>I februar plejede man at løbe på skøjter til øerne. I år sejlede færgen hele vinteren.</p><p>Læs videre med et abonnement. Allerede abonnent? Log ind</p></article>
paywall ru vedomosti | Дамба | <article><h1>Дамба раздора</h1><p>Третий год уровень озера падает. Внизу протестуют фермеры, наверху — хозяева гостиниц, а область тянет время.</p><p>Полный текст доступен подписчикам. Оформите подписку, чтобы прочитать статью целиком.</p></article>
paywall pl | Tama | <article><h1>Spór o tamę</h1><p>Od trzech lat poziom jeziora spada. W dolinie protestują rolnicy, w górach hotelarze, a województwo zwleka.</p><p>Dalsza część artykułu dostępna po zalogowaniu lub wykupieniu dostępu.</p></article>
paywall tr | Baraj | <article><h1>Baraj tartışması</h1><p>Üç yıldır gölün seviyesi düşüyor. Vadide çiftçiler, yukarıda otelciler itiraz ediyor.</p><p>Bu içeriği okumak için abone olmalısınız.</p></article>
paywall ja note | 売り切れない店の話 | <article><h1>売り切れない店の話</h1><p>うちの店には二十年間売れ残っている器がひとつあります。その理由を書いてみようと思います。</p><p>ここから先は 2,340字</p><p>￥300</p><button>購入手続きへ</button></article>
paywall ja 日経 | 港の再開発 | <article><h1>港の再開発、二年遅れ</h1><p>市は港の再開発計画を二年延期すると発表した。資材の高騰が理由という。</p><p>この記事は会員限定です。登録すると続きをお読みいただけます。</p></article>
paywall zh 财新 | 港口 | <article><h1>港口扩建推迟两年</h1><p>市政府宣布港口扩建推迟两年，原因是材料价格上涨。居民表示欢迎。</p><p>本文为付费内容，订阅后可阅读全文</p></article>
paywall ko 프리미엄 | 항구 | <article><h1>항구 확장 2년 연기</h1><p>시는 항구 확장 계획을 2년 미룬다고 밝혔다. 자재 가격 상승이 이유다.</p><p>이 콘텐츠는 멤버십 전용입니다. 가입하고 전체 내용을 확인하세요.</p></article>
parked en plesk | Domain Default page | <h1>Welcome to Plesk</h1><p>If you are seeing this message, the website for quilted-otter.example is not available at this time.</p><p>If you are the owner of this website, log in to Plesk to publish your site.</p>
parked en cpanel future | Index of | <h1>Future home of something quite cool.</h1><p>If you're the site owner, log in to launch this site.</p><p>If you are a visitor, check back soon.</p>
parked en fasthosts | quilted-otter.example | <h1>quilted-otter.example</h1><p>This domain has been registered by Fasthost on behalf of a customer.</p><p>Register your own domain name from £1.</p>
parked en bluehost | Welcome | <h1>Welcome to quilted-otter.example</h1><p>This Web page is parked for FREE, courtesy of Regdaddy.com.</p>
parked en wix | Connect domain | <h1>Looks like this domain isn't connected to a website yet</h1><p>Is this your domain? Connect it to your site in just a few clicks.</p>
parked en squarespace | quilted-otter.example | <h1>We're under construction.</h1><p>Please check back for an update soon.</p><p>quilted-otter.example is registered with Squarely Domains</p>
parked en shopify | Sorry, this shop is currently unavailable | <h1>Sorry, this shop is currently unavailable.</h1><p>Are you the store owner? Log in here or start a new store.</p>
parked en hugedomains | QuiltedOtter.com is for sale | <h1>QuiltedOtter.com</h1><p>Buy now: $2,995</p><p>Take immediate ownership</p><p>30-day money back guarantee</p><p>Questions? Talk to a domain expert: 1-303-555-0100</p>
parked en atom | quiltedotter.com | <h1>The premium domain name quiltedotter.com is available for purchase</h1><button>Buy now</button><button>Make offer</button>
parked en expired | Expired | <h1>This domain has expired.</h1><p>Is this your domain? Renew now to restore service.</p>
parked en suspended | Account Suspended | <h1>This Account has been suspended.</h1><p>Contact your hosting provider for more information.</p>
parked en icann | Domain suspended | <h1>This domain has been suspended</h1><p>The registrant contact information has not been verified. Please verify your email address to reactivate quilted-otter.example.</p>
parked en seized list | quilted-otter.example | <h1>quilted-otter.example</h1><h2>Related searches</h2><ul><li><a href=/1>Otter Toys</a></li><li><a href=/2>Quilt Patterns</a></li></ul><p>The Sponsored Listings displayed above are served automatically by a third party.</p>
parked de strato | Diese Internetpräsenz | <h1>Hier entsteht eine neue Internetpräsenz</h1><p>Diese Domain wurde bei Stratos registriert und ist noch nicht mit Inhalt belegt.</p>
parked de allinkl | gelber-otter.example | <h1>gelber-otter.example</h1><p>Der Inhaber hat hier noch keine Webseite veröffentlicht.</p>
parked de sedo | Domain kaufen | <h1>gelber-otter.de</h1><p>Diese Domain können Sie jetzt erwerben!</p><p>Preis: 1.200 EUR</p>
parked fr ovh | Félicitations | <h1>Félicitations ! Votre domaine loutre.example a bien été créé.</h1><p>Le site est en construction.</p>
parked fr hebergeur | loutre.example | <h1>Site en construction</h1><p>Le nom de domaine loutre.example est enregistré, mais aucun site n'y est encore publié.</p>
parked es arsys | nutria.example | <h1>nutria.example</h1><p>Este dominio ya está registrado. Próximamente dispondrá de contenido.</p>
parked pt locaweb | lontra.example | <h1>Site em construção</h1><p>O domínio lontra.example ainda não possui um site publicado.</p>
parked it register | lontra.example | <h1>Dominio in costruzione</h1><p>lontra.example: il sito non è ancora stato pubblicato dal titolare.</p>
parked nl transip | otter.example | <h1>otter.example is gereserveerd</h1><p>De eigenaar heeft nog geen website geplaatst.</p>
parked tr | susamuru.example | <h1>susamuru.example</h1><p>Bu alan adı müşterimiz tarafından kayıt edilmiştir. Web sitesi henüz yayınlanmamıştır.</p>
parked ru beget | Домен не прилинкован | <h1>Домен vydra.example не прилинкован ни к одной из директорий на сервере!</h1><p>Если вы владелец, перейдите в панель управления.</p>
parked ru sprint | vydra.example | <h1>Сайт не опубликован</h1><p>Домен vydra.example зарегистрирован, но услуга хостинга не подключена.</p>
parked pl home | wydra.example | <h1>Strona w budowie</h1><p>Domena wydra.example jest zarejestrowana w home. Właściciel nie opublikował jeszcze strony.</p>
parked ja さくら | 初期ページ | <h1>このドメインはお客様が取得されたものです</h1><p>まだホームページが公開されていません。</p>
parked zh 备案 | 域名 | <h1>该域名已被注册</h1><p>网站尚未建立，请联系域名所有者。</p>
parked zh 主机 | 恭喜，站点创建成功！ | <h1>恭喜，站点创建成功！</h1><p>这是默认index.html，本页面由系统自动生成</p>
parked ko 가비아 | otter.example | <h1>otter.example</h1><p>이 도메인은 고객님이 등록한 도메인이며 아직 웹사이트가 연결되지 않았습니다.</p>
parked sv | utter.example | <h1>utter.example</h1><p>Den här domänen är registrerad hos Loopy. Ingen webbplats har publicerats.</p>
parked cs | vydra.example | <h1>vydra.example</h1><p>Tato doména je zaparkována u Forpsy. Doména je na prodej.</p>
parked da | odder.example | <h1>odder.example</h1><p>Domænet er registreret. Der er endnu ikke oprettet en hjemmeside.</p>
login en okta | Sign In | <form><h2>Sign In</h2><label>Username<input name=u></label><button>Next</button><a href=/h>Unlock account?</a><a href=/h>Help</a></form>
login en google-like | Sign in - Accounts | <h1>Sign in</h1><p>to continue to Mail</p><input type=email aria-label="Email or phone"><a href=/f>Forgot email?</a><p>Not your computer? Use a private window to sign in.</p><button>Next</button><a href=/c>Create account</a>
login en magic link | Notely | <h1>Log in to Notely</h1><p>We'll email you a magic link for a password-free sign in.</p><input type=email><button>Send link</button>
login en bank id | Online Banking | <h1>Welcome to Online Banking</h1><form><label>Customer number<input></label><label>PIN<input type=password></label><button>Continue</button></form><p>Never share your PIN. Call us if something looks suspicious.</p>
login en facebook-like | Facegram | <p>You must log in to continue.</p><form><input type=text placeholder="Email or phone"><input type=password><button>Log In</button><a href=/r>Forgotten account?</a></form>
login en phpbb | Information | <h2>Information</h2><p>You are not authorised to read this forum.</p><p>The board requires you to be registered and logged in to view this page.</p><form><label>Username<input></label><label>Password<input type=password></label><button>Login</button></form>
login en moodle guest | Course: Chemistry 2 | <p>Guests cannot access this course. Please log in.</p><button>Continue</button>
login en intranet | Staff hub | <h1>Staff hub</h1><p>Use your university account to get in.</p><a class=btn href=/sso>Continue with UniPass</a>
login en wordpress protected | Protected: Family album | <h1>Protected: Family album</h1><p>This content is password protected. To view it please enter your password below:</p><form><label>Password: <input type=password></label><input type=submit value=Enter></form>
login en github-like private | Sign in to your account to continue | <h1>This workspace is private</h1><p>Sign in with an account that has been invited.</p><a href=/l>Sign in</a>
login en members area | Members | <h1>Members only</h1><p>The documents in this section are for members of the association.</p><form><input placeholder="Membership number"><input type=password placeholder=Password><button>Enter</button></form>
login de bank | Banking | <h1>Willkommen</h1><form><label>Anmeldename<input></label><label>PIN<input type=password></label><button>Weiter</button></form><a href=/x>Zugang sperren</a>
login de intern | Interner Bereich | <h1>Interner Bereich</h1><p>Dieser Bereich ist nur für Mitglieder. Bitte geben Sie Benutzername und Passwort ein.</p><form><input><input type=password><button>OK</button></form>
login de forum | Zugriff verweigert | <p>Der Zutritt zu dieser Seite ist Ihnen leider verwehrt. Sie besitzen nicht die notwendigen Zugriffsrechte, um diese Seite aufrufen zu können.</p><h2>Anmelden</h2><form><input><input type=password><button>Absenden</button></form>
login fr ent | ENT | <h1>Portail d'authentification</h1><form><label>Identifiant<input></label><label>Mot de passe<input type=password></label><button>Valider</button></form>
login es banca | Banca | <h1>Accede a tu banca online</h1><form><label>Usuario<input></label><label>Clave<input type=password></label><button>Continuar</button></form>
login it spid | Area personale | <h1>Area personale</h1><p>Accedi ai servizi con la tua identità digitale.</p><button>Entra con SPID</button><button>Entra con CIE</button>
login nl digid | Mijn Gemeente | <h1>Mijn Gemeente</h1><p>Log in met DigiD om uw zaken te regelen.</p><button>Inloggen met DigiD</button>
login da mitid | Log på | <h1>Log på</h1><p>Du skal logge på for at se din post.</p><button>Log på med MitID</button>
login no | Logg inn | <h1>Logg inn</h1><form><input placeholder=E-post><input type=password placeholder=Passord><button>Logg inn</button><a href=/g>Glemt passord?</a></form>
login fi | Kirjaudu | <h1>Kirjaudu sisään</h1><form><input placeholder=Käyttäjätunnus><input type=password placeholder=Salasana><button>Kirjaudu</button></form>
login cs | Přihlášení | <h1>Přihlášení</h1><form><input placeholder=Jméno><input type=password placeholder=Heslo><button>Přihlásit se</button></form>
login hu | Bejelentkezés | <h1>Bejelentkezés</h1><form><input placeholder=Felhasználónév><input type=password placeholder=Jelszó><button>Belépés</button></form>
login uk | Вхід | <h1>Вхід</h1><form><input placeholder=Логін><input type=password placeholder=Пароль><button>Увійти</button></form>
login ar | تسجيل الدخول | <h1>تسجيل الدخول</h1><form><input placeholder="اسم المستخدم"><input type=password><button>دخول</button></form>
login ru | Вход | <p>Для просмотра этой страницы войдите или зарегистрируйтесь.</p><form><input><input type=password><button>Вход</button></form>
login ja bank | インターネットバンキング | <h1>ログイン</h1><form><label>店番号<input></label><label>口座番号<input></label><label>暗証番号<input type=password></label><button>次へ</button></form>
login ko | 로그인 | <p>로그인 후 이용하실 수 있습니다.</p><form><input><input type=password><button>로그인</button></form>
needs_rendering en noscript | App | <noscript>You need to enable JavaScript to run this app.</noscript><div id="root"></div><script src=/main.js></script>
needs_rendering en custom mount | Console | <div id="console-root"></div><script src=/main.js></script>
needs_rendering en js-app | Dash | <div class="app-wrapper"><div class="spinner-border" role="status"><span>Loading...</span></div></div><script src=/main.js></script>
needs_rendering en curly | Shop | <div ng-app="shop"><h1>{{title}}</h1><ul><li ng-repeat="p in products">{{p.name}} {{p.price}}</li></ul></div><script src=/main.js></script>
needs_rendering en knockout | Cart | <div id=cart><h1 data-bind="text: title"></h1><div data-bind="foreach: items"><span data-bind="text: name"></span></div></div><script src=/main.js></script>
needs_rendering en fetching | Live results | <header><a href=/>Home</a></header><main><h1>Live results</h1><div id=results>Fetching results…</div></main><script src=/main.js></script>
needs_rendering en starting | Studio | <div id=splash><img src=/logo.svg alt=logo><p>Starting Studio…</p></div><script src=/main.js></script>
needs_rendering en hang on | Board | <div id=app><p>Hang tight, we're getting things ready.</p></div><script src=/main.js></script>
needs_rendering en blazor | BlazorApp | <div id="app"><svg class="loading-progress"></svg><div class="loading-progress-text"></div></div><div id="blazor-error-ui">An unhandled error has occurred. <a href="" class="reload">Reload</a> <a class="dismiss">🗙</a></div><script src="_framework/blazor.webassembly.js"></script>
needs_rendering en flutter | app | <script src="flutter_bootstrap.js" async></script>
needs_rendering en old browser | Maps | <div id=map-app></div><!--[if lt IE 9]><p>Your browser is outdated.</p><![endif]--><noscript>Sorry, this site doesn't work properly without JavaScript enabled. Please enable it to continue.</noscript><script src=/main.js></script>
needs_rendering de laden | Kundenportal | <app-root><div class=splash>Anwendung wird gestartet…</div></app-root><script src=/main.js></script>
needs_rendering de daten | Fahrplan | <nav><a href=/>Start</a></nav><div id=board>Daten werden geladen …</div><script src=/main.js></script>
needs_rendering de bitte | Portal | <div id=app>Einen Moment bitte …</div><script src=/main.js></script>
needs_rendering fr | Espace | <div id=app><p>Veuillez patienter pendant le chargement de l'application…</p></div><script src=/main.js></script>
needs_rendering es | App | <div id=app><p>Espere, por favor…</p></div><script src=/main.js></script>
needs_rendering es noscript | App | <div id=appx></div><noscript>Lo sentimos, esta aplicación no funciona correctamente sin JavaScript. Actívalo para continuar.</noscript><script src=/main.js></script>
needs_rendering pt | App | <div id=app><p>Aguarde um momento...</p></div><script src=/main.js></script>
needs_rendering it | App | <div id=app><p>Attendere prego...</p></div><script src=/main.js></script>
needs_rendering nl | App | <div id=app><p>Een ogenblik geduld...</p></div><script src=/main.js></script>
needs_rendering tr | App | <div id=app><p>Lütfen bekleyin...</p></div><script src=/main.js></script>
needs_rendering ru | App | <div id=app><p>Подождите, идёт загрузка…</p></div><script src=/main.js></script>
needs_rendering ru js | App | <div id=main-x></div><noscript>Для работы сайта нужен JavaScript</noscript><script src=/main.js></script>
needs_rendering pl | App | <div id=app><p>Proszę czekać...</p></div><script src=/main.js></script>
needs_rendering ja | App | <div id=app><p>しばらくお待ちください</p></div><script src=/main.js></script>
needs_rendering ja js | App | <div id=a1></div><noscript>このサイトを利用するにはJavaScriptを有効にしてください。</noscript><script src=/main.js></script>
needs_rendering zh | App | <div id=app><p>请稍候，页面加载中…</p></div><script src=/main.js></script>
needs_rendering zh js | App | <div id=a1></div><noscript>请开启浏览器的JavaScript功能后再访问</noscript><script src=/main.js></script>
needs_rendering ko | App | <div id=app><p>잠시만 기다려 주세요.</p></div><script src=/main.js></script>
needs_rendering sv | App | <div id=app><p>Laddar…</p></div><script src=/main.js></script>
needs_rendering fi | App | <div id=app><p>Ladataan...</p></div><script src=/main.js></script>
needs_rendering da | App | <div id=app><p>Indlæser…</p></div><script src=/main.js></script>
needs_rendering cs | App | <div id=app><p>Načítání…</p></div><script src=/main.js></script>
needs_rendering uk | App | <div id=app><p>Завантаження…</p></div><script src=/main.js></script>
needs_rendering ro | App | <div id=app><p>Se încarcă…</p></div><script src=/main.js></script>
needs_rendering id | App | <div id=app><p>Memuat…</p></div><script src=/main.js></script>
needs_rendering vi | App | <div id=app><p>Đang tải…</p></div><script src=/main.js></script>
needs_rendering ar | App | <div id=app><p>جار التحميل…</p></div><script src=/main.js></script>
needs_rendering en nav+empty | Jobs at Acme | <header><nav><a href=/>Home</a><a href=/about>About</a><a href=/jobs>Jobs</a></nav></header><main id=jobs><h1>Open positions</h1><div id="grnhse_app"></div></main><footer>© Acme</footer><script src=https://boards.greenhouse.example/embed/job_board/js?for=acme></script>
needs_rendering en title+mount | Acme store | <header><nav><a href=/>Home</a><a href=/c>Cart</a></nav></header><h1>Products</h1><div id="product-list"></div><footer>© Acme</footer><script src=/main.js></script>
needs_rendering en unsupported | Editor | <div id=u>This application requires a modern browser with JavaScript and WebAssembly.</div><div id=app></div><script src=/main.js></script>
`;

/** The outcome, the name and the HTML of each page. */
export const MODEL_PAGES = toModels(PAGES);
