// Short ordinary pages that resemble the pages of other outcomes. Each line has the kind of page with which it can be
// confused, its name, the title, and the HTML of its body.

const PAGES = `
maintenance notice working bank | Service notices – Lakeshore Credit Union | <nav><a href=/>Home</a><a href=/a>Accounts</a><a href=/l>Loans</a><a href=/c>Contact</a></nav><main><h1>Planned maintenance on 14 June</h1><p>Online banking will be unavailable from 1 a.m. to 5 a.m. on Sunday, 14 June. Cards keep working.</p></main>
maintenance de hinweis | Wartungsfenster – Stadtwerke Olm | <nav><a href=/>Start</a><a href=/a>Strom</a><a href=/b>Gas</a><a href=/c>Kontakt</a></nav><main><h1>Wartungsarbeiten am Kundenportal</h1><p>Am Samstag, 13. Juni, ist das Kundenportal zwischen 22 und 24 Uhr nicht erreichbar.</p></main>
maintenance museum | Museum closed | <main><h1>The museum is closed for renovation</h1><p>We are renewing the roof and will open again in May 2027. The café stays open, Tuesday to Sunday.</p></main>
maintenance bistro | Bistro Nord | <h1>We're closed for a short break</h1><p>See you again on Tuesday at noon!</p><p>Table bookings: 030 1234567</p>
maintenance road | Road works | <main><h1>Mill Lane closed</h1><p>Mill Lane is closed while the water main is being upgraded. It will open again on 3 June. Please use Station Road.</p></main>
maintenance blog done | We moved | <main><h1>New server</h1><p>The site was offline on Sunday while I moved it to a new server. Everything should work again. Tell me if something is broken.</p></main>
maintenance release | Release 4.2 | <main><h1>Update 4.2 is here</h1><p>The update brings two new maps and fixes the login error. Servers were down for three hours on Tuesday.</p></main>
maintenance wp plugin | Maintenance mode plugin | <main><h1>Maintenance Mode</h1><p>Shows visitors a friendly page while you work on your site. Your site is unavailable to visitors, but you can log in as usual.</p><p>Version 2.4, 10,000 installations</p></main>
maintenance es aviso | Avisos – Universidad | <nav><a href=/>Inicio</a><a href=/a>Estudios</a><a href=/b>Biblioteca</a></nav><main><h1>Corte programado</h1><p>El sábado 14 el campus virtual no estará disponible de 8 a 12 h por una actualización.</p></main>
maintenance lift | Aufzug außer Betrieb | <main><h1>Aufzug außer Betrieb</h1><p>Der Aufzug am Bahnsteig 2 ist wegen einer Störung derzeit nicht verfügbar. Voraussichtlich ab 3. Juni wieder in Betrieb.</p></main>
maintenance shop closed forever | Laden geschlossen | <main><h1>Wir haben geschlossen</h1><p>Nach 31 Jahren haben wir unseren Laden am 30. April geschlossen. Danke für Ihre Treue!</p></main>
maintenance office hours | Bürgerbüro | <main><h1>Bürgerbüro am Montag geschlossen</h1><p>Wegen einer Fortbildung bleibt das Bürgerbüro am Montag geschlossen. Ab Dienstag sind wir wieder für Sie da.</p></main>
maintenance fr piscine | Piscine | <main><h1>Piscine fermée</h1><p>La piscine est fermée pour vidange jusqu'au 12 juin. Elle rouvrira le 13 juin à 10 h.</p></main>
maintenance job | Wartungstechniker gesucht | <main><h1>Wartungstechniker (m/w/d)</h1><p>Sie warten unsere Systeme und führen Updates durch. Vollzeit, ab sofort, Standort Kiel.</p></main>
maintenance status ok | Status | <main><h1>All systems operational</h1><p>Website: operational</p><p>API: operational</p><p>No maintenance is planned.</p></main>
maintenance ru новости | Новости – Библиотека | <nav><a href=/>Главная</a><a href=/a>Каталог</a><a href=/b>Контакты</a></nav><main><h1>Каталог обновлён</h1><p>Мы обновили электронный каталог. Поиск стал быстрее, а заказ книг доступен круглосуточно.</p></main>
maintenance ja お知らせ | お知らせ – 市立図書館 | <nav><a href=/>トップ</a><a href=/a>検索</a><a href=/b>利用案内</a></nav><main><h1>システム更新による休館のお知らせ</h1><p>6月14日から18日まで、システム更新のため全館休館します。返却ポストはご利用いただけます。</p></main>
maintenance power | Power outage update | <main><h1>Power outage in Eastfield</h1><p>About 300 homes are without power. Our crews are working on it and expect to restore service by 9 p.m.</p></main>
maintenance ISP outage news | Störung behoben | <main><h1>Störung im Netz</h1><p>Im Raum Kiel ist das Internet derzeit gestört. Unsere Techniker arbeiten daran. Hotline: 0800 123</p></main>
maintenance coming soon film | Coming soon | <main><h1>Coming soon to this cinema</h1><p>The Lock Keeper, from 12 June. We'll be back with the full programme on Thursday.</p></main>
soft_404 closed vacancy full | Dock master | <main><h1>Dock master (f/m)</h1><p>This vacancy is closed.</p><p>You direct the docking of up to 40 ships a day, keep the harbor log and lead a team of six. We offer a permanent contract, 38 hours a week and a pension plan.</p><p>Requirements: a master's certificate and five years at sea.</p></main>
soft_404 sold house | Mill Cottage, sold | <main><h1>Mill Cottage</h1><p>Sold in March 2026. Three bedrooms, a garden with an old pear tree, and a view over the river. Built in 1840, restored in 2009.</p></main>
soft_404 sold out | Trail jacket | <main><h1>Trail jacket</h1><p>£89</p><p>Sorry, this product is sold out. Waterproof to 10,000 mm, 420 g, with two pockets and a hood.</p><button>Notify me</button></main>
soft_404 event past | Harbor run 2024 | <main><h1>Harbor run 2024</h1><p>This event has ended. 812 runners reached the finish. Results are online.</p></main>
soft_404 help deleted video | Why was my video removed? | <main><h1>Why was my video removed?</h1><p>Videos are removed if they break the rules or if their owner deletes them. You find the reason in your mail.</p></main>
soft_404 poem | Lost | <main><h1>Lost</h1><p>I lost the page, I lost the pen,</p><p>I lost the hour, and then the when.</p></main>
soft_404 missing person | Missing: Anna Berg | <main><h1>Missing: Anna Berg</h1><p>Last seen on 3 May near the station. 1.68 m tall, red coat. Call 030 110.</p></main>
soft_404 forum q | Video isn't available anymore error | <main><h1>Video isn't available anymore error</h1><div><b>tom</b><p>I get this on every video since the update. Any ideas?</p></div><div><b>lea</b><p>Clear the cache, that helped for me on two phones.</p></div></main>
soft_404 wiki stub | Terra nullius | <main><h1>Terra nullius</h1><p>Terra nullius is a Latin expression meaning nobody's land. It does not exist in modern law.</p></main>
soft_404 recall | Product removed from sale | <main><h1>Kettle K2 removed from sale</h1><p>We have removed the kettle K2 from sale because the lid can fall off. Please return it to the shop for a refund of 49 €.</p></main>
soft_404 museum | Object not on display | <main><h1>Salt cellar, 1620</h1><p>This object is not currently on display. Silver, London, height 14 cm. Gift of R. Pell, 1931.</p></main>
soft_404 de ausverkauft | Konzert | <main><h1>Konzert am See</h1><p>Leider ausverkauft. Einlass ab 18 Uhr, Beginn 19 Uhr, Seebühne.</p></main>
soft_404 search none with tips | Search | <main><h1>No results for “lathe”</h1><p>Check the spelling or use fewer words.</p></main>
soft_404 empty category | Hats | <main><h1>Hats</h1><p>There are currently no products in this category.</p></main>
soft_404 bug | Bug 311: Page not found after login | <main><h1>Bug 311: Page not found after login</h1><p>Steps: log in, click the logo. Expected: the dashboard. Actual: page not found.</p><p>Status: open</p></main>
soft_404 fr fermé | Magasin fermé | <main><h1>Le magasin de la rue Haute n'existe plus</h1><p>Le magasin a fermé en mars. Nos clients sont servis place du Marché, du mardi au samedi.</p></main>
consent wine article | Riesling for beginners | <main><h1>Riesling for beginners</h1><p>You must be 18 to buy wine, but you can learn about it at any age. Riesling grows on slate.</p></main>
consent cookie banner short page | Contact – Lamp Co | <main><h1>Contact</h1><p>Lamp Co, 12 Harbor Street, Brighton. Open Monday to Friday, 9 to 17. Phone 01273 000000.</p></main><div class=cookie-banner><p>We use cookies to improve your experience and show ads.</p><button>Accept all</button><button>Reject</button></div>
consent hcp page | For healthcare professionals – Clinic | <main><h1>For healthcare professionals</h1><p>Refer a patient by phone or with the form. Our clinic answers within two working days.</p><button>Continue</button></main>
consent recipe vodka | Vodka pasta | <main><h1>Vodka pasta</h1><p>Serves 4. 400 g pasta, 50 ml vodka, cream and tomatoes. Not for children under 18 years? The alcohol boils off.</p><button>Yes, print</button></main>
consent store finder | Find a store | <main><h1>Select your store</h1><ul><li>Kiel, Holstenstr. 9</li><li>Bonn, Markt 3</li></ul></main>
consent countries list | Where we ship | <main><h1>Where we ship</h1><p>We ship to Germany, France and Italy within three days, and to Norway within a week.</p></main>
consent quiz | Are you over 40? Take the test | <main><h1>Are you over 40?</h1><p>Then an eye test every two years is a good idea. It takes ten minutes and is free for members.</p><button>Book</button></main>
consent driving | Driving at 18 | <main><h1>You must be 18 to drive alone</h1><p>From 17, you can drive with a companion. The license costs about 3,000 euros.</p><a href=/n>No fees</a></main>
consent terms page | Terms of use | <main><h1>Terms of use</h1><p>By using this site, you agree to these terms. You may not copy texts without permission. The law of England applies.</p></main>
consent gdpr newsletter | Newsletter | <main><h1>Newsletter</h1><p>We write once a month about lamps, light and the harbor. You can unsubscribe at any time.</p><input type=email><label><input type=checkbox>I accept the privacy policy</label><button>Subscribe</button></main>
consent investor relations | Investor relations | <main><h1>Investor relations</h1><p>Professional investors find our reports here. Annual report 2025 (PDF), half-year report 2025 (PDF).</p><button>Download</button></main>
paywall short news | Pier opens | <article><h1>Pier opens</h1><p>The pier opened on Monday after two years of work. About 400 people came to the small ceremony at noon.</p></article><aside><h3>Support local news</h3><p>Subscribe to the Ledger from $1 a week.</p></aside>
paywall newsletter end | How to feed sourdough | <article><h1>How to feed sourdough</h1><p>Mix 50 g of the starter with 50 g of flour and 50 g of water. Let it stand for twelve hours until it has doubled.</p><p>Subscribe to my newsletter to get a new recipe every Friday.</p></article>
paywall patreon outro | Episode 41 | <article><h1>Episode 41</h1><p>In this one we take the old lathe apart and find out why it screams. Listen below. Runtime 42 minutes.</p><p>Become a patron to get episodes early and without ads.</p></article>
paywall course page | Sharpening course | <main><h1>Sharpening course</h1><p>Twelve lessons on stones, strops and steels, for beginners. Unlock all lessons for $49, with a 30-day guarantee.</p><button>Enroll</button></main>
paywall book shop | The Lock Keeper | <main><h1>The Lock Keeper</h1><p>A novel about a dog, a rule and a river. 288 pages, hardcover. Buy the book for £16.99 or read it on your device.</p></main>
paywall abstract with pdf | Lichen on slate | <main><h1>Lichen on slate</h1><h2>Abstract</h2><p>We measured the growth of three lichen species over eleven years.</p><a href=a.pdf>PDF (open access)</a></main>
paywall membership page | Membership | <main><h1>Become a member</h1><p>Members read all articles, receive the print magazine and meet us once a year. Membership costs 60 euros a year.</p></main>
paywall de kurz | Brücke frei | <article><h1>Brücke wieder frei</h1><p>Die Brücke ist seit Montag wieder frei. Die Bürgermeisterin dankte den Anwohnern für ihre Geduld.</p></article><aside><p>Jetzt Abo testen und alle Plus-Artikel lesen.</p></aside>
paywall fr court | Pont rouvert | <article><h1>Le pont a rouvert</h1><p>Le pont a rouvert lundi. La maire a remercié les riverains de leur patience.</p></article><aside><p>Abonnez-vous pour 1 € et lisez tous nos articles.</p></aside>
paywall ja | 橋が開通 | <article><h1>橋が開通</h1><p>橋は月曜日に開通した。市長は住民に感謝を述べた。式典には四百人が集まった。</p></article><p>有料会員になると、すべての記事をお読みいただけます。</p>
parked domain guide | What is a parked domain? | <main><h1>What is a parked domain?</h1><p>A parked domain is registered but has no website yet. Registrars show a default page with advertisements.</p></main>
parked apache guide | Change the Apache default page | <main><h1>Change the Apache default page</h1><p>If you see “It works!”, replace the file index.html in /var/www/html with your page. Reload the server.</p></main>
parked suspended help | Account suspended? | <main><h1>Why is my account suspended?</h1><p>Hosting accounts are suspended if an invoice is open for 30 days. Pay it in the customer area, and the site returns within an hour.</p></main>
parked sale of company | Company sold | <main><h1>Otter Toys is for sale</h1><p>After 40 years, the owner sells the workshop, with machines and stock. Offers by mail to Anna Berg.</p></main>
parked building | New building | <main><h1>Our new site is under construction</h1><p>The new warehouse in Eastfield opens in autumn. 40 jobs will be created.</p></main>
parked portfolio | Domains for sale | <main><h1>Domains for sale</h1><table><tr><td>otterquilt.com</td><td>$900</td></tr><tr><td>quiltotter.com</td><td>$700</td></tr></table></main>
parked dns docs | Connect a domain | <main><h1>Connect a domain</h1><p>Is your domain not connected yet? Point its name servers to ns1.host.example and wait for an hour.</p></main>
parked personal | Anna Berg | <h1>Anna Berg</h1><p>Carpenter in Kiel. Website coming soon. Phone 0431 123456.</p>
login help | How to sign in | <main><h1>How to sign in</h1><p>Open the app, tap the menu and choose Sign in. Enter your customer number and PIN. After three wrong PINs, call us.</p></main>
login reset | Reset your password | <main><h1>Forgot your password?</h1><form><label>Email<input type=email></label><button>Send reset link</button></form></main>
login register | Create account | <main><h1>Create your account</h1><form><input placeholder=Name><input type=email><input type=password><button>Create account</button></form></main>
login register de | Registrieren | <main><h1>Neues Konto</h1><form><input placeholder=Name><input type=email><input type=password><button>Registrieren</button></form></main>
login members club | Rowing club | <main><h1>Members</h1><p>We have 120 members, 40 of them under 18. New members are welcome on Tuesdays at the boathouse.</p><a href=/l>Members area</a></main>
login digid info | Paspoort aanvragen | <main><h1>Paspoort aanvragen</h1><p>U vraagt uw paspoort aan bij de balie. Log in met DigiD om een afspraak te maken. De kosten zijn € 75.</p></main>
login wifi | Guest WiFi | <main><h1>Guest WiFi</h1><p>Network: LampHotel. Password: at the reception. Sign in with your room number.</p></main>
login widget home | Rowing club | <main><h1>Rowing club Kiel</h1><p>Training on Tuesdays and Thursdays at 18:00, boathouse at the fjord. Beginners are welcome, boats are provided.</p></main><aside><form><input><input type=password><button>Login</button></form></aside>
login pin tool | Password strength | <main><h1>Password strength</h1><p>Type a password. We show how long it resists an attack.</p><input type=password></main>
login change | Change password | <main><h1>Change password</h1><form><input type=password><input type=password><input type=password><button>Save</button></form></main>
login protected doc | Password protected pages | <main><h1>Password protected pages</h1><p>To protect a page, open its settings and enter a password. Visitors then see a form.</p></main>
needs_rendering loading dock | Loading bay 4 | <main><h1>Loading bay 4</h1><p>Waiting trucks register at the gate. Please wait for the signal.</p></main><script src=/a.js></script>
needs_rendering patience | Patience | <main><h1>One moment please</h1><p>A play in two acts by Ida Falk. Premiere on 3 May.</p></main><script src=/a.js></script>
needs_rendering mustache docs | Mustache templates | <main><h1>Mustache templates</h1><p>Write {{name}} to insert a value, and {{#list}} to repeat a block for each element of a list.</p></main><script src=/a.js></script>
needs_rendering map page | How to find us | <main><h1>How to find us</h1><p>Harbor Street 12, Brighton</p><div id=map></div></main><script src=/a.js></script>
needs_rendering short | Anna Berg | <main><h1>Anna Berg</h1><p>Photographer, Kiel</p></main><script src=/a.js></script>
needs_rendering greenhouse text | Jobs at Acme | <main><h1>Jobs at Acme</h1><p>We build lamps in Brighton and hire people who like light. There are no open positions at the moment.</p><div id=grnhse_app></div></main><script src=/a.js></script>
needs_rendering spinner img | Spinner rings | <main><h1>Spinner rings</h1><p>Silver, 24 €</p><div class=spinner></div></main><script src=/a.js></script>
needs_rendering wait room | Waiting room | <main><h1>Please wait here</h1><p>The doctor will call you. Toilets are on the left.</p></main><script src=/a.js></script>
`;

/** The name and the HTML of each page. */
export const LOOKALIKE_PAGES: readonly (readonly [string, string])[] = PAGES.trim()
  .split("\n")
  .map((line) => {
    const [name = "", ...rest] = line.split(" | ");
    const body = rest.pop() ?? "";
    return [name, `<!doctype html><html><head><title>${rest.join(" | ")}</title></head><body>${body}</body></html>`];
  });
