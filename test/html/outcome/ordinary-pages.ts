// Ordinary pages that share words, forms or marks with the pages of other outcomes.

const NAV =
  '<nav><a href="/">Home</a> <a href="/docs">Docs</a> <a href="/blog">Blog</a> <a href="/login">Log in</a> <a href="/signup">Sign up</a></nav>';
const FOOTER = "<footer><a href='/privacy'>Privacy</a> <a href='/cookies'>Cookie settings</a> © 2026 Example</footer>";
const SCRIPT = '<script src="/assets/app.js"></script>';
const PROSE =
  "The lamp was made in a workshop by the harbor. It has a brass foot, a shade of green glass and a switch in the cord. The owner sells about forty a year, most of them to hotels, and repairs every one himself. ";

const page = (title: string, body: string, head = "") =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body>${NAV}<main>${body}</main>${FOOTER}${SCRIPT}</body></html>`;
const bare = (title: string, body: string) => `<!doctype html><title>${title}</title><body>${body}</body>`;

/** The name and the HTML of each page. */
export const ORDINARY_PAGES: readonly (readonly [string, string])[] = [
  // Very short pages
  [
    "example.com",
    bare(
      "Example Domain",
      '<div><h1>Example Domain</h1><p>This domain is for use in documentation examples without needing permission. Avoid use in operations.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div>',
    ),
  ],
  ["one word", "<p>Closed"],
  [
    "a heading and analytics",
    bare("It works!", "<h1>It works!</h1><script async src='https://www.googletagmanager.com/gtag/js'></script>"),
  ],
  ["a version number", "<pre>2.14.1\n</pre>"],
  [
    "the address of a shop",
    page("Contact", "<h1>Contact</h1><p>12 Harbor Street, Brighton</p><p>+44 1273 000000</p><p>Mo–Fr 9–17</p>"),
  ],
  [
    "a contact form",
    page(
      "Kontakt",
      "<h1>Kontakt</h1><form><label>Name <input name=name></label><label>E-Mail <input type=email></label><textarea></textarea><button>Senden</button></form>",
    ),
  ],
  ["a single image", bare("Comic 218", '<img src="/comics/218.png" alt="Two ships" width="740" height="300">')],
  ["a single video", bare("Clip", '<video src="/clip.mp4" controls></video>')],
  [
    "a one-line API reference",
    page("GET /v1/ping", "<h1>GET /v1/ping</h1><p>Returns <code>204</code> if the service is available.</p>"),
  ],
  [
    "a default page of nginx",
    bare(
      "Welcome to nginx!",
      "<h1>Welcome to nginx!</h1><p>If you see this page, the nginx web server is successfully installed and working. Further configuration is required.</p><p><em>Thank you for using nginx.</em></p>",
    ),
  ],
  ["a thank-you page", page("Thank you", "<h1>Thank you!</h1><p>Your message has been sent.</p>")],
  [
    "a German imprint",
    page("Impressum", "<h1>Impressum</h1><p>Lampen Müller GmbH</p><p>Hafenstraße 3, 20457 Hamburg</p><p>HRB 12345</p>"),
  ],
  // About missing pages
  [
    "a definition of status 404",
    page(
      "404 Not Found - HTTP | Docs",
      "<h1>404 Not Found</h1><p>The HTTP <b>404 Not Found</b> client error response status code indicates that the server cannot find the requested resource.</p>",
    ),
  ],
  [
    "a guide to 404 pages",
    page(
      "How to design a 404 page",
      `<h1>How to design a 404 page</h1><p>A good error page says that the page was not found and offers a search box. ${PROSE}</p>`,
    ),
  ],
  [
    "a film with the title 404 Not Found",
    page(
      "404: Error Not Found (2011) - Films",
      "<h1>404: Error Not Found</h1><p>404: Error Not Found is a 2011 film about a student who begins to see a ghost. Director: P. Raman.</p>",
    ),
  ],
  [
    "a question about page not found",
    page(
      "Page not found after deployment - Forum",
      `<h1>Page not found after deployment</h1><p>Since the last deployment, every link answers with a 404. The page you are looking for does not exist, it says. What could be wrong?</p><p>${PROSE}</p><p>Check the base path of the router. ${PROSE}</p>`,
    ),
  ],
  [
    "a search without results",
    page('Search results for "tide lamp"', "<h1>Search</h1><p>No results found for “tide lamp”.</p>"),
  ],
  ["an empty category", page("Lamps", "<h1>Lamps</h1><p>No products were found matching your selection.</p>")],
  [
    "a product that is sold out",
    page(
      "Tide lamp - Shop",
      "<h1>Tide lamp</h1><p>€ 19.50</p><p>This product is currently unavailable.</p><p>Brass foot, green glass, 40 cm.</p>",
    ),
  ],
  [
    "a Turkish out-of-stock product",
    page(
      "Gelgit lambası",
      "<h1>Gelgit lambası</h1><p>Pirinç ayaklı, yeşil camlı masa lambası. Yükseklik 40 cm.</p><p>Bu ürün stokta yok.</p><p>199 TL</p>",
    ),
  ],
  [
    "a lost-and-found office",
    page(
      "Lost and found",
      "<h1>Lost and found</h1><p>Items that were found on the ferry are kept for 30 days. Call the office if your item is missing.</p>",
    ),
  ],
  [
    "a missing person",
    page(
      "Missing: Anna Berg",
      "<h1>Missing: Anna Berg</h1><p>Anna was last seen on 3 May in Hull. Please call the police if you have seen her.</p>",
    ),
  ],
  [
    "an area code",
    page(
      "Area code 404",
      "<h1>404</h1><p>Area code 404 covers Atlanta, Georgia. It was one of the first area codes of 1947.</p>",
    ),
  ],
  // About sign-in
  [
    "a guide to login forms",
    page(
      "How to build a login form",
      `<h1>How to build a login form</h1><p>${PROSE.repeat(3)}</p><pre>&lt;input type=password&gt;</pre><form><input><input type=password><button>Log in</button></form>`,
    ),
  ],
  [
    "a home page with a login box",
    page(
      "Harbor Lamps",
      `<h1>Lamps from the harbor</h1><p>${PROSE.repeat(2)}</p><h2>New</h2><p>${PROSE}</p><p>${PROSE}</p><form class=login><input name=user><input type=password><button>Log in</button></form>`,
    ),
  ],
  [
    "a forum index with a login box",
    page(
      "Lamp forum",
      `<form><input name=user><input type=password><button>Login</button><a href=/forgot>Forgot password?</a></form>${Array.from({ length: 30 }, (_, at) => `<h3><a href="/t/${at}">Topic number ${at} about old lamps</a></h3><p>${at + 3} posts, last one by user${at}</p>`).join("")}`,
    ),
  ],
  [
    "a sign-up page",
    page(
      "Create your account",
      "<h1>Create your account</h1><form><input name=name><input type=email><input type=password><input type=password><button>Sign up</button></form>",
    ),
  ],
  [
    "help for a forgotten password",
    page(
      "Reset your password - Help",
      `<h1>Reset your password</h1><p>Click “Log in”, then “Forgot password?”. You will get an email with a link. ${PROSE}</p>`,
    ),
  ],
  [
    "a product page with a request to sign in for reviews",
    page(
      "Tide lamp",
      `<h1>Tide lamp</h1><p>€ 19.50</p><p>${PROSE}</p><h2>Reviews</h2><p>You must be logged in to post a review.</p>`,
    ),
  ],
  [
    "a post with a request to log in for comments",
    page(
      "The lamp",
      `<article><h1>The lamp</h1><p>${PROSE}</p></article><h3>Leave a Reply</h3><p>You must be <a href=/login>logged in</a> to post a comment.</p>`,
    ),
  ],
  [
    "an answer about sign-in",
    page(
      "Can't sign in? - Help",
      "<h1>Can't sign in?</h1><p>Check that your keyboard isn't in capitals. If you still can't sign in, write to help@lamps.example and we reply within a day.</p>",
    ),
  ],
  // About consent and age
  [
    "a cookie policy",
    page(
      "Cookie policy",
      `<h1>Cookie policy</h1><p>This site uses cookies to remember your basket. Cookies are small files. You can accept or reject cookies in your browser.</p><p>We use cookies of our partners for advertising. You may withdraw your consent.</p><button>Accept cookies</button>`,
    ),
  ],
  [
    "an article with a consent banner",
    page(
      "The lamp",
      `<h1>The lamp</h1><p>${PROSE.repeat(2)}</p><div id="cookie-banner"><p>We use cookies and similar technologies. By clicking accept, you agree.</p><button>Accept all</button><button>Reject all</button></div>`,
    ),
  ],
  [
    "a short page with a consent banner without a class",
    page(
      "Opening hours",
      "<h1>Opening hours</h1><p>Monday to Friday, 9 to 17. Saturday, 10 to 14. Closed on Sundays and public holidays. Please ring the bell at the side entrance in winter.</p><div><p>We use cookies.</p><button>Accept</button></div>",
    ),
  ],
  [
    "an article about consent boxes",
    page(
      "Why cookie banners fail",
      `<h1>Why cookie banners fail</h1><p>Most readers click “Accept all”. ${PROSE.repeat(3)}</p><p>Consent needs a real choice. ${PROSE}</p>`,
    ),
  ],
  [
    "a toy for readers of an age",
    page(
      "Age guide",
      "<h1>Which toy for which age?</h1><p>You must be at least 18 to enter the raffle.</p><p>Toys for children of three years have no small parts. Toys for children of six years may have them.</p>",
    ),
  ],
  [
    "a wine shop with a note on age",
    page(
      "Wine",
      `<h1>Red wine</h1><p>${PROSE}</p><p>You must be 18 or over to buy wine.</p><button>Add to basket</button>`,
    ),
  ],
  [
    "a list of countries",
    page(
      "Countries we ship to",
      "<h1>Countries we ship to</h1><ul><li>Austria</li><li>Belgium</li><li>France</li><li>Germany</li></ul><p>Shipping takes three days.</p>",
    ),
  ],
  [
    "terms of use",
    page(
      "Terms of use",
      `<h1>Terms of use</h1><p>By using this site you agree to these terms. ${PROSE}</p><p>If you don't accept the terms, don't use the site. ${PROSE}</p>`,
    ),
  ],
  // About subscriptions
  [
    "a guide to paywalls",
    page(
      "What is a paywall?",
      `<h1>What is a paywall?</h1><p>A paywall hides the text. “Subscribe to continue reading” is what readers see. ${PROSE}</p><p>${PROSE}</p>`,
    ),
  ],
  [
    "a complete article with an offer",
    page(
      "The lamp",
      `<article><h1>The lamp</h1><p>${PROSE.repeat(4)}</p><p>${PROSE.repeat(4)}</p></article><aside><h3>Enjoyed this?</h3><p>Subscribe to our newsletter for more stories.</p></aside>`,
    ),
  ],
  [
    "a short post with a newsletter form",
    page(
      "Notes",
      `<article><h1>Notes</h1><p>${PROSE}</p></article><form><p>Get new posts by email.</p><input type=email><button>Subscribe</button></form>`,
    ),
  ],
  [
    "a list of plans",
    page(
      "Pricing",
      "<h1>Pricing</h1><h2>Reader</h2><p>€ 5 a month. Read all articles, cancel at any time.</p><h2>Supporter</h2><p>€ 10 a month. All articles and the printed issue.</p>",
    ),
  ],
  [
    "a summary with a link to the text",
    page(
      "News",
      `<h1>News</h1><h2>The lamp</h2><p>${PROSE}</p><a href=/lamp>Continue reading</a><h2>The harbor</h2><p>${PROSE}</p><a href=/harbor>Continue reading</a>`,
    ),
  ],
  [
    "a free article that its data marks as free",
    page(
      "The lamp",
      `<article><h1>The lamp</h1><p>${PROSE}</p></article>`,
      '<script type="application/ld+json">{"@type":"NewsArticle","headline":"The lamp","isAccessibleForFree":true}</script>',
    ),
  ],
  // About domains
  [
    "an article about parked domains",
    page(
      "What is a parked domain?",
      `<h1>What is a parked domain?</h1><p>A parked domain shows advertisements. “This domain is for sale” is a common notice. ${PROSE}</p>`,
    ),
  ],
  [
    "a domain registrar",
    page(
      "Buy a domain",
      `<h1>Buy a domain name</h1><p>Search for your domain. Domains cost € 9 a year. ${PROSE}</p><form><input placeholder="yourname.example"><button>Search</button></form>`,
    ),
  ],
  [
    "a house for sale",
    page(
      "For sale: house by the harbor",
      "<h1>House by the harbor</h1><p>This house is for sale. Four rooms, 120 m², € 310,000.</p>",
    ),
  ],
  [
    "a boat that is parked",
    page("Boat", "<h1>The boat</h1><p>The boat is parked behind the shop and available for purchase.</p>"),
  ],
  // About maintenance
  [
    "an announcement of maintenance",
    page(
      "Scheduled maintenance on 5 May",
      `<article><h1>Scheduled maintenance on 5 May</h1><time datetime="2026-04-28">28 April</time><p>On 5 May from 02:00 to 04:00 UTC, the API will be unavailable while we upgrade the database. Jobs that are queued will run afterwards.</p></article>`,
    ),
  ],
  [
    "a status page",
    page(
      "Status",
      "<h1>All systems operational</h1><p>API: Operational</p><p>Dashboard: Operational</p><h2>Scheduled maintenance</h2><p>5 May, 02:00 UTC: database upgrade. The API is unavailable for ten minutes.</p>",
    ),
  ],
  [
    "a gardener",
    bare(
      "Green Lawn Maintenance",
      "<h1>Green Lawn Maintenance</h1><p>Lawn maintenance in Hove since 1988. Call 01273 000000.</p><p>Closed on Sundays.</p>",
    ),
  ],
  [
    "a manual about maintenance mode",
    page(
      "Maintenance mode - Manual",
      "<h1>Maintenance mode</h1><p>Run <code>app down</code> to put the site into maintenance mode. Visitors see “We'll be back soon”.</p>",
    ),
  ],
  [
    "a restaurant that is closed",
    bare(
      "Harbor Grill",
      "<h1>Harbor Grill</h1><p>We're closed for the winter and will be back in April with a new menu.</p><p>Harbor Street 3</p>",
    ),
  ],
  [
    "a Dutch plumber",
    page(
      "Onderhoud van uw cv-ketel",
      "<h1>Onderhoud van uw cv-ketel</h1><p>Wij doen onderhoud aan ketels van alle merken. Bel 020 000 0000 voor een afspraak.</p>",
    ),
  ],
  [
    "a Japanese service for elevators",
    page(
      "エレベーターの保守・メンテナンス",
      "<h1>エレベーターの保守・メンテナンス</h1><p>専門の技術者が定期点検を行います。お見積もりは無料です。</p>",
    ),
  ],
  [
    "a German workshop",
    bare(
      "Wartung und Reparatur",
      "<h1>Wartung und Reparatur</h1><p>Wir warten Heizungen aller Hersteller. Termine unter 040 000000.</p>",
    ),
  ],
  // About scripts
  [
    "a guide to enabling JavaScript",
    page(
      "How to enable JavaScript",
      `<h1>How to enable JavaScript</h1><p>Open the settings of your browser and choose “Enable JavaScript”. ${PROSE.repeat(3)}</p>`,
    ),
  ],
  [
    "content in a mount element",
    `<div id="root"><h1>Tide lamp</h1><p>${PROSE}</p><p>€ 19.50</p></div><noscript>You need to enable JavaScript to run this app.</noscript>${SCRIPT}`,
  ],
  [
    "an article with a map that is loading",
    page("The harbor", `<h1>The harbor</h1><p>${PROSE.repeat(2)}</p><div id="map">Loading…</div>`),
  ],
  [
    "a loading dock",
    page("Loading docks", "<h1>Loading docks</h1><p>Our loading docks open at 6. Trucks wait at gate 2.</p>"),
  ],
  [
    "a short text next to an empty widget",
    page(
      "Kolophon",
      '<h1>Colophon</h1><p>This site is set in Georgia. It runs on a small server in Hull and has no trackers.</p><div id="chat-widget"></div>',
    ),
  ],
  [
    "the links of a portal",
    bare(
      "Links",
      `<ul>${Array.from({ length: 12 }, (_, at) => `<li><a href="/${at}">Harbor ${at}</a></li>`).join("")}</ul>`,
    ),
  ],
];
