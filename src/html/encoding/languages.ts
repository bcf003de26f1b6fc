export interface Language {
  /** The language as a BCP 47 tag. */
  code: string;
  encodings: readonly string[];
  /**
   * The characters beyond ASCII, in groups separated by spaces. A character of the first group costs one bit, a
   * character of the second group two bits, and so on. A character that costs one bit more is half as frequent among
   * the language's characters beyond ASCII. A capital is listed only if it isn't in the same group as its small letter.
   */
  letters: string;
  /**
   * Returns the cost, in bits, of a character that isn't in `letters`. Returns null if the language doesn't use the
   * character. Only languages with too many characters for a table have this function.
   */
  unlisted?: (char: string) => number | null;
}

const HANGUL_BITS = 12;
const HAN_BITS = 13;
const KANA_BITS = 10;

const isHan = (char: string) => char >= "\u4e00" && char <= "\u9fff";
const han = (char: string) => (isHan(char) ? HAN_BITS : null);
const kanaOrHan = (char: string) => (char >= "\u3041" && char <= "\u30fe" ? KANA_BITS : han(char));
const hangul = (char: string) => (char >= "\uac00" && char <= "\ud7a3" ? HANGUL_BITS : null);

/**
 * The languages with the frequencies of their letters. The frequencies were counted in the Universal Declaration of
 * Human Rights and in Linux manual pages. If a language has both sources, they have equal weight.
 */
export const LANGUAGES: readonly Language[] = [
  { code: "ru", encodings: ["windows-1251", "koi8-r"], letters: "  о еиантсвр лпдкм уяыбзьчйг жюхщц фшэ  ё«» ъ" },
  { code: "uk", encodings: ["windows-1251", "koi8-u"], letters: "  оа ниіврте сдкуплмяз бгьюч йжхцєїш щф   «» ґ" },
  { code: "be", encodings: ["windows-1251"], letters: " а  ніы евроясдцлпкмут бўзчгьхж йэшю ʼ ё ф" },
  { code: "bg", encodings: ["windows-1251", "koi8-r"], letters: "  аио енвтср дклп збчямуъг щжц йх ш ю" },
  { code: "sr", encodings: ["windows-1251"], letters: "  аои енурв стдпкјмл збг њцшчљ жћхђ “„ ф" },
  { code: "mk", encodings: ["windows-1251"], letters: "  аоие нтврс дплк бмузј гчшжц њќ ѓ хф" },
  { code: "el", encodings: ["windows-1253", "iso-8859-7"], letters: "  α ετιονρσ κημπςίυλ άδωήέγχθό φύώ βξ ζ «»ψ ·" },
  { code: "tr", encodings: ["windows-1254"], letters: "ı  şüçğ ö  İ ’   â ”“" },
  { code: "fr", encodings: ["windows-1252"], letters: "é  ’à èê  »« çô ùïîœû   âü" },
  { code: "de", encodings: ["windows-1252"], letters: "ü ä öß  «»" },
  { code: "es", encodings: ["windows-1252"], letters: "ó á íú é ñ      ü" },
  { code: "pt", encodings: ["windows-1252"], letters: " ãç éáí õê óàú  â ü  ô “”" },
  { code: "it", encodings: ["windows-1252"], letters: "à è  òù é ì  »«  íîóú „“’" },
  { code: "ca", encodings: ["windows-1252"], letters: " ó ’éà èíú çò ·" },
  { code: "nl", encodings: ["windows-1252"], letters: "ë  ïé ó    á" },
  { code: "sv", encodings: ["windows-1252"], letters: "ä öå   ”" },
  { code: "da", encodings: ["windows-1252"], letters: "æ åø     »«  é" },
  { code: "no", encodings: ["windows-1252"], letters: "å ø æ" },
  { code: "fi", encodings: ["windows-1252"], letters: "ä  ö     ”" },
  { code: "is", encodings: ["windows-1252"], letters: " ð áþö éóíæ  ú  ý" },
  { code: "pl", encodings: ["windows-1250", "iso-8859-2"], letters: " ł ążśóę ć ń  ź" },
  { code: "cs", encodings: ["windows-1250", "iso-8859-2"], letters: " íá éěř ýžčš ů  ú ň ťó ď" },
  { code: "sk", encodings: ["windows-1250", "iso-8859-2"], letters: " á ýéž ťúčší ľ ô ň  ď" },
  { code: "hu", encodings: ["windows-1250", "iso-8859-2"], letters: " éá  óöőí ü úű  ”„" },
  { code: "hr", encodings: ["windows-1250", "iso-8859-2"], letters: " čžš ćđ" },
  { code: "sl", encodings: ["windows-1250", "iso-8859-2"], letters: "č žš" },
  { code: "ro", encodings: ["windows-1250", "iso-8859-2"], letters: "ă ţ şî â  ”„     «»" },
  { code: "sq", encodings: ["windows-1250", "windows-1252"], letters: "ë     ç" },
  { code: "he", encodings: ["windows-1255"], letters: "  וי הלאתב שכרמדנםחע פזןג קסטצך   ץף" },
  { code: "ar", encodings: ["windows-1256"], letters: "  ال يموتر نعةأحهقفدب سكإج شضخصىط، ذزغءئ ث ظًآ ؤ" },
  { code: "fa", encodings: ["windows-1256"], letters: "  ا دريومنهب تکلشسق حعزجخآ گف، صطئضپچ ثذٔظ ًغ" },
  {
    code: "ja",
    encodings: ["shift_jis", "euc-jp"],
    letters:
      "    る、のにをはす。 なてといれでしー こがた権ン利人からさび有スルもトあ及け自的国よイべ まフつプくリりシっドッき合行ク定そ受ラうログ場由セテ等マ又 ァおめば会社対力えデコ保己教ョムわ使文実タィ作用平バ育パ成際ジ法制基指オ数ア時能ず字キ間上設他地 同レ生義み可動要限域表全下モ何ブ一報示ケ内ビ護出公家変ォ尊務効メ以ユ現せ意ザュ不連最だ組初ェ入じ名エ理カ中所並値ポ段前見サ認厳治障害礎奴隷為刑罪婚姻加開別情ウ後境ん位各必応書チ完求者発属分や格無 照ワ与関年参構本手送準重種ど形持配判反立展通正ナ働ひネ類済独界神業術在性化協員心精差裁男女迫犯罰住享籍庭織労益活学ペ単む更引存含先子込度記目読適結末ベ取信端ャ身新ほ・果承集ソ問良止状進常解例移ち列番号へ方強式失少任除ホ消大決選物個管転態当経避源択互高外非優起終親 部続切般",
    unlisted: kanaOrHan,
  },
  {
    code: "zh",
    encodings: ["gb18030"],
    letters:
      "   的 。 人和有权在不 个，一是国利用为文任由、受何对这中以或会于行他自使 件应所可法如数家得定时本而其字并等作平社式享能成果下符要项生被出参格选教指设种制 务到它了合值表面保者同进些育类发动基情上置方护义地性来领庭土们分名器现通页重标立必则大令主：当开况过将各属接律此命实之组系加包迫严输鉴尊奴隶刑婚内前只提目无事需因（意信序后）息模联正持解据手心入列际认程该册计存 论位括号公回换关你均配理示害政治女罪工机相除形划多统已初单返级区控改也间及样驱求与处盘变非产最都限版口确每服依结就子串准供段录常全写活展失没户普物量独且赋判员别界充免然见精完遍维住寻术学很从切予张那读质型承水障业某化宪男神遭侵犯籍宗力织益比备效创例启转较元但始度止省缺请空第给境先运核根部压适传须键经里 含建小具错新容待着么原编把致决少候查期源放许操规想高取优才连特匹显体照择至档构视更整调码库移支管消软代母两明节检反误；说端函步禁资看执告述获够价介递卡总注外磁测址补避老默约守负修描索固偏费次向起歧品础走章年思废阶技父缓块险念促善天干科美背记世讯媒违试引乃铤暴叛民申誓愿良兄弟托役买卖救倚审罚迁徙居庇族嫁姻财剥夺涉团济努酬健康福食衣房医疗疾病残",
    unlisted: han,
  },
  {
    code: "zh-hant",
    encodings: ["big5"],
    letters:
      "   的 ，。 人有和權個一 以在不由或是用自、這中任利受行為定使何於 國得式享並本對會可檔他平如選所保案生應合要進數字時動種項果法表等作文其能意而了被正設名護分指 上家教社它加及值出者性下同律活重目尊大序制令位開來引命視器些此理元各包頁面示列實公只工則心現標程前宗改資：變到將相當件方基集成證聯格回輸之宣括解信言別們返嚴單（條鑑置樣通需給必間）入與後模非適手過計體冊確 符號全地換你；限充義獲認普系關預類免劃參多統配遍提記歧促投也政治民刑罪婚票秩已結最驅訊無許內裝容主經版組就啟情都道待執產告每特串況供期發除常該載寫沒依援接錄存真料業反始機從那型讀完步獨新碼很比化舉迫切予錯子礎擊例轉干但直承違攻障庭男女願良忍涉譽旨籍仰志休兒童育團福共第安請空較未核因控代建事原處取部檢須立鍵線裡連 求含區壓小否麼把編候具助整碟服匹致放報顯訴想據壞才庫際更準支假釋譯軟擇照兩盤誤說移函卡母且外效身失強述夠屬欄協論見然查磁測址禁修賦判破描員價密次起操唯算域精遇息向係雙維住術學某明儲路展逐友允界走章離思注形略問話做固險念善背輔科默透世水施害捕凡亦撰態二叫增傳乃鋌暴叛憲申痩誓兄弟神酷殘侮辱罰煽逮拘辯審私宅榮剝奪締財秘踐禮拜戒府力職酬閒暇",
    unlisted: han,
  },
  {
    code: "ko",
    encodings: ["euc-kr"],
    letters:
      "    에의하한가다이 권을는리를자적사은인모여든서국진어 람로유지정받과동고으제대보신또등도기며위아구부법그와있 수회니성간공노무교할없및호되야나전행거상육계초통치합장해우형느누예결게 원존엄일요연생태근된실질혼경력평단강들녀재속러완비주매내시죄작종떠격발 류천양것화폭항반록필헌본남였활준약중터애개영토독립역타관차별범벌운박른라따소산견현체포함조직불문익안업배술접능선학물 세억압마막란키않려면념확넓증짐므총날때심았더탁냐놓금디앞률침효혐히판용될었던피룰향탈당표섭추얻달떤참담임협각런입식료복족건녕릴병망령황핍최택창만롭목칙",
    unlisted: hangul,
  },
];

/** The costs, in bits, of characters that no table lists. */
const REPLACEMENT_COST = 24;
const CONTROL_COST = 20;
const PUNCTUATION_COST = 8;
const FOREIGN_LETTER_COST = 14;

const PUNCTUATION = new Set("\u00a0©®™°·•–—‘’“”„…«»‹›€£§№²³½¿¡´");

export interface LanguageCosts {
  code: string;
  encodings: readonly string[];
  /**
   * Returns the cost of a character, in bits: about the negative binary logarithm of its frequency. Ignores case unless
   * both cases are listed.
   */
  costOf: (char: string) => number;
}

export const LANGUAGE_COSTS: readonly LanguageCosts[] = LANGUAGES.map((language) => ({
  code: language.code,
  encodings: language.encodings,
  costOf: toCostOf(language),
}));

function toCostOf({ letters, unlisted }: Language): (char: string) => number {
  const listed = new Map(letters.split(" ").flatMap((group, at) => [...group].map((char) => [char, at + 1] as const)));
  return (char) =>
    listed.get(char) ??
    costOfNonLetter(char) ??
    listed.get(char.toLowerCase()) ??
    unlisted?.(char) ??
    FOREIGN_LETTER_COST;
}

/** Returns the cost, in bits, of a character that isn't a letter. Returns null for letters. */
function costOfNonLetter(char: string): number | null {
  if (char === "\ufffd") return REPLACEMENT_COST;
  if (char <= "\u009f" || (char >= "\ue000" && char <= "\uf8ff")) return CONTROL_COST;
  return PUNCTUATION.has(char) ? PUNCTUATION_COST : null;
}
