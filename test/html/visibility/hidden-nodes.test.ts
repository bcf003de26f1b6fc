import { describe, expect, it } from "vitest";
import { visiblePage } from "../../../src/html/main-content/main-content";
import { parsePage } from "../../../src/html/parse/document";
import { findHiddenNodes } from "../../../src/html/visibility/hidden-nodes";
import { toText } from "../written";

function visibleText(html: string): string {
  const page = parsePage(html);
  return toText(visiblePage(page.document, findHiddenNodes(page)), { baseUrl: "https://a.example/" });
}

describe("leaves out what attributes hide", () => {
  it.each([
    ["hidden", "<p hidden>secret</p>"],
    ["hidden until found", '<p hidden="until-found">secret</p>'],
    ["a closed dialog", "<dialog>secret</dialog>"],
    ["a popover", "<div popover>secret</div>"],
    ["a template", "<template><p>secret</p></template>"],
    ["a comment", "<!-- secret -->"],
    ["a script", "<script>secret</script>"],
    ["a style sheet", "<style>secret</style>"],
    ["words for readers without scripts", "<noscript>secret</noscript>"],
    ["a field that isn't shown", '<input type="hidden" value="secret">'],
    ["display: none", '<p style="display:none">secret</p>'],
    ["in capitals, important and commented", '<p style="DISPLAY:/**/NONE ! important">secret</p>'],
    ["with escapes", '<p style="d\\69 splay:none">secret</p>'],
    ["visibility: hidden", '<div style="visibility:hidden"><p>secret</p></div>'],
    ["visibility: collapse", '<p style="visibility:collapse">secret</p>'],
    ["opacity", '<p style="opacity:0.0">secret</p>'],
    ["a filter", '<p style="filter:opacity(0%)">secret</p>'],
    ["no size of letters", '<div style="font-size:0"><p>secret</p></div>'],
    ["no size in the shorthand", '<p style="font:0/0 a">secret</p>'],
    ["letters of a pixel", '<p style="font-size:1px">secret</p>'],
    ["a relative size of nothing", '<div style="font-size:0px"><p style="font-size:2em">secret</p></div>'],
    ["no height", '<div style="height:0;overflow:hidden">secret</div>'],
    ["no width", '<div style="max-width:0px;overflow-x:clip">secret</div>'],
    ["one pixel", '<span style="position:absolute;width:1px;height:1px;overflow:hidden">secret</span>'],
    ["clipped", '<span style="position:absolute;clip:rect(0,0,0,0)">secret</span>'],
    ["clipped to a pixel", '<span style="position:absolute;clip:rect(1px, 1px, 1px, 1px)">secret</span>'],
    ["a path around nothing", '<p style="clip-path:inset(50%)">secret</p>'],
    ["a circle of nothing", '<p style="clip-path:circle(0)">secret</p>'],
    ["a shape without area", '<p style="clip-path:polygon(0 0, 0 0, 0 0)">secret</p>'],
    ["far to the left", '<p style="position:absolute;left:-9999px">secret</p>'],
    ["far above", '<p style="position:fixed;top:-200em">secret</p>'],
    ["far by its margin", '<p style="margin-left:-99999px">secret</p>'],
    ["far by its shorthand", '<p style="position:absolute;inset:0 0 0 -10000px">secret</p>'],
    ["moved far", '<p style="transform:translateX(-9999px)">secret</p>'],
    ["scaled to nothing by a transform", '<p style="transform:scale(0)">secret</p>'],
    ["a window to the left", '<p style="position:relative;left:-100vw">secret</p>'],
    ["far by a side that depends on the script", '<p style="position:absolute;inset-inline-start:-9999px">secret</p>'],
    ["no height in the flow", '<p style="overflow:hidden;block-size:0">secret</p>'],
    ["moved far by a property of its own", '<p style="translate:-9999px">secret</p>'],
    ["scaled to nothing", '<p style="scale:0">secret</p>'],
    ["zoomed to nothing", '<p style="zoom:0.01">secret</p>'],
    ["white on white, by its hue", '<p style="color:hsl(0,0%,100%);background:white">secret</p>'],
    ["red on red, by its hue", '<p style="color:hsl(0 100% 50%);background:#f00">secret</p>'],
    ["white on white, in percents", '<p style="color:rgb(100% 100% 100%);background:#fff">secret</p>'],
    ["indented away", '<div style="text-indent:-9999px"><p>secret</p></div>'],
    ["white on white", '<p style="color:#FFF;background:white">secret</p>'],
    ["nearly white on white", '<p style="color:rgb(254, 254, 254);background-color:#ffffff">secret</p>'],
    ["transparent", '<p style="color:transparent">secret</p>'],
    ["transparent by its alpha", '<p style="color:rgba(0,0,0,0)">secret</p>'],
  ])("%s", (_, html) => {
    expect(visibleText(`<p>before</p>${html}<p>after</p>`)).toBe("before\n\nafter");
  });
});

describe("keeps what is visible", () => {
  it.each([
    ["letters inside of none", '<div style="font-size:0"><p style="font-size:14px">words</p></div>'],
    ["details, one click away", "<details><summary>words</summary></details>"],
    ["an open dialog", "<dialog open>words</dialog>"],
    ["hidden from screen readers", '<p aria-hidden="true">words</p>'],
    ["a box whose height is its padding", '<div style="height:0;overflow:hidden;padding-bottom:56%">words</div>'],
    ["a box that may grow", '<div style="height:0;overflow:hidden;min-height:20px">words</div>'],
    ["no height, but open", '<div style="height:0">words</div>'],
    ["letters cut out of a gradient", '<p style="color:transparent;-webkit-background-clip:text">words</p>'],
    [
      "text with a color inside of text without contrast",
      '<div style="color:#fff;background:#fff"><p style="color:#000">words</p></div>',
    ],
    ["a slide of a carousel", '<div style="transform:translate3d(-3840px,0,0)">words</div>'],
    [
      "a formula that is drawn beside its words",
      '<mjx-container><mjx-assistive-mml style="position:absolute;clip:rect(1px,1px,1px,1px)"><math alttext="words"><mi>x</mi></math></mjx-assistive-mml></mjx-container>',
    ],
    ["a zoom that browsers don't take", '<p style="zoom:0">words</p>'],
    ["half of the size", '<p style="scale:0.5">words</p>'],
    ["blue on red, by its hue", '<p style="color:hsl(240,100%,50%);background:#f00">words</p>'],
    ["half transparent", '<p style="opacity:.5">words</p>'],
    ["white on unknown ground", '<p style="color:#fff">words</p>'],
    ["left by a little", '<p style="position:relative;left:-10px">words</p>'],
    ["a body that waits for a script", "<style>body{opacity:0}html{visibility:hidden}</style><p>words</p>"],
  ])("%s", (_, html) => {
    expect(visibleText(html)).toBe("words");
  });

  it("keeps the panel of a tab that says what it opens, and no other", () => {
    const html =
      '<div role="tablist"><button role="tab" aria-controls="a">Facts</button></div>' +
      '<div role="tabpanel" id="a" hidden>one kilogram</div><div role="tabpanel" id="b" hidden>secret</div>';
    expect(visibleText(html)).toBe("Facts\n\none kilogram");
  });
});

describe("what a button opens", () => {
  const button = '<button aria-expanded="false" aria-controls="a">Facts</button>';

  it.each([
    ["hidden", `${button}<div id="a" hidden>one kilogram</div>`],
    ["without display", `${button}<div id="a" style="display:none">one kilogram</div>`],
    ["without height", `${button}<div id="a" style="max-height:0;overflow:hidden">one kilogram</div>`],
    ["before it", `<div id="a" hidden>one kilogram</div>${button}`],
    [
      "in another",
      `<div id="b" hidden><button aria-expanded="false" aria-controls="a">Weight</button></div><div id="a" hidden>one kilogram</div><button aria-expanded="false" aria-controls="b">More</button>`,
    ],
  ])("is visible: %s", (_, html) => {
    expect(visibleText(html)).toContain("one kilogram");
  });

  it.each([
    ["a hidden button's", `<div hidden>${button}</div><div id="a" hidden>secret</div>`],
    ["a transparent button's", `<p style="color:transparent">${button}</p><div id="a" hidden>secret</div>`],
    ["a hidden tab's", '<b role="tab" aria-controls="a" hidden>Facts</b><div id="a" hidden>secret</div>'],
    [
      "a button's without words",
      '<button aria-expanded="false" aria-controls="a"></button><div id="a" hidden>secret</div>',
    ],
    ["a menu's", `${button}<nav id="a" hidden>secret</nav>`],
    ["a popup's", `${button.replace("<button", '<button aria-haspopup="menu"')}<div id="a" hidden>secret</div>`],
    ["a panel's inside of what is hidden", `${button}<div hidden><div id="a">secret</div></div>`],
    ["what is hidden in a panel", `${button}<div id="a" hidden>words<p hidden>secret</p></div>`],
  ])("isn't visible: %s", (_, html) => {
    expect(visibleText(html)).not.toContain("secret");
  });
});

describe("the page's own style sheets count", () => {
  it.each([
    ["a class", ".x{display:none}"],
    ["an id", "#i{display:none}"],
    ["a tag with a class", "p.x{display:none}"],
    ["two classes", ".x.y{display:none}"],
    ["an attribute", "[data-z]{display:none}"],
    ["an attribute's value", '[data-z="1"]{display:none}'],
    ["inside of another", "div .x{display:none}"],
    ["directly inside", "div > .x{display:none}"],
    ["several", "h1, .x{display:none}"],
    ["but for others", "p:not(.other){display:none}"],
    ["a word of an attribute", '[class~="y"]{display:none}'],
    ["the beginning of an attribute", '[class^="x "]{display:none}'],
    ["a piece of an attribute", '[class*="x y"]{display:none}'],
    ["one of several", ":is(h1,.x){display:none}"],
    ["one of several inside of another", ":where(div, main) > p:is(.x){display:none}"],
    ["one that nothing without a rank undoes", ".x{display:none}:where(#i){display:block}"],
    ["for screens", "@media screen{.x{display:none}}"],
    ["for most screens", "@media only screen and (min-width: 1px){.x{display:none}}"],
    ["for windows that are wide", "@media print, (width >= 40em){.x{display:none}}"],
    ["where something is supported", "@supports (display:grid){.x{display:none}}"],
    ["in a group in a group", "@media all{@supports (display:grid){.x{display:none}}}"],
    ["in the rule of another", "div{color:red;.x{display:none}}"],
    ["in the rule of several", "main, div{& > .x, h2{display:none}color:red}"],
    ["in its own rule", ".x{&.y{display:none}}"],
    ["in a group of its own rule", ".x{@media screen{display:none}}"],
    ["in a layer", "@layer base{.x{display:none}}"],
    ["after comments, imports and broken strings", "@import 'a.css';/* } */.q::after{content:'}'}.x{display:none}"],
    ["after rules inside of others", ".q{color:red;.r{color:blue}}.x{display:none}"],
    ["a later one", ".x{display:block}.x{display:none}"],
    ["a more particular one", "p.x{display:none}.x{display:block}"],
    ["one that is important", ".x{display:none!important}#i{display:block}"],
  ])("hidden by %s", (_, css) => {
    expect(
      visibleText(
        `<style>${css}</style><div><p id="i" class="x y" data-z="1">secret</p></div><p class="other">words</p>`,
      ),
    ).toBe("words");
  });

  it.each([
    ["for paper", "@media print{.x{display:none}}"],
    ["for narrow screens", "@media (max-width:600px){.x{display:none}}"],
    ["for wide screens", "@media (min-width:2000px){.x{display:none}}"],
    ["for what isn't known of a screen", "@media (orientation:portrait){.x{display:none}}"],
    ["for other media than screens", "@media not screen{.x{display:none}}"],
    ["of one browser", "@supports (-ms-ime-align:auto){.x{display:none}}"],
    ["for others in the rule of its own", ".x{.y{display:none}&.z{display:none}}"],
    ["for one of others", ":is(h1,.y){display:none}"],
    ["under a condition", "@supports not (display:grid){.x{display:none}}"],
    ["in an animation", "@keyframes a{from{opacity:0}}"],
    ["while a pointer is there", ".x:hover{display:none}"],
    ["for what is drawn before it", ".x::before{display:none}"],
    ["for a sibling", "p + .x{display:none}"],
    ["inside of something else", "section .x{display:none}"],
    ["in a comment", "/*.x{display:none}*/"],
    ["undone later", ".x{display:none}.x{display:block}"],
    ["undone by an id", "#i{display:block}.x{display:none}"],
    ["by what isn't CSS", ".x..{display:none}"],
  ])("not hidden by a rule %s", (_, css) => {
    expect(visibleText(`<style>${css}</style><div><p id="i" class="x">words</p></div>`)).toBe("words");
  });

  it.each([
    ["for paper", '<style media="print">.x{display:none}</style>'],
    ["for readers without scripts", "<noscript><style>.x{display:none}</style></noscript>"],
    ["in a template", "<template><style>.x{display:none}</style></template>"],
    ["of another language", '<style type="text/less">.x{display:none}</style>'],
  ])("a sheet %s doesn't", (_, sheet) => {
    expect(visibleText(`${sheet}<p class="x">words</p>`)).toBe("words");
  });

  it("lets the style attribute win over rules, and nothing but an important one over it", () => {
    const page = (css: string) =>
      visibleText(`<style>${css}</style><p id="i" style="display:block">words</p><p>more</p>`);
    expect(page("#i{display:none}")).toBe("words\n\nmore");
    expect(page("#i{display:none !important}")).toBe("more");
  });
});

it.each([
  ["of rules", `<style>${".x{display:none}".repeat(100_000)}</style>${"<p class=x>a</p>".repeat(20_000)}<p>words`],
  ["of rules for all", `<style>${"*{opacity:1}".repeat(19_000)}</style>${"<b>a</b>".repeat(20_000)}<p>words`],
  ["of nested rules", `<style>${".a,.b{".repeat(300_000)}</style><p>words`],
  [
    "of rules in rules",
    `<style>${".a,.b{.c{.d,.e{.f{display:none}}}}".repeat(20_000)}</style>${"<b class=f>a</b>".repeat(20_000)}<p>words`,
  ],
  [
    "of selectors in selectors",
    `<style>${`${":is(".repeat(4_000)}.a${")".repeat(4_000)}{display:none}`.repeat(50)}</style><p>words`,
  ],
  ["of nested blocks", `<style>${"a{".repeat(300_000)}</style><p>words`],
  ["of open strings", `<style>${'"'.repeat(300_000)}\n${"'\\".repeat(200_000)}</style><p>words`],
  ["of open comments", `<style>${"/*".repeat(300_000)}</style><p>words`],
  [
    "of classes, and rules that ask for two of them",
    `<style>${Array.from({ length: 20_000 }, (_, at) => `.c0.z${at}{top:0}`).join("")}</style><p class="${Array.from({ length: 50_000 }, (_, at) => `c${at}`).join(" ")}">words`,
  ],
  ["of style attributes", `${`<b style="${"color:red;".repeat(20)}">a</b>`.repeat(20_000)}<p>words`],
  ["of selectors", `<style>${"a ".repeat(9_000)}{display:none}</style>${"<a><div>".repeat(20_000)}<p>words`],
  [
    "of panels",
    `${Array.from({ length: 20_000 }, (_, at) => `<p id=${at} hidden><b aria-expanded=false aria-controls=${at + 1}>a</b></p>`).join("")}<b aria-expanded=false aria-controls=0>a</b><p>words`,
  ],
  ["of panels of one name", `${"<p id=a hidden>a</p><b role=tab aria-controls=a>a</b>".repeat(20_000)}<p>words`],
  ["of declarations", `<p style="${"display:block;".repeat(200_000)}">words`],
  [
    "of nested elements with classes",
    `<style>.a .a .a .a .b{display:none}</style>${'<div class="a">'.repeat(50_000)}<p>words`,
  ],
])("takes linear time over a page %s", { timeout: 30_000 }, (_, html) => {
  expect(visibleText(html)).toContain("words");
});
