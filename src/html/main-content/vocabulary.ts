// Words and class names that identify content and boilerplate. They're in lower case and cover the most common
// languages, above all English, German, French, Spanish, Turkish and Russian.

/** The label of an advertisement on a separate line. */
export const AD_LABEL =
  /^\W*(?:advert|advertisement|anzeige|werbung|iklan|publicidad|publicité|pubblicità|reklama?|реклама|sponsored|sponsored content|promoted|scroll to continue)\W*$/iu;

/** The beginnings of lines that name the author. */
export const BYLINE = /^(?:by|von|par|por|di|de|da|yazan|автор|text|fotos?|words|reporter|written)(?![\p{L}\p{N}])/iu;

const FOLLOW =
  /(?<!\p{L})(?:follow|^like|like (?:me|our page|this page|us)|folgen?|folge|suivez|síg\p{L}+|seguici|takip|подпи\p{L}+)(?!\p{L})/iu;
const NETWORK = /(?<!\p{L})(?:twitter|facebook|instagram|telegram|youtube)(?!\p{L})/iu;

/** Returns true for an invitation to follow the site on a social network, but not for "Networks like Facebook". */
export function invitesToFollow(line: string): boolean {
  // Few lines name a network, and this test is three times as fast.
  const word = NETWORK.test(line) ? FOLLOW.exec(line) : null;
  return word !== null && NETWORK.test(line.slice(word.index + word[0].length));
}

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
