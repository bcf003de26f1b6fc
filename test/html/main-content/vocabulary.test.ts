import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";
import { forAll } from "../../support/for-all";

const PROSE =
  "The ferry leaves from the old pier each morning, whatever the weather, and it carries forty people and their dogs. ";
const TEXT = `<p>${PROSE.repeat(3)}</p>`;

function markdownOf(html: string): string {
  const options = { url: "https://coast.example/ferry.html", markdown: true, text: false, onlyMainContent: true };
  return convertHtml(html, options).markdown ?? "";
}

/** Puts `html` between paragraphs of an article. Returns the markdown that `html` is converted to. */
function between(html: string): string {
  const markdown = markdownOf(`<main><h1>Harbours</h1>${TEXT}${html}${TEXT}</main>`);
  return markdown.replaceAll(PROSE.repeat(3).trim(), "").replace("# Harbours", "").trim();
}

function words(list: string): string[] {
  return list.trim().split(/\s+/);
}

const LINE = "Boats of the north";

describe("a part of an article is dropped", () => {
  forAll(
    words(`
      promo share shares sharing sharedaddy shariff sharethis sharebar sharetools related newsletter subscribe
      recommended outbrain taboola ad ads adv advertisement sponsored social followers author byline dateline timestamp
      tags meta metadata breadcrumbs comments caption credit credits copyright toolbar pagination pager signup
      paywall readmore trending rating ratings disclaimer disclosure sidebar banner popup modal nav navi navigation
      navbar bio biography consent privacy cookie cookies login register feedback addthis addtoany disqus respond reply
      footer widgets appstore appstores kommentare teilen autor verwandte werbung anzeigen empfehlungen cta mehr
      compartir relacionadas publicidad partager auteurs etiquetas
    `),
  )("if its class is %s", (name) => {
    expect(between(`<div class="${name}"><p>${LINE}</p></div>`)).toBe("");
  });

  it("if a part of its class, its id or the name of its element is such a name", () => {
    expect(between(`<div class="x article-share"><p>${LINE}</p></div>`)).toBe("");
    expect(between(`<div class="post__shareTools promoBox"><p>${LINE}</p></div>`)).toBe("");
    expect(between(`<div id="related"><p>${LINE}</p></div>`)).toBe("");
    expect(between(`<promo-box><p>${LINE}</p></promo-box>`)).toBe("");
  });
});

describe("a part of an article is kept", () => {
  forAll(words("shared adapter address advice metaphor tagged navy biology pagers credited responder crating mehrere"))(
    "if its class is %s",
    (name) => {
      expect(between(`<div class="${name}"><p>${LINE}</p></div>`)).toBe(LINE);
    },
  );

  forAll(
    words(
      "a--has-share a--with-share a--without-share a--no-share a--is-share a--hide-share has-share is-related with-promo without-promo no-share js-share category-related tag-related format-share",
    ) //
      .concat(
        words("status-share type-share post-1-share elementor-share wp-block-share vc_share col-share row-share"),
      ),
  )("if its class is %s, which describes its appearance or category", (name) => {
    expect(between(`<div class="${name}"><p>${LINE}</p></div>`)).toBe(LINE);
  });

  it("if it's a post of a social network, but not its caption", () => {
    expect(between(`<div class="embed social"><p>${LINE}</p></div>`)).toBe(LINE);
    expect(between(`<div class="tweet author"><p>${LINE}</p></div>`)).toBe(LINE);
    expect(between(`<div class="embed caption"><p>${LINE}</p></div>`)).toBe("");
  });

  it("if the name is longer than 80 characters", () => {
    expect(between(`<div class="share-${"a".repeat(74)}"><p>${LINE}</p></div>`)).toBe("");
    expect(between(`<div class="share-${"a".repeat(75)}"><p>${LINE}</p></div>`)).toBe(LINE);
  });
});

describe("an <aside> in an article", () => {
  forAll(words("note tip warning callout admonition caution important hint danger"))("is kept as a %s", (name) => {
    expect(between(`<aside class="${name}"><p>${LINE}</p></aside>`)).toBe(LINE);
  });

  it("is dropped otherwise", () => {
    expect(between(`<aside class="box"><p>${LINE}</p></aside>`)).toBe("");
  });
});

describe("an image stays without the text next to it", () => {
  forAll(words("photo image img picture bild foto gallery slideshow"))("in a part of the class %s", (name) => {
    const html = `<div class="${name}"><img src="/a.jpg" alt="Pier"><p>${LINE}</p></div>`;
    expect(between(html)).toBe("![Pier](https://coast.example/a.jpg)");
  });

  it("and without the words of elements inside this text", () => {
    const html = `<div class="photo"><img src="/a.jpg" alt="Pier"><p>Boats <b>of <i>the</i></b> north</p></div>`;
    expect(between(html)).toBe("![Pier](https://coast.example/a.jpg)");
  });

  forAll(words("caption credit copyright"))("with the class %s", (name) => {
    const html = `<div class="${name}"><img src="/a.jpg" alt="Pier"><p>${LINE}</p></div>`;
    expect(between(html)).toBe("![Pier](https://coast.example/a.jpg)");
  });
});

describe("a dialog of any length is dropped", () => {
  const consent = `<p>${"We and our many partners store things on your device to make this site better. ".repeat(5)}</p>`;
  const page = "<main><h1>Club news</h1><p>The club meets on Friday.</p></main>";
  const kinds = words(
    "bar banner box consent container dialog hint info law layer message modal notice overlay popup wrapper",
  );

  forAll([
    ...kinds.map((kind) => `cookie-${kind}`),
    ...words("consent_bar cookiebox CookieBanner gdpr-x onetrust-x cmpbox cookiebot usercentrics-root didomi-host"),
  ])("if its class is %s", (name) => {
    expect(markdownOf(`<div class="${name}">${consent}</div>${page}`)).toBe("# Club news\n\nThe club meets on Friday.");
  });

  forAll(['role="alertdialog"', 'role="Dialog"', 'aria-modal="true"'])("if it has %s", (attribute) => {
    expect(markdownOf(`<div ${attribute}>${consent}</div>${page}`)).toBe("# Club news\n\nThe club meets on Friday.");
  });
});

describe("a line of an article is dropped", () => {
  forAll([
    "Related",
    "Read more about boats",
    "More: boats",
    "You may also like boats",
    "Continue reading",
    "Lesen Sie auch: Boote",
    "Weiterlesen",
    "Das könnte Sie auch interessieren",
    "Zobacz także łodzie",
    "Veja também barcos",
    "Leggi anche le barche",
    "Lees ook over boten",
    "À lire aussi",
    "Le recomendamos",
    "İlgili haber",
    "Devamını oku",
    "Читайте также",
    "Subscribe to boats",
    "Newsletter abonnieren",
    "Abonnez-vous",
    "Suscríbete",
    "Abone ol",
    "Подписывайтесь",
  ])("if it invites readers: %s", (line) => {
    expect(between(`<p>${line}</p>`)).toBe("");
  });

  forAll([
    "Published in spring",
    "Filed under boats",
    "© Coast Media",
    "Veröffentlicht im Frühling",
    "Lesezeit vier Minuten",
    "Publié le matin",
    "Publicado en primavera",
    "Yayınlanma",
    "Опубликовано весной",
  ])("if it's about the text: %s", (line) => {
    expect(between(`<p>${line}</p>`)).toBe("");
  });

  forAll(
    words("Advert Advertisement Anzeige Werbung Iklan Publicidad Publicité Pubblicità Reklam Reklama Реклама Sponsored") //
      .concat("Sponsored content", "Promoted", "Scroll to continue", "- ADVERTISEMENT -"),
  )("if it labels an advertisement: %s", (line) => {
    expect(between(`<p>${line}</p>`)).toBe("");
  });

  forAll([
    ...words(
      "Getty GETTY Reuters REUTERS Shutterstock iStock Alamy AP AFP EPA DPA dpa APA PAP EFE ANSA AA CC-BY imago",
    ),
    ...words("Imago Bloomberg Unsplash Pixabay Fotolia AdobeStock Flickr Wikimedia Pexels Courtesy Screenshot"),
    "CC BY",
    "Associated Press",
    "Adobe Stock",
    "Picture Alliance",
    "Creative Commons",
    "File photo",
  ])("if it credits an image: The pier / %s", (credit) => {
    expect(between(`<p>The pier / ${credit}</p>`)).toBe("");
  });

  forAll(words("twitter facebook instagram telegram youtube"))("if it invites readers to follow on %s", (network) => {
    for (const verb of words("Follow Folge Folgen Suivez Síganos Seguici Takip Подписаться"))
      expect(between(`<p>Now ${verb} the harbour ${network}</p>`), verb).toBe("");
    for (const start of ["Like the harbour", "Please like us", "Like what you see? Find us"])
      expect(between(`<p>${start} on ${network}</p>`), start).toBe("");
  });

  forAll(words("By Von Par Por Di De Da Yazan Автор Text Foto Fotos Words Reporter Written"))(
    "if it names the author before the text: %s Anna Keel",
    (word) => {
      expect(markdownOf(`<main><h1>Harbours</h1><p>${word} Anna Keel</p>${TEXT}${TEXT}</main>`)).not.toContain("Keel");
    },
  );
});

describe("a line of an article is kept", () => {
  forAll([
    "Relatedness of boats",
    "Subscribed boats",
    "The pier of CAPRI",
    "Bye Anna",
    "Follow the boats",
    "Like a boat",
  ])("%s", (line) => {
    expect(between(`<p>${line}</p>`)).toBe(line);
  });
});

describe("links of a list", () => {
  const list = (url: string) =>
    `<ul><li><a href="${url}">The old boats</a></li><li><a href="${url}">The new boats</a></li></ul>`;

  forAll(
    words("pdf doc docx xls xlsx ppt pptx odt ods csv epub zip gz tgz dmg exe deb rpm apk ics gpx").flatMap((type) => [
      `/a.${type}`,
      `/a.${type.toUpperCase()}#1`,
    ]),
  )("are kept if they link to the file %s", (path) => {
    expect(between(list(path))).toContain("The new boats");
  });

  forAll(words("/a.html /a.pdfs /pdf"))("are dropped if they link to %s", (path) => {
    expect(between(list(path))).toBe("");
  });

  forAll([
    ...words(
      "twitter.com x.com facebook.com pinterest.de whatsapp.com linkedin.com instagram.com youtube.com xing.com",
    ),
    ...words("addtoany.com tumblr.com reddit.com vk.com telegram.org t.me t.co api.whatsapp.com"),
  ])("are dropped if they link to %s", (host) => {
    expect(between(list(`https://${host}/a`))).toBe("");
  });

  forAll(words("netflix.com at.me t.com myfacebook.de"))("are kept if they link to %s", (host) => {
    expect(between(list(`https://${host}/a`))).toContain("The new boats");
  });
});
