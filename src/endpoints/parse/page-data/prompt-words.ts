function words(list: string): ReadonlySet<string> {
  return new Set(list.split(" "));
}

/** Words that don't change which value of a page is meant, in the languages whose names `concepts.ts` has. */
export const NEUTRAL = words(
  "a an the this that these those its it their his her my our your all every each any both and or as well also plus with for of from on in at to by is are be " +
    "please extract get give return find read list show fetch scrape pull collect me us i want need page site website web document html json schema field value object array data detail info information " +
    "structured following given complete full main exact actual current whole displayed shown listed available visible exactly number string text s " +
    "product item article post blog news story recipe dish event job posting position vacancy book movie film company organization business course app software person " +
    "der die das den dem des ein eine einen einem einer eines und oder von vom aus im am zum zur mit für alle jede jeden bitte extrahiere gib hole finde seite produkt produkte artikel rezept veranstaltung stelle sowie " +
    "le la les l un une des du de d et ou avec pour sur dans toutes tous chaque extrais extraire donne produit recette " +
    "el los las lo una unos unas del al y o con para en por todos todas extrae extraer dame producto receta articulo noticia " +
    "il gli i uno della dello delle dei degli e ed per nella estrai prodotto ricetta articolo",
);
/** Prompts with one of these words ask for values that aren't on the page in this form. */
export const TRANSFORMED =
  /\b(?:translat\w*|summar\w*|paraphras\w*|rewrit\w*|rephras\w*|conver[ts]\w*|classif\w*|categori[sz]e\w*|estimat\w*|infer\w*|calculat\w*|comput\w*|round(?:ed)?|shorten\w*|explain\w*|sentiment|own words|upper-?case|lower-?case|ubersetz\w*|zusammenfass\w*|umrechn\w*|tradui\w*|traduc\w*|traduz\w*|resum\w*|riassu\w*|slug)\b/;
/** Scripts whose words this file can't separate or doesn't know. */
export const OTHER_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Cyrillic}\p{Script=Greek}]/u;

/** Returns the text in lower case, without diacritics and apostrophes. */
export function plain(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/['’`´]/g, " ")
    .toLowerCase();
}
