// Short ordinary pages about errors, refusals, cookies and domains. Each line has the name of the page, the title, and the
// HTML of its body.

import { toPages } from "./page-lines";

const PAGES = `
article 500 | What a 500 Internal Server Error means – Web Notes | <main><h1>500 Internal Server Error</h1><p>The status 500 means that the server met a condition that it didn't expect. The cause is on the server, so visitors can only wait.</p><p>Site owners find the cause in the error log.</p></main>
docs 502 | 502 Bad Gateway | <nav><a href=/>Docs</a><a href=/h>HTTP</a></nav><main><h1>502 Bad Gateway</h1><p>The 502 Bad Gateway server error response indicates that a server, while acting as a gateway, received an invalid response from the upstream server.</p><h2>Status</h2><pre>502 Bad Gateway</pre></main>
docs 429 | 429 Too Many Requests – API | <main><h1>429 Too Many Requests</h1><p>You sent more than 60 requests in a minute. Read the header Retry-After and send the request again later.</p><table><tr><th>plan</th><th>limit</th></tr><tr><td>Free</td><td>60</td></tr></table></main>
docs codes | Errors – API reference | <main><h1>Errors</h1><table><tr><td>400</td><td>Bad Request</td></tr><tr><td>403</td><td>Forbidden</td></tr><tr><td>500</td><td>Internal Server Error</td></tr><tr><td>503</td><td>Service Unavailable</td></tr></table></main>
glossary | Gateway timeout | <main><h1>Gateway timeout</h1><p>A gateway timeout is the answer of a proxy whose upstream server didn't answer in time. Its status is 504.</p></main>
status ok | Status – Harbor Cloud | <main><h1>All systems operational</h1><p>API: operational</p><h2>Past incidents</h2><p>2 November: elevated 503 errors. Resolved at 14:20 UTC.</p></main>
status incident | Increased error rates | <main><h1>Increased error rates</h1><p>Investigating. Between 09:10 and 09:40 UTC, 3 % of the requests returned 502 Bad Gateway. Affected: API, dashboard.</p></main>
forum 502 | 502 Bad Gateway after update | <main><h1>502 Bad Gateway after update</h1><div><b>mira</b><p>Since 4.2, nginx answers 502 Bad Gateway. Any ideas?</p></div><div><b>tom</b><p>Restart php-fpm, the socket has a new path.</p></div></main>
forum wp | Error establishing a database connection | <main><h1>Error establishing a database connection</h1><div><b>ola</b><p>I moved my blog to a new host and now I see this. What is wrong?</p></div><div><b>sam</b><p>Check DB_HOST in wp-config.php. Ours is mysql.example.</p></div></main>
forum php | Fatal error: Uncaught Error: Call to undefined function | <main><h1>Fatal error: Uncaught Error: Call to undefined function</h1><p>My script worked until we upgraded to PHP 8. Which function replaces it?</p><pre>Fatal error: Uncaught Error: Call to undefined function each()</pre><p>Answer: each() was removed. Use foreach.</p></main>
help swr | Why do I see “Something went wrong”? | <main><h1>Why do I see “Something went wrong”?</h1><p>The app shows this message if it has no connection. Check your Wi-Fi, then open the app again.</p></main>
book swr | Something Went Wrong | <main><h1>Something Went Wrong</h1><p>A novel by Ines Pohl. 320 pages, hardcover, 22 €.</p><button>Add to cart</button></main>
song ise | Internal Server Error (song) | <main><h1>Internal Server Error</h1><p>“Internal Server Error” is the second single of the band Null Pointer. It reached number 40 in Norway.</p></main>
shirt | T-shirt “500 Internal Server Error” | <main><h1>T-shirt “500 Internal Server Error”</h1><p>Cotton, black, sizes S to XXL. £19</p><button>Add to basket</button></main>
bug | Bug 4711: Internal server error on login | <main><h1>Bug 4711: Internal server error on login</h1><p>Steps: open the form, press Enter twice. Expected: dashboard. Actual: internal server error.</p><p>Status: fixed in 2.3</p></main>
changelog | Version 2.3 | <main><h1>Version 2.3</h1><ul><li>Fixed: internal server error on login</li><li>Fixed: an error occurred while saving</li></ul></main>
postmortem | Why we were down on Monday | <main><h1>Why we were down on Monday</h1><p>For 42 minutes, visitors saw “503 Service Unavailable”. A certificate of the load balancer had expired.</p><p>We now renew certificates automatically.</p></main>
news site down | City website unreachable | <main><h1>City website unreachable after attack</h1><p>The website of the city has been unavailable since Monday. Visitors see an error message. The police investigates.</p></main>
forbidden city | Forbidden City | <main><h1>Forbidden City</h1><p>The palace in Beijing has 980 buildings. Closed on Mondays. Tickets: 60 yuan.</p></main>
forbidden film | Forbidden | <main><h1>Forbidden</h1><p>Film, 1932, 85 minutes, directed by Frank Capra. With Barbara Stanwyck.</p></main>
forbidden planet | Forbidden | <main><h1>Forbidden</h1><p>Dogs, bicycles and open fires are forbidden in the reserve from March to July.</p></main>
unauthorized bio | Unauthorized | <main><h1>Unauthorized</h1><p>The biography that its hero tried to stop. 412 pages, with 30 photos.</p></main>
bad request band | Bad Request | <main><h1>Bad Request</h1><p>Punk from Kiel since 2011. Next concert: 12 June, Pumpe, 20:00.</p></main>
bus 500 | Line 500 | <main><h1>500</h1><p>Harbor – Station – Airport, every 20 minutes from 5:00 to 23:40.</p></main>
room 403 | Room 403 | <main><h1>403</h1><p>Seminar room for 24 people, with projector and whiteboard. Building C.</p></main>
fiat 500 | Fiat 500 | <main><h1>500</h1><p>Built from 1957 to 1975. Two cylinders, 13 PS, 95 km/h.</p></main>
number 502 | 502 (number) | <main><h1>502</h1><p>502 is the natural number following 501 and preceding 503.</p></main>
service unavailable tram | Service unavailable | <main><h1>Service unavailable on line 5</h1><p>Trams don't run between the station and the harbor on 12 June. Buses leave from platform 3.</p></main>
lift | Lift unavailable | <main><h1>Service temporarily unavailable: lift at Mill Road</h1><p>The lift at platform 2 is being repaired until 14 June. Use the ramp on Station Road.</p></main>
contact with error | Contact – Lamp Co | <main><h1>Contact</h1><p>Write to us or call 01273 000000.</p><form><input name=a><textarea></textarea><button>Send</button></form><div class=w-form-fail>Oops! Something went wrong while submitting the form.</div></main>
widget error | Tide tables | <main><h1>Tide tables</h1><p>High water at 06:12 and 18:40, low water at 00:20 and 12:31.</p><div class=weather>An error occurred. Please try again later.</div></main>
comments error | How to tie a bowline | <main><h1>How to tie a bowline</h1><p>Make a small loop, pass the end through it from below, around the rope and back down.</p><div id=comments>Something went wrong while loading the comments.</div></main>
video error | Harbor webcam | <main><h1>Harbor webcam</h1><p>View from the lighthouse to the west. The picture changes every minute.</p><div class=player>An error occurred. Unable to load the video.</div></main>
login help | Sign-in problems | <main><h1>An error occurred while signing in?</h1><p>Delete the cookies of this site, then try again. If it doesn't help, reset your password.</p></main>
de fehlercode | Fehler 500 an der Waschmaschine | <main><h1>Fehler 500</h1><p>Die Waschmaschine zeigt Fehler 500, wenn der Ablauf verstopft ist. Reinigen Sie das Sieb unten rechts.</p></main>
heater error | Error E15 – boiler manual | <main><h1>Error E15</h1><p>The sensor of the flow is defective. Call the service, and switch the boiler off.</p></main>
printer | Printer error 0x6100004a | <main><h1>Printer error 0x6100004a</h1><p>Turn the printer off, remove the cable for a minute, and check the carriage for paper.</p></main>
medical error | Medication errors | <main><h1>An error occurred: what patients can do</h1><p>Ask for your record and write down what happened. The board answers within six weeks.</p></main>
error film | Error | <main><h1>Error</h1><p>Short film, 12 minutes, 2021. A clock runs backwards in a small town.</p></main>
comedy | The Comedy of Errors | <main><h1>The Comedy of Errors</h1><p>Saturday, 12 June, 19:30, Mill Theatre. Tickets from £12.</p></main>
poem | Application error | <main><h1>Application error</h1><p>I sent my heart, you sent it back,</p><p>a form unsigned, a missing stack.</p></main>
access denied album | Access Denied | <main><h1>Access Denied</h1><p>Third album of the trio from Turin, recorded in nine days. 11 tracks, 43 minutes.</p></main>
mod security docs | ModSecurity – Web Handbook | <main><h1>ModSecurity</h1><p>ModSecurity is a firewall for web applications. A blocked request gets 406 Not Acceptable.</p></main>
cloudflare article | Error 521: Web server is down | <main><h1>Error 521: Web server is down</h1><p>Cloudflare shows this error when your server refuses its connections. Allow the addresses of Cloudflare in your firewall.</p></main>
cloudflare help | Error 1020: Access denied | <main><h1>Error 1020: Access denied</h1><h2>Common cause</h2><p>A client was blocked by a rule of the site's owner.</p><h2>Resolution</h2><p>Owners find the rule in the security events.</p></main>
varnish manual | Guru meditation | <main><h1>Guru Meditation</h1><p>The Amiga showed this message in a red frame when it crashed. Varnish uses the words for its errors, too.</p></main>
iis kb | HTTP Error 503. The service is unavailable. | <main><h1>HTTP Error 503. The service is unavailable.</h1><p>Applies to: IIS 10</p><h2>Symptoms</h2><p>The application pool stops after a start.</p><h2>Resolution</h2><p>Check the identity of the pool.</p></main>
laravel docs | Error pages – Framework docs | <main><h1>Error pages</h1><p>Create resources/views/errors/500.blade.php to change the page “Server Error”.</p><pre>php artisan vendor:publish --tag=laravel-errors</pre></main>
rails guide | The public folder | <main><h1>The public folder</h1><p>public/500.html says “We're sorry, but something went wrong.” Replace it by a page in your design.</p></main>
python docs | exception OperationalError | <main><h1>exception OperationalError</h1><p>Raised for errors that are related to the database's operation, such as a lost connection. Subclass of DatabaseError.</p></main>
express tutorial | Why Express answers “Cannot GET /” | <main><h1>Why Express answers “Cannot GET /”</h1><p>No route matches. Add app.get("/", …) before you listen.</p></main>
tweet | Mira on the harbor | <main><p>502 Bad Gateway again. I'm going swimming.</p><p>12 likes, 3 replies</p></main>
joke | A joke about servers | <main><p>Knock, knock. Who's there? 504 Gateway Timeout.</p></main>
quote | Quote of the day | <main><blockquote>Something went wrong, and that is how I learned.</blockquote><p>Ada Lind</p></main>
too many requests | Too many requests for the summer camp | <main><h1>Too many requests</h1><p>We got 240 requests for 80 places in the summer camp. We draw the places on 3 May.</p></main>
timeout café | Café Timeout | <main><h1>Timeout</h1><p>Coffee and cake at the gateway to the old town. Open daily from 9 to 18.</p></main>
fr article erreur | Erreur 500 : que faire ? | <main><h1>Erreur 500 : que faire ?</h1><p>Cette erreur vient du serveur. Le propriétaire du site en trouve la cause dans le journal.</p></main>
es noticia | Un error interno | <main><h1>Un error interno retrasa los trenes</h1><p>Un error interno del sistema de señales retrasó ayer 40 trenes entre Bilbao y Burgos.</p></main>
ru статья | Ошибка сервера | <main><h1>Ошибка сервера 503: причины</h1><p>Сервер перегружен или база данных недоступна. Владельцу сайта помогут журналы.</p></main>
ja 記事 | 500エラーとは | <main><h1>500 Internal Server Errorとは</h1><p>サーバー内部で問題が起きたことを示すステータスコードです。原因は主に設定の誤りです。</p></main>
zh 文章 | 服务器错误的原因 | <main><h1>502 Bad Gateway 是什么意思</h1><p>网关从上游服务器收到了无效的响应。常见原因是后端没有启动。</p></main>
cookies help | How to enable cookies | <main><h1>How to enable cookies</h1><p>Open the settings, choose Privacy, and switch “Allow cookies” on. Then reload the page.</p></main>
cookie policy | Cookies | <main><h1>Cookies</h1><p>This shop needs cookies for the basket. Please enable cookies in your browser if you want to order.</p><p>We keep the cookie of the basket for 30 days.</p></main>
geo article | Not available in your country | <main><h1>“Not available in your country”</h1><p>Why do streaming services show this message? Licenses are sold by country, and films move from service to service.</p></main>
rate limit docs | Rate limits | <main><h1>You are being rate limited</h1><p>Our API allows 5 requests a second. Above that, it answers 429 with the header Retry-After.</p></main>
sale article | Who buys a name? | <main><h1>Who buys a name?</h1><p>“This domain is for sale”, said the page. It cost 400 euros, and the baker paid.</p></main>
sale begins | This domain is for sale | <article><h1>This domain is for sale</h1><p>With these words, a column about the trade in names begins. Nobody knows how many names are traded each day, and few traders talk about prices.</p><p>One of them met us in Leith.</p></article>
letters | Letters from the harbor | <main><h1>Letters from the harbor</h1><p>Subscribe to continue receiving our letters after the summer. The next one is about knots.</p><form><input type=email><button>Subscribe</button></form></main>
help signin | How to sign in | <main><h1>How to sign in</h1><p>Open the page, enter your member number and your password, then press Sign in. You find the number on your card.</p><form><input name=user><input type=password><button>Sign in</button></form></main>
soon parked article | Parked | <main><h1>Coming soon: the new pier</h1><p>The new pier opens in May. It has room for forty boats.</p></main>
`;

export const ERROR_LOOKALIKES = toPages(PAGES);
