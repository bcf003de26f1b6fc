/** How walls of no known make ask their reader, in the languages that most are written in. */
const REQUESTS: readonly RegExp[] = [
  // English
  /\b(verify|verifying|confirm|prove|make sure|ensure|check(ing)?)\b.{0,30}\b(you|you're|you’re|user) (are |is )?(a |an )?(human|real (person|human|user)|not a (ro)?bot)\b/i,
  /\bare you (a )?(human|(not )?a robot)\b/i,
  /\b(i'm|i’m|i am) not a robot\b/i,
  /\b(complete|solve|pass) (the|this|a) (captcha|challenge|security (check|challenge))\b/i,
  /\b(checking|verifying) your browser\b/i,
  /\bunusual (traffic|activity)\b.{0,60}\b(network|device|computer|ip|address)\b/i,
  /\bpress (&|and) hold\b/i,
  /\bautomated (access|requests|queries|traffic)\b.{0,80}\b(blocked|denied|detected)\b/i,
  // German
  /(bestätigen|überprüfen|beweisen|stellen) sie,? (bitte )?(sicher, )?dass sie (ein mensch|kein (ro)?bot(er)?|menschlich)/i,
  /\bsind sie ein (mensch|roboter)\b/i,
  /\bich bin kein roboter\b/i,
  /\bungewöhnliche[nr]? (datenverkehr|aktivität|zugriffe)/i,
  /\b(ihr|den) browser (wird|wurde) (gerade )?überprüft|überprüfung ihres browsers/i,
  // French
  /\b(vérifi(er|ez|ons|ant)|confirm(er|ez)|prouve[rz])\b.{0,30}\bvous (êtes|n['’]êtes pas) (bien )?(un )?(humain|être humain|robot)/i,
  /êtes-vous (un )?(humain|robot)/i,
  /\bje ne suis pas un robot\b/i,
  /\b(trafic|activité) (inhabituel|inhabituelle|suspecte?)\b/i,
  /\bvérification de votre navigateur\b/i,
  // Spanish
  /\b(verifi(ca|que|car|cando)|confirm(a|e|ar)|demuestr[ae]|comprob(ar|ando))\b.{0,30}\b(eres|es|usted es|que no eres|que no es) (un )?(humano|ser humano|robot)\b/i,
  /(eres|es usted) (un )?(humano|robot)\b/i,
  /\bno soy un robot\b/i,
  /\btráfico (inusual|sospechoso)\b/i,
  /\bcomprobando (tu|su) navegador\b/i,
  // Turkish
  /([iİ]nsan|gerçek kişi) olduğunuzu (doğrula|onayla|kanıtla)|robot olmadığınızı (doğrula|onayla|kanıtla)/i,
  /\bben robot değilim\b|robot musunuz/i,
  /olağan ?dışı (trafik|etkinlik)|tarayıcınız kontrol ediliyor/i,
  // Russian
  /(подтвердите|докажите|убедиться|проверка|проверяем),? что (вы|запросы)\b.{0,40}(человек|не робот|не бот)|подтвердите.{0,30}(не робот|человек)/i,
  /вы (не )?робот\s*\?|я не робот/i,
  /(подозрительн|необычн)\S+ (трафик|активност|запрос)|проверка (вашего )?браузера/i,
];

export const asksForHuman = (text: string): boolean => REQUESTS.some((request) => request.test(text));
