/** Creates a PDF with one line in a font that isn't embedded and whose codes a predefined character map defines. */
export function makeCjkPdf({ cmap, ordering, hex }: { cmap: string; ordering: string; hex: string }): Uint8Array {
  const text = `BT /F1 14 Tf 60 750 Td <${hex}> Tj ET`;
  const system = `/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 4>>`;
  const file = `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>endobj
4 0 obj<</Length ${text.length}>>stream\n${text}\nendstream endobj
5 0 obj<</Type/Font/Subtype/Type0/BaseFont/Serif/Encoding/${cmap}/DescendantFonts[6 0 R]>>endobj
6 0 obj<</Type/Font/Subtype/CIDFontType0/BaseFont/Serif${system}/DW 1000/FontDescriptor 7 0 R>>endobj
7 0 obj<</Type/FontDescriptor/FontName/Serif/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>endobj
trailer<</Root 1 0 R>>
%%EOF`;
  return Uint8Array.from(file, (character) => character.charCodeAt(0));
}
