// Short pages after the default pages of hosts and registrars, and after gates and forums. Each line has the outcome, the
// kind of page, its title, and the HTML of its body. The texts are short forms of what such pages say.
import { toModels } from "./page-lines";

const PAGES = `
parked plesk obsidian | Domain Default page | <h1>Domain Default page</h1><p>If you are seeing this message, the website for otter.example is not available at this time.</p><h2>If you are the owner of this website</h2><p>one of the following things may be occurring: you have not put any content on your website, or your provider has suspended this page.</p><p>Please login to Plesk to receive instructions on setting up your website.</p>
parked cpanel default | Default Web Site Page | <h1>SORRY!</h1><p>If you are the owner of this website, please contact your hosting provider: webmaster@otter.example</p><h2>It is possible you have reached this page because:</h2><ul><li>The IP address has changed.</li><li>There has been a server misconfiguration.</li><li>The site may have moved to a different server.</li></ul>
parked directadmin | otter.example - coming soon | <h1>otter.example</h1><p>This site is currently under construction. The page you see was created automatically by DirectAdmin, please replace it by uploading your own index.html.</p>
parked ionos en | otter.example | <h1>otter.example</h1><p>This domain name has just been registered.</p><p>Is this your domain? Start your website with MyWebsite.</p>
parked strato nl | otter.example | <h1>Hier komt een nieuwe website</h1><p>Deze domeinnaam is zojuist geregistreerd via Strato en heeft nog geen inhoud.</p>
parked ovh en | Site under construction | <h1>Congratulations! Your hosting is active.</h1><p>Your domain otter.example is now linked to your web hosting. Upload your website to the www folder to replace this page.</p>
parked gandi | otter.example | <h1>This domain name is registered with Gandy</h1><p>It currently has no website. Are you its owner? Log in to activate a page.</p>
parked namecheap | Registrant WHOIS contact information verification | <h1>otter.example</h1><p>This domain is registered at Namecheep. Check back later!</p><p>This domain was recently registered at Namecheep. Please check back later!</p>
parked squarespace | Coming Soon | <h1>Domain Not Claimed</h1><p>This domain has been mapped to Squarely, but it has not yet been claimed by a website. If this is your domain, claim it in the Domains tab of your website manager.</p>
parked wix | Website not connected | <h1>Looks like this domain isn't connected to a website yet</h1><p>Is this your domain? Connect it to your site in just a few clicks.</p><a href=/c>Connect domain</a>
parked shopify domain | otter.example | <h1>This domain isn't connected to a store</h1><p>If you're the owner, add it to your store in the domain settings.</p>
parked github pages like | Site not found | <h1>404</h1><p>There isn't a site here yet. If you are the owner of this domain, set it up in your repository's settings.</p>
parked one.com | otter.example | <h1>otter.example</h1><p>is hosted by one host. The owner hasn't published a website yet.</p>
parked home pl | Domena w home | <h1>wydra.example</h1><p>Domena została zarejestrowana w serwisie domek.pl. Na serwerze nie ma jeszcze strony WWW.</p>
parked nazwa pl | Strona utrzymywana | <h1>Strona wydra.example jest utrzymywana na serwerach Nazwy</h1><p>Zamów hosting i domenę.</p>
parked nic ru | Домен зарегистрирован | <h1>vydra.example</h1><p>Домен зарегистрирован и припаркован у регистратора. Сайт по этому адресу пока не создан.</p>
parked reg ru | vydra.example | <h1>vydra.example</h1><p>Домен зарегистрирован, но сайта здесь пока нет.</p><p>Вы владелец домена? Подключите хостинг или перенаправление.</p>
parked timeweb | Сайт в разработке | <h1>Здесь будет сайт</h1><p>Домен vydra.example успешно привязан к хостингу. Загрузите файлы сайта в папку public_html.</p>
parked sakura | さくらのレンタルサーバ | <h1>レンタルサーバの初期ドメイン</h1><p>このページは、サーバーの初期設定ページです。ファイルをアップロードすると、このページは表示されなくなります。</p>
parked onamae | このドメインは | <p>このドメインは、お名前ドメインで取得されています。</p><p>お名前ドメインは約600種類のドメインを取得できます。</p><a href=/d>ドメイン登録</a>
parked lolipop | 403 Error | <h1>まだファイルがアップロードされていません</h1><p>サーバーの設定は完了しています。コンテンツをアップロードしてください。</p>
parked alibaba | 域名停放 | <h1>otter.example</h1><p>该域名已停放，所有者尚未解析到网站。</p><a href=/b>联系所有者购买</a>
parked tencent | 网站暂未开通 | <h1>您访问的网站尚未绑定域名</h1><p>如果您是网站所有者，请登录控制台绑定域名并上传网站内容。</p>
parked baota | 站点创建成功 | <h1>恭喜, 站点创建成功！</h1><p>这是默认 index.html，您可以删除或修改它。</p>
parked gabia | 가비아 | <h1>도메인 파킹 서비스</h1><p>이 도메인은 등록되었으나 홈페이지가 아직 연결되어 있지 않습니다.</p>
parked locaweb | lontra.example | <h1>Domínio registrado</h1><p>O domínio lontra.example está registrado na Locavia, mas ainda não há nenhum site hospedado nele.</p>
parked hostgator br | Site em construção | <h1>Em breve um novo site aqui</h1><p>Este domínio está hospedado na Gatohost. Você é o dono? Acesse o painel e publique o seu site.</p>
parked kinghost | Site hospedado | <h1>Seu site está hospedado com sucesso!</h1><p>Esta é a página padrão da hospedagem. Envie os arquivos do site por FTP para substituí-la.</p>
parked uolhost es | Página por defecto | <h1>Esta es la página por defecto del servidor</h1><p>El alojamiento de nutria.example está activo. Sube tus archivos para publicar tu web.</p>
parked raiola es | nutria.example | <h1>Próximamente</h1><p>El dominio nutria.example está alojado en Rayahost, pero todavía no tiene contenido.</p>
parked aruba | lontra.example | <h1>Sito in allestimento</h1><p>Il dominio lontra.example è registrato presso Arubia. Il titolare non ha ancora pubblicato contenuti.</p>
parked register it | Dominio registrato | <h1>Il dominio è stato registrato con successo</h1><p>lontra.example: pagina di cortesia. Vuoi creare il tuo sito?</p>
parked transip | Gereserveerd | <h1>Deze domeinnaam is gereserveerd voor een klant van TransHost</h1><p>Er staat nog geen website op dit adres.</p>
parked combell | otter.example | <h1>otter.example</h1><p>Dit domein is geregistreerd bij Combel. De website is nog niet online.</p><p>Is dit jouw domein? Maak je website in enkele klikken.</p>
parked simply dk | odder.example | <h1>odder.example</h1><p>Domænet er registreret hos Simpelt. Der er endnu ikke uploadet en hjemmeside.</p>
parked domeneshop | oter.example | <h1>Velkommen til oter.example</h1><p>Domenet er registrert via Domenebutikk, men har ikke fått en nettside ennå.</p>
parked glesys | Parkerad domän | <h1>Parkerad domän</h1><p>utter.example är registrerad av en kund hos oss.</p>
parked binero | utter.example | <h1>Här finns ingen hemsida ännu</h1><p>Domänen utter.example är nyregistrerad. Är det din domän? Logga in och publicera din sida.</p>
parked fi | saukko.example | <h1>saukko.example</h1><p>Verkkotunnus on rekisteröity, mutta sivustoa ei ole vielä julkaistu.</p>
parked forpsi | Doména vydra.example | <h1>Doména vydra.example je registrována</h1><p>Na této adrese zatím není umístěna webová prezentace.</p>
parked websupport sk | vydra.example | <h1>Doména je zaregistrovaná</h1><p>Na doméne vydra.example zatiaľ nie je žiadna stránka.</p>
parked hu | vidra.example | <h1>A vidra.example domain foglalt</h1><p>A tárhely aktív, de a weboldal még nincs feltöltve.</p>
parked ro | vidra.example | <h1>Domeniul vidra.example este înregistrat</h1><p>Site-ul nu a fost încă publicat.</p>
parked tr natro | susamuru.example | <h1>Bu alan adı park edilmiştir</h1><p>Alan adının sahibi misiniz? Hosting satın alarak sitenizi yayınlayın.</p>
parked uk | vydra.example | <h1>Домен зареєстровано</h1><p>Сайт vydra.example ще не створено.</p>
parked gr | vidra.example | <h1>Το domain vidra.example έχει κατοχυρωθεί</h1><p>Η ιστοσελίδα δεν έχει ανέβει ακόμα.</p>
parked de allinkl2 | gelber-otter.example | <h1>Domain erfolgreich eingerichtet</h1><p>Dies ist die Standardseite des Webservers. Laden Sie Ihre Dateien per FTP hoch, um diese Seite zu ersetzen.</p>
parked de hetzner | Platzhalter | <h1>Diese Seite ist ein Platzhalter</h1><p>Für gelber-otter.example wurde noch kein Inhalt hinterlegt. Sind Sie der Inhaber der Domain? Dann melden Sie sich im Kundencenter an.</p>
parked fr o2switch | loutre.example | <h1>Page par défaut</h1><p>Votre hébergement est actif. Cette page est la page par défaut de votre serveur : remplacez-la par votre site.</p>
parked fr lws | Domaine réservé | <h1>Le domaine loutre.example est réservé</h1><p>Il a été enregistré par un client de LVS. Le site sera bientôt disponible.</p>
parked en hostgator | Your site is ready | <h1>Your hosting is ready!</h1><p>You're seeing this page because otter.example has no content yet. Log in to your control panel to upload your site.</p>
parked en bluehost | Welcome | <h1>Welcome to otter.example</h1><p>This web site has been reserved for future use by a customer of Bluehouse.</p>
parked en siteground | Site coming soon | <h1>Your website is almost here</h1><p>This is a placeholder page of your hosting account. Install an application or upload your files to replace it.</p>
parked en fasthosts | otter.example | <h1>otter.example is a domain parked by Fasthost customers</h1><a href=/h>Web hosting</a>
parked en crazydomains | Domain registered | <h1>otter.example</h1><p>This domain name has been registered by a client of Mad Domains and is awaiting content.</p>
consent asset manager de | Willkommen – Lerch Fonds | <h1>Willkommen bei Lerch Fonds</h1><p>Bitte wählen Sie Ihr Land und Ihren Anlegertyp.</p><select><option>Deutschland<option>Österreich</select><button>Privatanleger</button><button>Professioneller Anleger</button><p>Mit der Auswahl bestätigen Sie, die rechtlichen Hinweise gelesen zu haben.</p>
consent asset manager fr | Accès | <h1>Vous êtes</h1><p>Sélectionnez votre profil d'investisseur et votre pays pour accéder au site.</p><button>Investisseur particulier</button><button>Investisseur professionnel</button>
consent asset manager it | Seleziona il profilo | <h1>Seleziona il tuo profilo</h1><p>Il contenuto di questo sito è riservato a investitori professionali. Dichiaro di aver letto le informazioni importanti.</p><button>Investitore privato</button><button>Investitore professionale</button>
consent asset manager es | Bienvenido | <h1>Seleccione su perfil de inversor</h1><button>Inversor particular</button><button>Inversor profesional</button><p>Al continuar, declara que ha leído y acepta el aviso legal.</p>
consent asset manager ja | 重要なお知らせ | <h1>重要事項のご確認</h1><p>本ウェブサイトは日本国内の投資家の方を対象としています。下記の内容に同意いただける方のみお進みください。</p><button>同意する</button><button>同意しない</button>
consent crypto jurisdiction | Important notice | <h1>Important notice</h1><p>The information on the following pages is not directed at residents of the United States, Canada or Japan.</p><p>I confirm that I'm not a resident of these countries.</p><button>I confirm</button><button>Leave</button>
consent ipo en | Offer documents | <h1>Important information</h1><p>Access to this information is restricted. You must read the following before continuing. These materials are not for release in the United States.</p><button>I agree</button><button>I disagree</button>
consent hcp en | Cardolan for professionals | <h1>Are you a healthcare professional?</h1><p>The information on this site is intended for healthcare professionals in Ireland.</p><a href=/y>Yes, I am</a><a href=/n>No, I am not</a>
consent hcp de | Fachkreise | <h1>Nur für Fachkreise</h1><p>Die folgenden Inhalte richten sich gemäß Heilmittelwerbegesetz ausschließlich an Angehörige der Fachkreise.</p><button>Ich gehöre zu den Fachkreisen</button><button>Zurück</button>
consent hcp fr | Professionnels | <h1>Espace réservé aux professionnels de santé</h1><p>Je certifie être un professionnel de santé habilité à prescrire ou à délivrer des médicaments.</p><button>Je confirme</button><button>Non</button>
consent hcp it | Area operatori | <h1>Area riservata agli operatori sanitari</h1><p>Ai sensi della normativa vigente, dichiaro di essere un operatore sanitario.</p><button>Sì, dichiaro</button><button>No</button>
consent hcp cs | Odborná veřejnost | <h1>Pro odbornou veřejnost</h1><p>Tyto stránky jsou určeny výhradně odborníkům ve zdravotnictví. Potvrzuji, že jsem odborník podle zákona o reklamě.</p><button>Ano, jsem odborník</button><button>Ne</button>
consent hcp pl | Oświadczenie | <h1>Strona dla lekarzy</h1><p>Oświadczam, że wykonuję zawód medyczny i chcę zapoznać się z treściami reklamowymi.</p><button>Potwierdzam</button><button>Opuszczam stronę</button>
consent hcp ja | 医療関係者向け | <h1>医療関係者の皆様へ</h1><p>このサイトは国内の医療関係者を対象としています。あなたは医療関係者ですか？</p><button>はい</button><button>いいえ</button>
consent hcp ru | Для специалистов | <h1>Информация для специалистов здравоохранения</h1><p>Подтвердите, что вы являетесь медицинским или фармацевтическим работником.</p><button>Подтверждаю</button><button>Нет</button>
consent county search | Public records | <h1>Notice</h1><p>The records are provided as is, without warranty. Bulk downloads aren't allowed.</p><p>You must agree to the conditions above before you can search.</p><button>I agree</button>
consent court disclaimer | Case search | <h1>Case search disclaimer</h1><p>The court makes no guarantee about the accuracy of the data. The data isn't an official record.</p><p>By clicking I accept, you acknowledge that you have read this disclaimer.</p><button>I accept</button><button>I decline</button>
consent map terms de | Geoportal | <h1>Nutzungsbedingungen</h1><p>Die Karten sind nicht rechtsverbindlich. Für die Richtigkeit wird keine Haftung übernommen.</p><p>Sie müssen den Nutzungsbedingungen zustimmen, um das Geoportal zu öffnen.</p><button>Zustimmen</button>
consent pur de | Zeitschrift | <h1>Zeitschrift mit Werbung oder im Pur-Abo lesen</h1><h2>Mit Werbung weiterlesen</h2><p>Wie gewohnt mit Werbung und Tracking. Details in der Datenschutzerklärung.</p><button>Akzeptieren</button><h2>Pur-Abo</h2><p>Ohne Werbung für 3,99 € im Monat.</p><a href=/p>Zum Pur-Abo</a>
consent pur at | Guten Tag | <h1>Guten Tag!</h1><h2>Kostenlos mit Werbung</h2><p>Wir und unsere 210 Partner nutzen Cookies für Anzeigen und Messung. Zustimmung jederzeit widerrufbar.</p><button>Einverstanden</button><h2>PUR-Abo</h2><p>Werbefrei ab 1,50 € pro Woche.</p><button>Abonnieren</button>
consent payer fr | Bienvenue | <h1>Accéder gratuitement avec publicité</h1><p>Nous et nos partenaires utilisons des traceurs pour financer nos contenus.</p><button>Accepter et continuer</button><p>Ou lisez sans publicité pour 2,99 € par mois.</p><a href=/a>S'abonner</a>
consent pagar es | Elige cómo leer | <h1>Elige cómo quieres navegar</h1><h2>Gratis con publicidad</h2><p>Aceptas las cookies de nuestros 180 socios para publicidad personalizada.</p><button>Aceptar y continuar</button><h2>Sin cookies</h2><p>Desde 1,99 € al mes.</p><button>Rechazar y suscribirse</button>
consent pay it | Scegli | <h1>Scegli come continuare</h1><p>Accetta i cookie di profilazione nostri e dei partner per leggere gratis con pubblicità personalizzata.</p><button>Accetta e continua</button><button>Rifiuta e abbonati</button>
consent country luxury | Otterie | <h1>Please select your country or region</h1><h2>Europe</h2><ul><li><a href=/de>Deutschland</a></li><li><a href=/fr>France</a></li></ul><h2>Asia</h2><ul><li><a href=/jp>日本</a></li><li><a href=/kr>대한민국</a></li></ul>
consent country fr | Otterie | <h1>Choisissez votre pays et votre langue</h1><a href=/fr>France</a><a href=/be>Belgique</a><a href=/ch>Suisse</a><a href=/ca>Canada</a>
consent country cs | Otterie | <h1>Vyberte svou zemi</h1><a href=/cz>Česko</a><a href=/sk>Slovensko</a><a href=/pl>Polsko</a>
consent country zh | Otterie | <h1>请选择您所在的国家或地区</h1><a href=/cn>中国大陆</a><a href=/hk>中国香港</a><a href=/tw>中国台湾</a>
consent country hotel | Otter Hotels | <h1>Choose your location</h1><p>Prices and availability depend on the country that you choose. You can change it later.</p><a href=/us>United States</a><a href=/uk>United Kingdom</a><a href=/jp>Japan</a><input type=checkbox>Remember my choice
consent country intro | Otter Tools | <h1>Welcome to Otter Tools</h1><p>Please select your country:</p><select><option>Germany<option>Austria</select><button>Go</button>
login discuz | 提示信息 | <p>抱歉，您尚未登录，没有权限访问该版块</p><h3>登录</h3><table><tr><th>用户名<td><input><tr><th>密码<td><input type=password></table><button>登录</button>
login vbulletin | Message | <p>You are not logged in or you do not have permission to access this page.</p><table><tr><th>Log in</th></tr><tr><td>User Name: <input></td></tr><tr><td>Password: <input type=password></td></tr></table><input type=submit value="Log in">
maintenance smf | Maintenance Mode | <h3>Maintenance Mode</h3><p>We're moving the forum to a new server. We'll be back at 11 p.m.</p><h4>Administrator Login</h4><form>Username: <input>Password: <input type=password><input type=submit value="Log in"></form>
maintenance mybb de | Forum geschlossen | <h1>Forum offline</h1><p>Das Forum ist wegen Wartungsarbeiten vorübergehend geschlossen. Heute Abend sind wir wieder da.</p><form>Benutzername <input>Passwort <input type=password><button>Anmelden</button></form>
maintenance dle ru | Сайт временно отключен | <h1>Сайт на техническом обслуживании</h1><p>Мы переносим базу данных. Сайт откроется в 22:00.</p><h4>Вход для администратора</h4><form><input><input type=password><button>Войти</button></form>
soft_404 discuz | 提示信息 | <p>抱歉，指定的主题不存在或已被删除或正在被审核</p><a href=/>[ 点击这里返回上一页 ]</a>
soft_404 phpwind | 提示 | <p>您浏览的主题不存在或已被删除</p><a href=/>返回首页</a>
soft_404 discuz user | 提示信息 | <p>抱歉，您指定的用户空间不存在</p><a href=/>返回上一页</a>
paywall ko 2 | 지붕 고치기 | <article><h1>지붕 고치기</h1><p>지붕부터 시작했습니다. 기와 1,240장을 내리고 그중 900장을 다시 올렸습니다. 비용은 첫날부터 늘었습니다.</p><h2>이 글의 나머지는 멤버십 회원만 볼 수 있습니다</h2><button>멤버십 시작하기</button></article>
`;

/** The outcome, the name and the HTML of each page. */
export const HOST_MODEL_PAGES = toModels(PAGES);
