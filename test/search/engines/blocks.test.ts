import { describe, expect, it } from "vitest";
import { bing } from "../../../src/search/engines/bing";
import { google } from "../../../src/search/engines/google";
import { yandex } from "../../../src/search/engines/yandex";
import { withOtherClasses } from "./pages";

const BING = `<main><ul><li role="listitem"><a href="/search?q=tower+cranes&amp;filters=x">tower</a></li></ul>
<ol id="b_topw"><li><h2>Copilot Answer</h2><div class="gs_text">Harbour cranes are machines that load ships, and most of them run on rails along the quay.</div>
  <a href="https://en.wikipedia.org/wiki/Crane"><div>Crane - Wikipedia</div><div>A crane is a machine.</div></a></li></ol>
<ol id="b_results">
<li class="b_ad"><ul><li><h2><a href="https://www.bing.com/aclk?u=aHR0cHMlM2ElMmYlMmZoaXJlLmV4YW1wbGUuY29tJTJm">Cranes for hire</a></h2><cite>hire.example.com</cite><p>Ten sizes.</p></li></ul></li>
<li class="b_algo"><h2><a href="https://port.example.com/">The port</a></h2><cite>port.example.com</cite><p>Forty cranes.</p>
  <div role="list"><div role="listitem"><a href="https://port.example.com/map">Map</a></div><div role="listitem"><a href="https://port.example.com/#top">Top</a></div></div></li>
<li class="b_ans"><h2><a href="/news/search?q=x">News about cranes</a></h2><a href="https://paper.example.com/1"><cite title="The Paper">· 6h</cite><div>A crane lifted a ship</div></a></li>
<li class="b_ans"><h2><a href="/videos/search?q=x">Videos</a></h2><div><a href="/videos/1"><div>4:03</div><div title="How cranes work">How <b>cranes</b> work</div><span>2 days ago</span><span>YouTube</span><span>Port TV</span></a></div></li>
<li class="b_ans"><h2>Places</h2><div role="button"><h2>Crane museum</h2><div>Museum</div><div>1 Quay Road, Port · (631) 604-1899</div><div>Open · Closes 6 PM</div>
  <a role="link" href="/maps/directions?x=1">Directions</a><a role="link" href="https://museum.example.com/">Website</a></div></li>
<li class="b_ans"><div data-tag="RelatedQnA.Item"><div>How much does a crane lift?</div><div>Forty tonnes.</div><a href="https://lift.example.com/">Lifting</a></div></li>
<li class="b_ad"><ul><li><h2><a href="https://www.bing.com/aclk?ld=2">Used cranes</a></h2></li></ul></li>
<li class="b_ans"><div class="b_rs"><h2>Related searches</h2><ul><li><a href="/search?q=crane+names">crane <b>names</b></a></li></ul></div></li>
</ol><aside><ol><li><h2>Crane</h2><div>Machine</div><ul><li><span>Inventor:</span> Archimedes</li><li><span>Load:</span> 40 t</li></ul></li></ol></aside></main>`;

const YANDEX = `<div><ul id="search-result" role="main">
<li class="serp-item" data-cid="0"><h2><a href="https://yabs.yandex.ru/count/1">Краны дёшево</a></h2><div class="OrganicText">Десять размеров.</div></li>
<li class="serp-item" data-cid="1"><h2><a href="https://port.example.ru/">Порт</a></h2><a href="https://port.example.ru/map">Карта</a><a href="https://port.example.ru/reviews">428 отзывов</a></li>
<li class="serp-item" data-fast-name="images" data-cid="2"><h2><a href="//yandex.ru/images/search?text=x">Картинки</a></h2>
  <div><div><a href="//yandex.ru/images/search?text=x&amp;img_url=1"></a><a href="https://photo.example.ru/1">Кран у причала</a></div><div><a href="//yandex.ru/images/search?text=x&amp;img_url=2"></a></div></div></li>
<li class="serp-item" data-fast-name="videowiz" data-cid="3"><h2><a href="//yandex.ru/video/search?text=x">Видео</a></h2>
  <div><div role="listitem"><a href="//yandex.ru/video/preview/1"><div>3:15</div><div>Как работает кран</div></a><a href="http://vk.com/video-1">ВКонтакте</a></div></div></li>
<li class="serp-item" data-fast-name="ecommerce_constr" data-cid="4"><div role="list"><div role="listitem" aria-label="\u0007[Кран\u0007] башенный"><a href="https://yandex.ru/products/1">Кран</a><div>Цена 13 500 ₽</div><div>shop.example.ru</div></div></div></li>
</ul><div role="complementary"><h2>Люди ищут</h2><div role="listitem"><a href="/search/?text=названия+кранов">названия <b>кранов</b></a></div></div>
<div class="content__right"><div data-fast-name="companies"><h2>Музей кранов</h2><ul aria-label="Категории"><li>Музей</li><li>Выставка</li></ul><span role="text" aria-label="Рейтинг: 4,5 из 5">4,5</span><ul role="tablist"><li role="tab">914 отзывов</li></ul>
  <div><div><div>Основан</div><div>1901</div></div><div><div>Вход</div><div>бесплатный</div></div></div></div></div></div>`;

const BING_BLOCKS = {
  ai_overview: {
    text: "Harbour cranes are machines that load ships, and most of them run on rails along the quay.",
    sources: [{ title: "Crane - Wikipedia", url: "https://en.wikipedia.org/wiki/Crane" }],
    complete: true,
  },
  knowledge_graph: {
    title: "Crane",
    type: "Machine",
    facts: [
      { name: "Inventor", value: "Archimedes" },
      { name: "Load", value: "40 t" },
    ],
  },
  people_also_ask: [
    {
      question: "How much does a crane lift?",
      snippet: "Forty tonnes.",
      title: "Lifting",
      url: "https://lift.example.com/",
    },
  ],
  related_searches: [{ query: "crane names", url: "https://www.bing.com/search?q=crane+names" }],
  ads: [
    {
      block_position: "top",
      title: "Cranes for hire",
      url: "https://hire.example.com/",
      displayed_url: "hire.example.com",
      description: "Ten sizes.",
    },
    { block_position: "bottom", title: "Used cranes", url: "https://www.bing.com/aclk?ld=2" },
  ],
  local: [
    {
      title: "Crane museum",
      type: "Museum",
      address: "1 Quay Road, Port",
      phone: "(631) 604-1899",
      hours: "Open · Closes 6 PM",
      website: "https://museum.example.com/",
    },
  ],
  top_stories: [
    { title: "A crane lifted a ship", url: "https://paper.example.com/1", source: "The Paper", date: "6h" },
  ],
  videos: [{ title: "How cranes work", source: "YouTube", channel: "Port TV", date: "2 days ago", duration: "4:03" }],
  filters: [{ name: "tower", url: "https://www.bing.com/search?q=tower+cranes&filters=x" }],
};

const YANDEX_BLOCKS = {
  related_searches: [{ query: "названия кранов", url: expect.stringContaining("yandex.ru/search/?text=") }],
  ads: [
    {
      block_position: "top",
      title: "Краны дёшево",
      url: "https://yabs.yandex.ru/count/1",
      description: "Десять размеров.",
    },
  ],
  images: [{ title: "Кран у причала", url: "https://photo.example.ru/1" }, {}],
  videos: [{ title: "Как работает кран", source: "ВКонтакте", url: "http://vk.com/video-1", duration: "3:15" }],
  shopping: [
    { title: "Кран башенный", price: "13 500 ₽", source: "shop.example.ru", url: "https://yandex.ru/products/1" },
  ],
  knowledge_graph: {
    title: "Музей кранов",
    type: "Музей · Выставка",
    rating: 4.5,
    reviews: "914",
    facts: [
      { name: "Основан", value: "1901" },
      { name: "Вход", value: "бесплатный" },
    ],
  },
};

const PAGES = [
  ["bing", bing.readPage(BING, "https://www.bing.com/search?q=cranes"), BING_BLOCKS, ["Map"]],
  ["yandex", yandex.readPage(YANDEX, "https://yandex.ru/search/?text=краны"), YANDEX_BLOCKS, ["Карта"]],
] as const;

describe.each(PAGES)("a page of %s", (_, { organic, blocks = {} }, expected, sitelinks) => {
  it.each(Object.entries(expected))("has the block %s", (name, content) => {
    const numbered = Array.isArray(content)
      ? content.map((item: object, index) => ({ position: index + 1, ...item }))
      : content;
    expect(blocks[name as keyof typeof blocks]).toEqual(numbered);
  });

  it("has no other blocks, and one organic result with its sitelinks", () => {
    expect(Object.keys(blocks).toSorted()).toEqual([...Object.keys(expected), "block_positions"].toSorted());
    expect(organic.map((result) => result.sitelinks?.map(({ title }) => title))).toEqual([sitelinks]);
  });
});

it("finds the blocks and no ad among the results when the class names are unknown", () => {
  const { organic, blocks } = bing.readPage(withOtherClasses(BING), "https://www.bing.com/search?q=cranes");
  expect(organic.map(({ title }) => title)).toEqual(["The port"]);
  expect(Object.keys(blocks ?? {}).toSorted()).toEqual([...Object.keys(BING_BLOCKS), "block_positions"].toSorted());
});

it("takes a notice in unknown markup for a page without results", () => {
  const none = `<ol><li><h1>There are no results for <strong>cranes</strong></h1></li></ol>`;
  expect(bing.readPage(none, "https://www.bing.com/search?q=cranes").kind).toBe("no_results");
});

it.each([
  [
    "google",
    '<div data-text-ad="1"><a href="javascript:alert(1)" data-pcu="javascript:alert(2)"><h3>Ad</h3></a></div>',
  ],
  [
    "bing",
    `<li class="b_ad"><h2><a href="https://www.bing.com/aclk?u=${btoa("javascript:alert(1)")}">Ad</a></h2></li>`,
  ],
] as const)("never returns a script as the address of an ad of %s", (engine, ad) => {
  const result = '<li class="b_algo"><h2><a href="https://port.example/"><h3>Port</h3></a></h2></li>';
  const url = { google: "https://www.google.com/search?q=x", bing: "https://www.bing.com/search?q=x" }[engine];
  const { blocks } = { google, bing }[engine].readPage(`<ol id="b_results">${ad}${result}</ol>`, url);
  expect(blocks?.ads).toMatchObject([{ title: "Ad", url: expect.stringMatching(/^https:/) }]);
});
