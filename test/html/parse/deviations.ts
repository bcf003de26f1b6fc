/**
 * The pages of html5lib's tests for which the parser builds another tree on purpose, or for a reason that isn't worth the
 * code.
 */
export const DEVIATIONS: readonly { reason: string; pages: readonly string[] }[] = [
  {
    reason:
      "htmlparser2 ends a script at the first `</script`, even in `<!--<script>`. It doesn't find comments after the start of a script, and ends an end tag at the first `>`, even inside an attribute.",
    pages: [
      'scriptdata01.dat: FOO<script></script foo=">" dd>BAR',
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt>'</script>BAR",
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt> -'</script>BAR",
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt> --'</script>BAR",
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt> --!>'</script>BAR",
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt> -- >'</script>BAR",
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt '</script>BAR",
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt/'</script>BAR",
      "scriptdata01.dat: FOO<script type=\"text/plain\">'<!-- <sCrIpt/'</script>BAR</script>QUX",
    ],
  },
  {
    reason:
      "An unclosed <foreignObject>, <desc> or <title> in a drawing is ignored, because it would hide the remaining page.",
    pages: [
      "namespace-sensitivity.dat: <body><table><tr><td><svg><td><foreignObject><span></td>Foo",
      "pending-spec-changes.dat: <table><tr><td><svg><desc><td></desc><circle>",
      "tables01.dat: <table><tr><td><svg><desc><td>",
      "tests10.dat: <div><svg><path><foreignObject><math></div>a",
      "tests10.dat: <div><svg><path><foreignObject><p></div>a",
      "tests10.dat: <!DOCTYPE html><svg><desc><div><svg><ul>a",
      "tests10.dat: <!DOCTYPE html><svg><desc><svg><ul>a",
      "tests10.dat: <!DOCTYPE html><p><svg><desc><p>",
      "tests10.dat: <!DOCTYPE html><p><svg><title><p>",
      "tests10.dat: <div><svg><path><foreignObject><p></foreignObject><p>",
      "tests10.dat: <math><annotation-xml><svg><foreignObject><math><mi><svg></svg></mi><mo></mo></math><span></span></foreignObject><path></path></svg></annotation-xml><mi>",
      "tests20.dat: <!doctype html><svg><foreignObject><p>",
      "tests21.dat: <svg><foreignObject><div><![CDATA[foo]]>",
      "tests26.dat: <!DOCTYPE html><svg><foreignObject><p><i></p>a",
      "tests26.dat: <!DOCTYPE html><table><tr><td><svg><foreignObject><p><i></p>a",
      "webkit01.dat: <svg><title><div>",
      "webkit01.dat: <svg><title><rect><div>",
      "webkit01.dat: <svg><title><svg><div>",
      "webkit01.dat: <table><tr><td><svg><desc><td></desc><circle>",
    ],
  },
  {
    reason: "A <script> ends an unclosed <select>, because the <select> would hide the remaining page.",
    pages: [
      "tests18.dat: <!doctype html><select><script></style></script>abc",
      "tests18.dat: <!doctype html><table><select><script></style></script>abc",
      "tests18.dat: <!doctype html><table><tr><select><script></style></script>abc",
    ],
  },
  {
    reason: "A table in a paragraph ends the paragraph, as in a page with <!DOCTYPE html>.",
    pages: ["tests20.dat: <p><table></p>", "tests3.dat: <p><table></table>"],
  },
  {
    reason: "A form can be inside another form, and is left out between table rows.",
    pages: [
      "html5test-com.dat: <table><form><input type=hidden><input></form><div></div></table>",
      "tests16.dat: <!doctype html><form><table></form><form></table></form>",
      "tests20.dat: <!doctype html><table><form><form>",
      "tests20.dat: <!doctype html><table><form></table><form>",
      "tests6.dat: <!doctype html><form><div></form><div>",
      "tests6.dat: <form><form>",
    ],
  },
  {
    reason:
      "An element that isn't allowed at its place is kept, if it has no text: an end tag `</p>` before <body>, <col> and <colgroup> outside of a table, and metadata after </body>.",
    pages: [
      "tests1.dat: <head></p><meta><p>",
      "tests1.dat: <head></html><meta><p>",
      "tests1.dat: <table><col><tbody><col><tr><col><td><col></table><col>",
      "tests1.dat: <table><colgroup><tbody><colgroup><tr><colgroup><td><colgroup></table><colgroup>",
      "tests10.dat: <!DOCTYPE html><body><table><colgroup><svg><g>foo</g><g>bar</g><p>baz</table><p>quux",
      "tests15.dat: <!doctype html></body><meta>",
      "tests15.dat: <!doctype html></body><title>X</title>",
      "tests19.dat: <!doctype html><html></p><!--foo-->",
      "tests19.dat: <!doctype html><head></head></p><!--foo-->",
      "tests25.dat: <!DOCTYPE html><body><col>A",
      "tricky01.dat: <TABLE>\n<TR>\n<CENTER><CENTER><TD></TD></TR><TR>\n<FONT>\n<TABLE><tr></tr></TABLE>\n</P>\n<a></font><font></a>\nThis page contains an insanely badly-nested tag sequence.",
      "webkit01.dat: <kbd><table></kbd><col><select><tr>",
      "webkit01.dat: <kbd><table></kbd><col><select><tr></table><div>",
    ],
  },
  {
    reason: "<menuitem>, <optgroup> and ruby annotations in a paragraph don't have implied end tags.",
    pages: [
      "menuitem-element.dat: <!DOCTYPE html><body><menuitem>A<menuitem>B",
      "menuitem-element.dat: <!DOCTYPE html><body><menuitem>A<menu>B</menu>",
      "menuitem-element.dat: <!DOCTYPE html><body><menuitem>A<hr>B",
      "tests1.dat: <!DOCTYPE html>A<option>B<optgroup>C<select>D</option>E",
      "tests19.dat: <!doctype html><ruby><p><rp>",
      "tests19.dat: <!doctype html><ruby><div><p><rp>",
      "tests19.dat: <!doctype html><ruby><p><rt>",
      "tests19.dat: <!doctype html><ruby><div><p><rt>",
    ],
  },
  {
    reason: "Other errors in the nesting of tables, formulas and lists of options.",
    pages: [
      "tables01.dat: <table><select><table></table></select></table>",
      'tests20.dat: <math><annotation-xml encoding=" text/html "><div>',
    ],
  },
];
