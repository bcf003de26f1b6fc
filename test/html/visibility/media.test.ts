import { describe, expect, it } from "vitest";
import { convertHtml } from "../../../src/html/convert";

function convert(html: string) {
  const { markdown, links } = convertHtml(`<p>a</p>${html}`, {
    url: "https://a.example/",
    markdown: true,
    text: false,
    links: true,
    onlyMainContent: false,
  });
  return { markdown, links: links?.map(({ url }) => url) };
}

const YOUTUBE = "https://www.youtube.com/watch?v=abcdefghijk";

describe("embedded media become links", () => {
  it.each([
    ['<iframe title="b" src="//player.vimeo.com/video/1"></iframe>', "b", "https://player.vimeo.com/video/1"],
    ['<iframe src="https://www.youtube.com/embed/1"></iframe>', "Video", "https://www.youtube.com/embed/1"],
    ['<iframe src="about:blank" data-src="https://youtu.be/1"></iframe>', "Video", "https://youtu.be/1"],
    ['<iframe src="https://open.spotify.com/embed/1"></iframe>', "Audio", "https://open.spotify.com/embed/1"],
    ['<iframe src="https://www.google.com/maps/embed?pb=1"></iframe>', "Map", "https://www.google.com/maps/embed?pb=1"],
    ['<iframe src="/form"></iframe>', "Embedded page", "https://a.example/form"],
    ['<video controls><source src="/b.mp4"><p>No video.</p></video>', "Video", "https://a.example/b.mp4"],
    ['<audio src="/b.mp3">No audio.</audio>', "Audio", "https://a.example/b.mp3"],
    ['<object data="/b.pdf"><a href="/b.pdf">Download</a></object>', "PDF", "https://a.example/b.pdf"],
    ['<embed src="/b.pdf">', "PDF", "https://a.example/b.pdf"],
    ['<lite-youtube videoid="abcdefghijk" playlabel="Play: b"></lite-youtube>', "Play: b", YOUTUBE],
    ['<div class="player" data-video-id="abcdefghijk"><button aria-label="Play"></button></div>', "Video", YOUTUBE],
    ['<lite-vimeo videoid="123456"></lite-vimeo>', "Video", "https://vimeo.com/123456"],
    ['<div data-src="https://www.youtube.com/embed/1"></div>', "Video", "https://www.youtube.com/embed/1"],
    [
      '<blockquote data-instgrm-permalink="https://www.instagram.com/p/b/"></blockquote>',
      "Post",
      "https://www.instagram.com/p/b/",
    ],
  ])("%s", (html, text, url) => {
    const { markdown, links } = convert(html);
    expect(markdown?.replace(/^a\n\n(?:> )?/, "")).toBe(`[${text}](${url})`);
    expect(links).toEqual([url]);
  });

  it.each([
    '<iframe src="https://b.example/" width="1" height="1"></iframe>',
    '<iframe src="https://b.example/" style="display:none"></iframe>',
    '<div hidden><iframe src="https://b.example/"></iframe></div>',
    '<noscript><iframe src="https://www.googletagmanager.com/ns.html?id=1"></iframe></noscript>',
    '<iframe src="https://www.google.com/recaptcha/api2/anchor"></iframe>',
    '<video src="blob:https://b.example/1"></video>',
    '<iframe title="b"></iframe>',
    '<object type="image/svg+xml" data="/b.svg"></object>',
  ])("but not %s", (html) => {
    expect(convert(html)).toEqual({ markdown: "a", links: [] });
  });
});
