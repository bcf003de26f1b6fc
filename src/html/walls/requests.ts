/** How walls of no known make tell their reader to prove something, in the languages that most are written in. */
const DEMANDS: readonly RegExp[] = [
  // English
  /\b(verify|verifying|confirm|prove|make sure|ensure|check(ing)?)\b.{0,30}\b(you|you're|you’re|user) (are |is )?(a |an )?(human|real (person|human|user)|not a (ro)?bot)\b/i,
  /\b(complete|solve|pass) (the|this|a) (captcha|challenge|security (check|challenge))\b/i,
  /\b(checking|verifying) your browser\b/i,
  /\bpress (&|and) hold\b.{0,30}\bhuman\b/i,
  // German
  /(bestätigen|überprüfen|beweisen|stellen) sie,? (bitte )?(sicher, )?dass sie (ein mensch|kein (ro)?bot(er)?|menschlich)/i,
  /\b(ihr|den) browser (wird|wurde) (gerade )?überprüft|überprüfung ihres browsers/i,
  // French
  /\b(vérifi(er|ez|ons|ant)|confirm(er|ez)|prouve[rz])\b.{0,30}\bvous (êtes|n['’]êtes pas) (bien )?(un )?(humain|être humain|robot)/i,
  /\bvérification de votre navigateur\b/i,
  // Spanish
  /\b(verifi(ca|que|car|cando)|confirm(a|e|ar)|demuestr[ae]|comprob(ar|ando))\b.{0,30}\b(eres|es|usted es|que no eres|que no es) (un )?(humano|ser humano|robot)\b/i,
  /\bcomprobando (tu|su) navegador\b/i,
  // Turkish
  /([iİ]nsan|gerçek kişi) olduğunuzu (doğrula|onayla|kanıtla)|robot olmadığınızı (doğrula|onayla|kanıtla)/i,
  /tarayıcınız (kontrol ediliyor|doğrulanıyor)/i,
  // Russian
  /(подтвердите|докажите|убедиться|проверяем),? что (вы|запросы).{0,40}(человек|не робот|не бот|а не робот)|подтвердите.{0,30}(не робот|человек)/i,
  /проверка (вашего )?браузера|проверяем ваш браузер/i,
];

/** What walls say, and others too. */
const REMARKS: readonly RegExp[] = [
  /\bare you (a )?(human|(not )?a robot)\b|\bi('m|’m| am) not a robot\b/i,
  /\bunusual (traffic|activity)\b|\bautomated (access|requests|queries|traffic)\b/i,
  /\bsind sie ein (mensch|roboter)\b|\bich bin kein roboter\b|\bungewöhnliche[nr]? (datenverkehr|aktivität|zugriffe)/i,
  /êtes-vous (un )?(humain|robot)|\bje ne suis pas un robot\b|\b(trafic|activité) (inhabituel|suspect)/i,
  /\b(eres|es usted) (un )?(humano|robot)\b|\bno soy un robot\b|\btráfico (inusual|sospechoso)\b/i,
  /\bben robot değilim\b|robot musunuz|olağan ?dışı (bir )?(trafik|etkinlik)/i,
  /вы (не )?робот\s*\?|я не робот|(подозрительн|необычн)\S{1,4} (трафик|активност|запрос)/i,
];

export const demandsProof = (text: string): boolean => DEMANDS.some((demand) => demand.test(text));
export const remarksOnRobots = (text: string): boolean => REMARKS.some((remark) => remark.test(text));
