/** The names of the months by language, in the form that dates use. */
const MONTHS = {
  en: "january february march april may june july august september october november december",
  de: "januar februar märz april mai juni juli august september oktober november dezember",
  fr: "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  es: "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  pt: "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  it: "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  nl: "januari februari maart april mei juni juli augustus september oktober november december",
  sv: "januari februari mars april maj juni juli augusti september oktober november december",
  da: "januar februar marts april maj juni juli august september oktober november december",
  no: "januar februar mars april mai juni juli august september oktober november desember",
  fi: "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
  pl: "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia",
  cs: "ledna února března dubna května června července srpna září října listopadu prosince",
  ro: "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
  hu: "január február március április május június július augusztus szeptember október november december",
  tr: "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
  id: "januari februari maret april mei juni juli agustus september oktober november desember",
  ru: "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
  uk: "січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня",
  el: "ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου",
} as const;

const NAMES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(MONTHS).map(([language, names]) => [language, names.split(" ")]),
);
const NUMBERS: ReadonlyMap<string, number> = new Map(
  [...NAMES.values()].flatMap((names) => names.map((name, index) => [name, index + 1] as const)),
);
const MIN_SHORT_CHARS = 3;

/**
 * Returns the number of a month, from 1 to 12, or null. The name can be in any of the languages. A shortened name must
 * be in the page's language or in English.
 */
export function monthOf(name: string, language: string): number | null {
  const word = name.toLowerCase();
  const known = NUMBERS.get(word);
  if (known !== undefined) return known;
  if (word.length < MIN_SHORT_CHARS) return null;
  for (const code of [language.slice(0, 2).toLowerCase(), "en"]) {
    const names = NAMES.get(code) ?? [];
    const matches = names.filter((full) => full.startsWith(word));
    if (matches.length === 1) return names.indexOf(matches[0] ?? "") + 1;
  }
  return null;
}
