import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import llama3 from "llama3-tokenizer-js";
import { expect, it } from "vitest";
import { estimateTokens } from "../../src/text-view/tokens";

/** Two vocabularies that differ more than this share have no common estimate within 15 %. */
const MAX_DIFFERENCE = 1.3;

const TEXTS = {
  English:
    "The lighthouse at the end of the harbor was built in 1862 after three ships had been lost in one winter. Its keeper lived on the first floor with his family and climbed the stairs every four hours to wind the clockwork. Today the light is electric, and visitors can rent the old rooms during the summer. Tickets cost eight dollars for adults and are free for children under six.",
  German:
    "Der Leuchtturm am Ende des Hafens wurde 1862 gebaut, nachdem in einem einzigen Winter drei Schiffe untergegangen waren. Der Wärter wohnte mit seiner Familie im ersten Stock und stieg alle vier Stunden die Treppe hinauf, um das Uhrwerk aufzuziehen. Heute wird die Lampe elektrisch betrieben, und im Sommer können Besucher die alten Zimmer mieten. Eintrittskarten für Erwachsene kosten acht Euro.",
  French:
    "Le phare au bout du port a été construit en 1862, après la perte de trois navires au cours d'un seul hiver. Le gardien vivait au premier étage avec sa famille et montait l'escalier toutes les quatre heures pour remonter le mécanisme. Aujourd'hui la lampe est électrique, et les visiteurs peuvent louer les anciennes chambres pendant l'été. L'entrée coûte huit euros pour les adultes.",
  Spanish:
    "El faro al final del puerto se construyó en 1862, después de que tres barcos se perdieran en un solo invierno. El farero vivía con su familia en el primer piso y subía la escalera cada cuatro horas para dar cuerda al mecanismo. Hoy la lámpara es eléctrica y los visitantes pueden alquilar las antiguas habitaciones durante el verano. La entrada cuesta ocho euros para los adultos.",
  Italian:
    "Il faro alla fine del porto fu costruito nel 1862, dopo che tre navi erano andate perdute in un solo inverno. Il guardiano viveva al primo piano con la famiglia e saliva le scale ogni quattro ore per caricare il meccanismo. Oggi la lampada è elettrica e i visitatori possono affittare le vecchie stanze durante l'estate. Il biglietto costa otto euro per gli adulti.",
  Polish:
    "Latarnia morska na końcu portu została zbudowana w 1862 roku, po tym jak jednej zimy zatonęły trzy statki. Latarnik mieszkał z rodziną na pierwszym piętrze i co cztery godziny wchodził po schodach, aby nakręcić mechanizm. Dziś lampa jest elektryczna, a latem goście mogą wynająć stare pokoje. Bilet dla dorosłych kosztuje osiem euro, a dzieci do szóstego roku życia wchodzą za darmo.",
  Turkish:
    "Limanın ucundaki deniz feneri, bir kışta üç geminin batmasının ardından 1862 yılında inşa edildi. Fener bekçisi ailesiyle birlikte birinci katta yaşıyor ve mekanizmayı kurmak için her dört saatte bir merdivenleri çıkıyordu. Bugün lamba elektrikle çalışıyor ve ziyaretçiler yaz aylarında eski odaları kiralayabiliyor. Yetişkinler için giriş ücreti sekiz avro.",
  Russian:
    "Маяк в конце гавани был построен в 1862 году после того, как за одну зиму погибли три корабля. Смотритель жил с семьёй на первом этаже и каждые четыре часа поднимался по лестнице, чтобы завести механизм. Сегодня лампа работает от электричества, а летом посетители могут снять старые комнаты. Билет для взрослых стоит восемь евро, дети до шести лет проходят бесплатно.",
  Greek:
    "Ο φάρος στην άκρη του λιμανιού χτίστηκε το 1862, αφού τρία πλοία χάθηκαν σε έναν μόνο χειμώνα. Ο φαροφύλακας ζούσε με την οικογένειά του στον πρώτο όροφο και ανέβαινε τη σκάλα κάθε τέσσερις ώρες για να κουρδίσει τον μηχανισμό. Σήμερα η λάμπα είναι ηλεκτρική και οι επισκέπτες μπορούν να νοικιάσουν τα παλιά δωμάτια το καλοκαίρι. Το εισιτήριο κοστίζει οκτώ ευρώ.",
  Arabic:
    "بُنيت المنارة عند نهاية الميناء عام 1862 بعد أن غرقت ثلاث سفن في شتاء واحد. كان الحارس يعيش مع عائلته في الطابق الأول ويصعد الدرج كل أربع ساعات لتشغيل الآلة. أما اليوم فالمصباح كهربائي، ويمكن للزوار استئجار الغرف القديمة خلال فصل الصيف. يبلغ سعر التذكرة للبالغين ثمانية يورو، والدخول مجاني للأطفال دون سن السادسة.",
  Hebrew:
    "המגדלור בקצה הנמל נבנה בשנת 1862, לאחר ששלוש אוניות אבדו בחורף אחד. שומר המגדלור גר עם משפחתו בקומה הראשונה ועלה במדרגות כל ארבע שעות כדי למתוח את המנגנון. היום המנורה חשמלית, ומבקרים יכולים לשכור את החדרים הישנים בקיץ. מחיר הכרטיס למבוגרים הוא שמונה אירו, והכניסה לילדים מתחת לגיל שש היא חינם.",
  Hindi:
    "बंदरगाह के अंत में स्थित प्रकाशस्तंभ 1862 में बनाया गया था, जब एक ही सर्दी में तीन जहाज डूब गए थे। रखवाला अपने परिवार के साथ पहली मंजिल पर रहता था और हर चार घंटे में मशीन चलाने के लिए सीढ़ियाँ चढ़ता था। आज दीपक बिजली से चलता है और गर्मियों में आगंतुक पुराने कमरे किराए पर ले सकते हैं। वयस्कों के लिए टिकट की कीमत आठ यूरो है।",
  Thai: "ประภาคารที่ปลายท่าเรือสร้างขึ้นในปี 1862 หลังจากเรือสามลำสูญหายไปในฤดูหนาวเดียว ผู้ดูแลอาศัยอยู่กับครอบครัวที่ชั้นหนึ่งและเดินขึ้นบันไดทุกสี่ชั่วโมงเพื่อไขลานเครื่องจักร ปัจจุบันโคมไฟใช้ไฟฟ้า และผู้เยี่ยมชมสามารถเช่าห้องเก่าได้ในช่วงฤดูร้อน ค่าเข้าชมสำหรับผู้ใหญ่ราคาแปดยูโร ส่วนเด็กอายุต่ำกว่าหกปีเข้าชมฟรี",
  Chinese:
    "港口尽头的灯塔建于1862年，因为那年冬天有三艘船沉没。看守人和家人住在一楼，每隔四个小时就要爬上楼梯给机械上发条。如今灯已经改用电力，游客夏天可以租住旧房间。成人门票八欧元，六岁以下儿童免费。灯塔每天上午九点开放，下午五点关闭，冬季只在周末开放。从车站步行大约二十分钟就可以到达，沿途可以看到海湾的美丽风景。",
  Japanese:
    "港の端にある灯台は、一度の冬に三隻の船が失われた後、1862年に建てられました。灯台守は家族と一緒に一階に住み、四時間ごとに階段を上って機械のねじを巻いていました。現在は電気の明かりになり、夏の間は訪問者が古い部屋を借りることができます。入場料は大人が八ユーロで、六歳未満の子供は無料です。駅から歩いて二十分ほどで着きます。",
  Korean:
    "항구 끝에 있는 등대는 한 해 겨울에 배 세 척이 침몰한 뒤 1862년에 지어졌다. 등대지기는 가족과 함께 일층에 살면서 네 시간마다 계단을 올라가 기계의 태엽을 감았다. 지금은 전기로 불을 켜고, 여름에는 방문객이 오래된 방을 빌릴 수 있다. 입장료는 어른이 팔 유로이고 여섯 살 미만의 어린이는 무료이다. 역에서 걸어서 이십 분 정도 걸린다.",
  code: `import { readFile } from "node:fs/promises";

export async function loadConfig(path: string): Promise<Config> {
  const text = await readFile(path, "utf8");
  const config = JSON.parse(text) as Partial<Config>;
  if (config.port === undefined || config.port < 1) {
    throw new Error(\`Invalid port in \${path}: \${config.port}\`);
  }
  return { host: "localhost", timeoutMs: 30_000, ...config };
}

for (let i = 0; i < items.length; i++) {
  total += items[i].price * items[i].count;
}
`,
  table: `| Model | Weight | Price | In stock | Rating |
| --- | --- | --- | --- | --- |
| Trail Runner 3 | 280 g | $129.95 | yes | 4.6 |
| Summit Pro GTX | 410 g | $219.00 | no | 4.8 |
| City Walker | 250 g | $89.50 | yes | 4.1 |
| Alpine Boot | 640 g | $349.00 | yes | 4.9 |
`,
  URLs: `https://www.example.com/products/outdoor/tents?sort=price&page=3
https://docs.example.org/en/latest/guides/getting-started.html#install
https://cdn.shop.example/images/2024/05/17/9f8e7d6c5b4a_large@2x.webp
https://news.example.co.uk/politics/2023/11/04/election-results-live-updates
`,
  numbers:
    "12 345 6789 1,204.50 0.007 2024-05-17 14:30 +49 30 901820 99.95 1862 3.14159 1000000 42 7 2026 18.5 640 480 1920",
};

it.each(Object.entries(TEXTS))("estimates the tokens of %s", (_, text) => {
  const counts = [countTokens(text), llama3.encode(text, { bos: false, eos: false }).length];
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const estimate = estimateTokens(text);
  const hasMiddle = most <= MAX_DIFFERENCE * least;
  expect(estimate).toBeGreaterThan(hasMiddle ? 0.85 * most : least);
  expect(estimate).toBeLessThan(hasMiddle ? 1.15 * least : most);
});
