const AI =
  "(?:ais?|a\\.i\\.|llms?|(?:large )?language models?|artificial intelligence|chat ?gpt|gpt(?:-?\\d\\w*)?|claude|gemini|copilot|" +
  "chat ?bots?|ai[- ](?:language )?(?:assistants?|agents?|models?|systems?|crawlers?|bots?|scrapers?|tools?|reviewers?))";
/** The words after which an AI is addressed or told what to do. They exclude "you are an AI startup". */
const ADDRESSED =
  "(?=\\s*(?:[,.;:!?)\\]—–-](?!\\w)|$|\\b(?:reading|read|processing|process|summari[sz]\\w+|analy\\w+|that|who|and|or|you|please|must|should|do|ignore|always|instead)\\b))";

/** The patterns of texts that tell an AI what to do. Texts are in lower case, with single spaces. */
const PATTERNS: readonly RegExp[] = [
  // English
  /\b(?:ignore|disregard|override|bypass|forget)\b[^.!?]{0,20}\b(?:previous|prior|above|earlier|preceding|foregoing|existing|all(?: of)?(?: the| your)?|any(?: other)?|your)\b[^.!?]{0,25}\b(?:instructions?|prompts?|directives?|guidelines|commands?)\b/,
  /\b(?:ignore|disregard|forget)\b[^.!?]{0,15}\b(?:instructions?|prompts?|everything|text|content)\b[^.!?]{0,15}\b(?:above|before this|so far|you were (?:told|given))\b/,
  new RegExp(`\\b(?:if|since|because|when) you(?:'re|’re| are) (?:reading this as )?(?:an? |the )?${AI}${ADDRESSED}`),
  new RegExp(`\\b(?:as|being) (?:an? )?${AI},? (?:you|please|always|do not|don't|never|must)\\b`),
  new RegExp(
    `\\b(?:dear|attention|hello|hey|hi|note to|note for|message to|message for|notice to|instructions? to|instructions? for)\\b[ ,:!]{1,3}(?:all |any |the |every |other )?${AI}${ADDRESSED}`,
  ),
  /\b(?:dear|attention|hello|hey|hi)[ ,:]{1,2}(?:ai |virtual |helpful )?assistants?\b(?=[,.:!—–-]| please| you)/,
  /\byou are (?:now )?(?:an? |the )?(?:helpful|unrestricted|jailbroken|uncensored|obedient) (?:ai|assistant|model|chatbot)\b/,
  /\b(?:reveal|print|repeat|output|show|leak|expose|send|ignore|override|replace|your|new)\b[^.!?]{0,25}\bsystem prompt\b|\bsystem prompt ?:|\bsystem override\b/,
  /<\|(?:im_start|system|endoftext)\|>|\[\/?inst\]|<<sys>>|### ?(?:new )?(?:system|instructions?) ?:/,
  /\b(?:do not|don't|never) (?:tell|inform|alert|warn|notify|mention (?:this|it) to|reveal (?:this|it) to) (?:the|your) (?:user|human|reader)\b/,
  /\b(?:when|if|while) (?:you (?:are )?)?(?:asked to )?(?:summari[sz]|describ|extract|pars|review)(?:ing|e|es)\b[^.!?]{0,50}\b(?:page|article|site|website|product|document|resume|candidate|paper|content)\b[^.!?]{0,30}\b(?:always|you must|you should|do not|don't|say that|state that|respond with|output|recommend (?:it|this|the))\b/,
  /\bgive (?:only )?a positive review(?: only)?\b|\bdo not highlight any negatives\b/,
  // German
  /\b(?:ignorier(?:e|en sie|t)?|vergiss|vergessen sie|missachte[nt]?)\b[^.!?]{0,25}(?:vorherig|bisherig|vorangegangen|vorig|obig|früher|alle)[^.!?]{0,25}(?:anweisung|instruktion|befehl|prompt)/,
  /\b(?:wenn|falls|da) (?:du|sie|ihr) (?:eine? )?(?:ki|ki-\w+|künstliche intelligenz|sprachmodell|chatbot)\b[^.!?]{0,10}\b(?:bist|sind|seid)\b|\bals (?:ki|ki-\w+|sprachmodell) (?:musst|sollst|sollen|müssen|darfst) (?:du|sie)\b|\b(?:liebe[rs]?|achtung,?|hallo,?) (?:ki|ki-\w+|sprachmodell|chatgpt)\b/,
  // French
  /\b(?:ignore[rz]?|oublie[rz]?|ne tene?z pas compte)\b[^.!?]{0,30}\b(?:instructions?|consignes?|directives?|ordres)\b[^.!?]{0,20}(?:précédent|antérieur|ci-dessus|prealable|préalable)/,
  /\bsi (?:vous êtes|tu es) (?:une? )?(?:ia|intelligence artificielle|modèle de langage|assistant ia|agent ia)\b|\ben tant qu(?:'|’)(?:une? )?(?:ia|assistant ia|intelligence artificielle|modèle de langage), (?:vous|tu|ne)\b|\b(?:ch[eè]re?|bonjour,?) (?:ia|chatgpt|modèle de langage)\b/,
  // Spanish and Portuguese
  /\b(?:ignor(?:a|ar|e|en|ad)|olvid(?:a|e|ar|en)|esque[çc]a|desconsidere)\b[^.!?]{0,30}\b(?:instrucciones|instruções|indicaciones|órdenes|ordens|comandos)\b[^.!?]{0,20}(?:anterior|previ|prévi|acima|arriba)/,
  /\b(?:si eres|si usted es|se você é|se voce e|se és) (?:una? |uma? )?(?:ia|inteligencia artificial|inteligência artificial|modelo de (?:lenguaje|linguagem)|asistente de ia|assistente de ia)\b|\b(?:querid[oa]|estimad[oa]|prezad[oa]|car[oa]) (?:ia|asistente|chatgpt|modelo de lenguaje)\b[,:]/,
  // Italian
  /\b(?:ignora(?:re|te)?|dimentica(?:re|te)?)\b[^.!?]{0,30}\b(?:istruzioni|indicazioni|comandi|direttive)\b[^.!?]{0,20}(?:precedent|sopra)|\bse (?:sei|siete) (?:un['’ ]|una )?(?:ia|intelligenza artificiale|modello linguistico|assistente ia)\b/,
  // Dutch and Polish
  /\b(?:negeer|vergeet)\b[^.!?]{0,25}(?:vorige|eerdere|voorgaande|bovenstaande)[^.!?]{0,20}(?:instructies|opdrachten|aanwijzingen)|\bals (?:je|u) een (?:ai|ai-\w+|taalmodel|chatbot) bent\b/,
  /(?:^|\s)(?:z?ignoruj|zapomnij|pomiń)\b[^.!?]{0,30}(?:poprzedni|wcześniejsz|powyższ)[^.!?]{0,20}(?:instrukcj|polece|wytyczn)|(?:jeśli|jeżeli) jesteś (?:ai|sztuczną inteligencją|modelem językowym)/,
  // Turkish
  /(?:önceki|yukarıdaki|bundan önceki)[^.!?]{0,20}(?:talimat|komut|yönerge)[^.!?]{0,20}(?:yok say|görmezden gel|unut|dikkate alma)|eğer (?:sen )?(?:bir )?(?:yapay zek[aâ]|dil modeli)/,
  // Russian and Ukrainian
  /(?:игнорируй|проигнорируй|забудь|не учитывай|ігноруй|забудьте|ігноруйте)(?:те)?[^.!?]{0,25}(?:предыдущ|прежн|выше|все|попередн|всі)[^.!?]{0,25}(?:инструкци|указани|команд|інструкці|вказівк)|если (?:ты|вы)[ —–-]{1,3}(?:ии|языковая модель|искусственный интеллект|нейросеть)/,
  // Chinese, Japanese, Korean
  /(?:忽略|无视|無視|忘记|忘記)[^。！？]{0,10}(?:之前|以前|以上|先前|前面|所有|上述)[^。！？]{0,10}(?:指令|指示|提示|说明|說明|命令)|如果你是[^。！？]{0,6}(?:ai|人工智能|人工智慧|语言模型|語言模型)/,
  /(?:以前|これまで|上記|前|すべて)の?[^。！？]{0,8}(?:指示|命令|プロンプト)[^。！？]{0,8}(?:無視|忘れ)|(?:あなたが|もし)[^。！？]{0,6}(?:ai|人工知能|言語モデル)(?:アシスタント)?(?:なら|である|の場合)/,
  /(?:이전|위의?|앞의?|모든)[^.!?]{0,10}(?:지시|명령|프롬프트|지침)[^.!?]{0,8}(?:무시|잊)/,
  // Arabic and Hindi
  /(?:تجاهل|انس)[^.!?]{0,20}(?:التعليمات|الأوامر|الإرشادات)/,
  /(?:पिछले|पहले के|उपरोक्त|सभी)[^।!?]{0,15}(?:निर्देश|आदेश)[^।!?]{0,20}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)/,
];
/** Invisible characters. A page can put them between the letters of a word, so that no pattern matches the word. */
const INVISIBLE =
  /\u034f|[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
/** The number of characters of a text that are checked. */
const MAX_CHARS = 200_000;

/** Returns true if a text tells an AI what to do, such as "Ignore all previous instructions". */
export function addressesAi(text: string): boolean {
  const normal = text
    .slice(0, MAX_CHARS)
    .normalize("NFKC")
    .replace(INVISIBLE, "")
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase();
  return PATTERNS.some((pattern) => pattern.test(normal));
}
