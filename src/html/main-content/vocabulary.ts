// Words and class names that identify content and boilerplate. They're in lower case and cover the most common
// languages, above all English, German, French, Spanish, Turkish and Russian.

/** The beginnings of lines that invite readers to other pages or to an action. */
export const OPENINGS = phrases(`
  related | read more | read also | also read | read next | up next | see also | more from | more on | more:
  you may also like | you might also like | recommended | don't miss | most read | most popular | trending
  watch: | watch now | further reading | keep reading | explore further | have your say
  tell us what | join the conversation | get access to | chat with us | continue reading | story continues
  article continues | advertisement | sponsored | promoted
  mehr zum thema | mehr zu | lesen sie auch | lesen sie mehr | lesen sie hier | weiterlesen | auch interessant
  das könnte sie auch interessieren | das könnte dich auch interessieren | passend dazu | siehe auch
  ähnliche artikel | ähnliche beiträge | verwandte artikel | verwandte themen | meistgelesen | anzeige | werbung
  zum thema | mehr dazu | lies auch | schon gelesen | zum weiterlesen | lesetipp | weitere artikel
  weitere themen | weitere informationen | weiterführende | empfehlungen der redaktion
  empfehlungen aus der redaktion | das könnte | hier geht es zu
  zobacz także | zobacz też | czytaj także | czytaj też | czytaj więcej | przeczytaj | polecamy | veja também
  leia também | leia mais | saiba mais | leggi anche | leggi tutto | potrebbe interessarti | lees ook | lees meer
  läs också | läs mer
  à lire aussi | a lire aussi | lire aussi | à lire également | lire la suite | voir aussi | sur le même sujet
  publicité | articles liés
  lea también | lea: | mire: | vea también | le recomendamos | te recomendamos | lee también | leer más
  te puede interesar | le puede interesar | ver también | más información | noticias relacionadas | publicidad
  relacionado
  ilgili haber | bunlar da ilginizi çekebilir | ayrıca bakınız | devamını oku | reklam | ilgili
  читайте также | смотрите также | по теме | читать далее | реклама | материалы по теме
  sign up | subscribe | subscribe to | subscribe for | subscribe now | follow us | follow @ | like us | join us on | join our | get the latest | share this
  share on | tweet this | pin it | download our | newsletter | leave a comment | leave a reply | have a tip
  got a tip | contact us | support our | donate
  newsletter abonnieren | jetzt abonnieren | folgen sie uns | folge uns | teilen sie | jetzt teilen
  diesen artikel teilen | artikel teilen | beitrag teilen | kommentar schreiben | kommentar verfassen
  schreibe einen kommentar | jetzt anmelden | jetzt kostenlos
  abonnez-vous | suivez-nous | partagez | partager | inscrivez-vous
  suscríbete | suscríbase | síguenos | síganos | compartir | comparte | regístrate
  abone ol | bizi takip edin | paylaş | takip et
  подписывайтесь | подпишитесь | поделиться | следите за
`);

/** The beginnings of short lines about the text, such as its date, author, topics, images and rights. */
export const ABOUT = phrases(`
  published | posted on | posted by | posted in | updated | last updated | last modified | written by
  filed under | tags: | tagged | topics: | categories: | category: | copyright | © | all rights reserved | photo:
  photo by | photos: | photo credit | image: | image credit | image via | source: | featured image | picture:
  reporting by | editing by | photograph:
  veröffentlicht | aktualisiert | zuletzt aktualisiert | stand: | erstellt am | geschrieben von | autor:
  autorin: | kategorie | kategorien | schlagwörter | schlagworte | tags | themen: | stichworte | foto: | fotos:
  bild: | bilder: | bildquelle | bildnachweis | quelle: | symbolbild | titelbild | text: | von: | permalink
  lesezeit | alle rechte vorbehalten
  publié le | mis à jour | crédit photo | crédits photo | permalien | photo : | tous droits réservés | étiquettes
  catégories | mots-clés
  publicado | actualizado | etiquetas | categorías | foto: | fuente: | todos los derechos reservados
  archivado en
  yayınlanma | güncelleme | etiketler | kaynak: | fotoğraf: | tüm hakları saklıdır
  опубликовано | обновлено | теги | метки | фото: | источник: | все права защищены | автор:
`);

/** The label of an advertisement on a separate line. */
export const AD_LABEL =
  /^\W*(?:advert|advertisement|anzeige|werbung|iklan|publicidad|publicité|pubblicità|reklama?|реклама|sponsored|sponsored content|promoted|scroll to continue)\W*$/iu;

/** The beginnings of lines that name the author. */
export const BYLINE = /^(?:by|von|par|por|di|de|da|yazan|автор|text|fotos?|words|reporter|written)(?![\p{L}\p{N}])/iu;

/** An invitation to follow the site on a social network. "Networks like Facebook" isn't one. */
export const FOLLOW =
  /(?<!\p{L})(?:follow|^like|like (?:me|our page|this page|us)|folgen?|folge|suivez|síg\p{L}+|seguici|takip|подпи\p{L}+)(?!\p{L}).*(?<!\p{L})(?:twitter|facebook|instagram|telegram|youtube)(?!\p{L})/iu;

/** The hosts of social networks, which share buttons link to. */
export const SOCIAL_HOSTS =
  /(?:^|\.)(?:twitter|x|facebook|pinterest|whatsapp|linkedin|instagram|youtube|xing|addtoany|tumblr|reddit|vk|telegram)\.|^t\.(?:me|co)$/;

/** The agencies and licenses in image credits. */
export const CREDIT =
  /[Gg]etty|GETTY|R[Ee][Uu][Tt][Ee][Rr][Ss]|[Ss]hutterstock|i[Ss]tock|[Aa]lamy|(?<!\p{L})(?:AP|AFP|EPA|DPA|dpa|APA|PAP|EFE|ANSA|AA|CC[ -]BY)(?!\p{L})|imago|Imago|Associated Press|Bloomberg|[Uu]nsplash|[Pp]ixabay|[Ff]otolia|Adobe\s?Stock|[Pp]icture [Aa]lliance|Flickr|Wikimedia|Creative Commons|[Pp]exels|[Cc]ourtesy|[Ff]ile photo|[Ss]creenshot/u;

// All patterns below match the beginnings of words in ids and class names.

/** The names of boilerplate, which is dropped even inside the main content. */
export const BOILERPLATE_NAMES =
  /^(?:promo|shar(?:e|es|ing|edaddy|iff|ethis|ebar|etools)$|related|newsletter|subscri|recommend|outbrain|taboola|ads?$|adv$|advert|sponsor|social|follow|author|byline|dateline|timestamp|tags?$|meta$|metadata|breadcrumb|comment|caption|credits?$|copyright|toolbar|pagination|pager$|signup|paywall|readmore|trending|ratings?$|disclaimer|disclosure|sidebar|banner|popup|modal|nav$|navi$|navigation|navbar|bio$|biography|consent|privacy|cookies?$|login|register|feedback|addthis|addtoany|disqus|respond$|reply|footer|widget|appstores?|kommentar|teilen|autor|verwandt|werbung|anzeige|empfehlung|cta$|mehr$|compart|relacionad|publicidad|partage|auteur|etiquet)/;

/** The names that content seldom has. Regions with these names aren't candidates for the main content. */
export const UNLIKELY_NAMES =
  /^(?:ads?$|banner|breadcrumb|comment|community|disqus|extra$|footer|gdpr|legends|menu|nav$|navi$|navigation|related|remark|replies|rss$|sidebar|skyscraper|social|sponsor|supplemental|pagination|pager$|popup|kommentar|newsletter|cookie|consent|header|masthead|login|share$|sharing|widget)/;

/** The names of regions that are dropped if the page has other prose. */
export const NEVER_NAMES =
  /^(?:comment|disqus|footer|sidebar|related|kommentar|cookie|consent|newsletter|recommend|menu|nav$|navi$|navigation|breadcrumb)/;

/** The names of content. A region with one of them is kept, even if it also has an unlikely name. */
export const CONTENT_NAMES = /^(?:article|body|column|content|main$|mathjax|shadow)/;

/** The names of embedded posts from social networks. */
export const EMBED_NAMES = /^(?:embed|tweet)/;

/** The names of notes in the text of a manual. */
export const NOTE_NAMES = /^(?:note|tip|warning|callout|admonition|caution|important|hint|danger)/;

export const CAPTION_NAMES = /^(?:caption|credit|copyright)/;
export const DISCUSSION_NAMES = /^(?:comment|kommentar|reply|replies|answer)/;
export const PICTURE_NAMES = /^(?:photo|image|img|picture|bild|foto|gallery|slideshow)/;
export const MEDIA_NAMES = /^(?:media|legend)/;

function phrases(list: string): readonly string[] {
  return list.trim().split(/\s*[|\n]\s*/);
}
