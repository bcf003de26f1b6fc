/**
 * Sentences that demand proof that the reader is human, in the most common languages. Block pages of unknown vendors
 * contain such sentences.
 */
const DEMANDS: readonly RegExp[] = [
  // English. Matches only at the start of a sentence, because ordinary pages mention captchas, too.
  /(^|[.!?:,;…] |\b(please|we (just )?(need|have|want) to|must|kindly) )(verify|verifying|confirm|prove|make sure|ensure|check(ing)?|let us know)\b.{0,30}\b(you|you're|you’re|user) (are |is )?(a |an )?(human|real (person|human|user)|not a (ro)?bot)\b/im,
  /^(complete|solve|pass) (the|this|a) (captcha|security (check|challenge))( (below|to|in order)\b|\W*$)/im,
  /\b(please|continue,?) (complete|solve|pass) (the|this|a) (captcha|challenge below|(security|human) (check|challenge|verification))\b(?!,? (and )?(then|first|before))/i,
  /\bplease (slide|drag)\b.{0,30}\bverif|\bslide to verify\b/i,
  /\bplease (complete|pass) (the )?verification (below|to (continue|proceed|access))\b/i,
  /^(checking|verifying) your browser\b|\b(checking|verifying) your browser before\b/im,
  /\bpress (&|and) hold\b.{0,30}\bhuman\b/i,
  // German
  /(bestätigen|überprüfen|beweisen|stellen) sie,? (bitte )?(sicher, )?dass sie (ein mensch|kein (ro)?bot(er)?|menschlich)/i,
  /(prüfen|bestätigen|sicherstellen|sichergehen|verifizieren),? (ob|dass) sie (ein mensch|kein (ro)?bot(er)?)\b/i,
  /\b(ihr|den) browser (wird|wurde) (gerade )?überprüft|überprüfung ihres browsers/i,
  // French
  /\b(vérifi(er|ez|ons|ant)|confirm(er|ez)|prouve[rz])\b.{0,30}\bvous (êtes|n['’]êtes pas) (bien )?(un )?(humain|être humain|robot)/i,
  /\bvérification de votre navigateur\b/i,
  // Spanish
  /\b(verifi(ca|que|car|cando)|confirm(a|e|ar)|demuestr[ae]|comprob(ar|ando))\b.{0,30}\b(eres|es|usted es|que no eres|que no es) (un )?(humano|ser humano|robot)\b/i,
  /\bcomprobando (tu|su) navegador\b/i,
  // Portuguese
  /\b(verifi(que|car|cando)|confirm(e|ar|ando)|prove|comprov(e|ar))\b.{0,30} (é|és) (um )?(humano|ser humano|rob[oôó])/i,
  /\bverificando (o )?seu navegador\b/i,
  // Italian
  /\b(verific(a|are|hiamo|hi)|conferm(a|are|i)|dimostra(re)?|dimostri)\b.{0,30}\b(sei|di essere|sia|essere) (un )?(umano|essere umano|robot)\b/i,
  /\bverifica del (tuo|suo) browser\b/i,
  // Polish
  /(potwierd(ź|zić)|udowodni(j|ć)|sprawdzamy|zweryfikuj|upewnić się)(cie)?,? .{0,20}(jesteś|nie jesteś|jest pan\S*) (człowiekiem|robotem)/i,
  /(sprawdzić|potwierdzić|upewnić się|zweryfikować),? (czy|że) (nie )?jesteś (człowiekiem|robotem)/i,
  /sprawdzanie (twojej )?przeglądarki/i,
  // Dutch
  /\b(bevestig|verifieer|controleer|bewijs)\b.{0,20}\bu? ?(bent|geen|een) ?(een )?(mens|robot)\b/i,
  // Turkish
  /([iİ]nsan|gerçek kişi) olduğunuzu (doğrula|onayla|kanıtla)|robot olmadığınızı (doğrula|onayla|kanıtla)|robot olmadığınızdan emin/i,
  /tarayıcınız (kontrol ediliyor|doğrulanıyor)/i,
  // Russian, Ukrainian
  /(подтвердите|докажите|убедиться|проверяем),? что (вы|запросы).{0,40}(человек|не робот|не бот|а не робот)|подтвердите.{0,30}(не робот|человек)/i,
  /проверка (вашего )?браузера|проверяем ваш браузер/i,
  /(підтвердіть|доведіть),? що (ви|запити).{0,40}(людина|не робот)/i,
  // Japanese
  /(ロボット|ボット)(では|じゃ)(ない|ありません|ないこと).{0,20}(確認|証明|お答え|チェック)|人間であることを?(確認|証明)|ブラウザを?確認(して|中)/,
  // Chinese
  /(请|請).{0,4}(完成|进行|進行|通过|通過)((下方|下面|以下)的?)?(安全|人机|人機|滑动|滑動|滑块|拼图)?(验证|驗證)(?!码|碼|后|後|，?(然后|然後|再))|(请|請).{0,8}(拖动|拖動|按住).{0,8}滑(块|塊)|(确认|確認|证明|證明).{0,10}(不是机器人|不是機器人|是真人)/,
  // Korean
  /(로봇|봇)이 아(닙니다|님을|닌).{0,20}(확인|증명)|사람인지 확인/,
];

/** Phrases that both block pages and ordinary pages contain. */
const MENTIONS: readonly RegExp[] = [
  /\bare you (a )?(human|(not )?a robot)\b|\bi('m|’m| am) not a robot\b/i,
  /\bunusual (traffic|activity)\b.{0,40}\b(your?|network|ip|computer)\b|\bautomated (access|requests|queries|traffic)\b/i,
  /^((human|robot|bot|security) (verification|check)|verification)$/im,
  /\bsind sie ein (mensch|roboter)\b|\bich bin kein roboter\b|\bungewöhnliche[nr]? (datenverkehr|aktivität|zugriffe)/i,
  /êtes-vous (un )?(humain|robot)|\bje ne suis pas un robot\b|\b(trafic|activité) (inhabituel|suspect).{0,40}\b(votre|vous|ip)\b/i,
  /\b(eres|es usted) (un )?(humano|robot)\b|\bno soy un robot\b|\btráfico (inusual|sospechoso)\b.{0,40}\b(su|tu|red|ip)\b/i,
  /não (é|sou|és) um rob[oôó]|\btráfego (incomum|suspeito)|atividade (incomum|suspeita)|verificação de segurança/i,
  /non (sei|sono|è) un robot|\btraffico (insolito|anomalo|sospetto)|attività (insolita|sospetta)|verifica di sicurezza/i,
  /nie (jesteś|jestem) robotem|(nietypow|podejrzan)\S{1,4} (ruch|aktywnoś)|weryfikacj\S bezpieczeństwa/i,
  /\b(ik ben|u bent) geen robot\b|\bongebruikelijk (verkeer|activiteit)/i,
  /\bben robot değilim\b|robot musunuz|olağan ?dışı (bir )?(trafik|etkinlik)/i,
  /вы (не )?робот\s*\?|я не робот|(подозрительн|необычн)\S{1,4} (трафик|активност|запрос)/i,
  /(私は)?ロボットではありません|(通常と異なる|不審な|異常な)(トラフィック|アクセス|通信)|自動化されたアクセス|セキュリティ(チェック|認証)/,
  /安全验证|安全驗證|人机验证|人機驗證|人机身份验证|滑动验证|我不是机器人|我不是機器人|访问过于频繁|异常流量|異常流量/,
  /로봇이 아닙니다|보안 ?(확인|문자)|비정상적인 (트래픽|접근)/,
];

/**
 * Returns true if the text demands proof that the reader is human. `lines` must have one line for each block of the
 * page.
 */
export const demandsProof = (lines: string): boolean => DEMANDS.some((demand) => demand.test(lines));
export const mentionsRobots = (lines: string): boolean => MENTIONS.some((mention) => mention.test(lines));
