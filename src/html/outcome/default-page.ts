import type { PageFacts } from "./page-facts";
import { anyOf, normalize, quote, says, sentencesOf } from "./phrases";

const MAX_CHARS = 900;
const MAX_LINKS = 10;
const MAX_SENTENCE_CHARS = 240;
/** Titles and headings of the default pages of servers and hosts. They match whole titles. */
const NAMES: readonly RegExp[] = [
  /^(?:(?:web )?server'?s? )?(?:default (?:web ?site|server|plesk|parallels)?(?: ?page)?|default web page|domain default page|web server's default page|welcome to plesk)(?: for .{1,60})?\W*$/,
  /^(?:standardseite|platzhalterseite|page par défaut|página (?:por defecto|predeterminada|padrão)|pagina (?:predefinita|di default|di cortesia)|standaardpagina|strona domyślna|страница по умолчанию|výchozí stránka)\W*$/u,
];
/** Sentences of the default pages of hosts. */
const SENTENCES: readonly RegExp[] = [
  /^this account has been suspended|^future home of something|if you(?:'re| are) the (?:owner of this (?:website|site|domain)|site owner),? (?:please )?(?:contact your|log ?in to)|are you the store owner|^is this your domain\W|^looks like this domain isn't connected|^this (?:web ?site|domain).{0,20} reserved for future use/,
  /^(?:恭喜[，,]? ?站点创建成功|没有找到站点)|^сайт только что создан|^domena zaparkowana\W*$|^まだ.{0,12}ファイルがアップロードされていません/u,
];
/** Says that there is no site yet, or that the page only fills its place. */
const NO_SITE = anyOf(
  /\b(?:no|any) (?:web ?site|site|content|web page|page|store)\b.{0,20}\b(?:here|at this|on this|yet|configured|published)|\b(?:isn't|is not|hasn't|has not|haven't|not yet|not) (?:yet )?(?:been )?(?:published|uploaded|claimed|connected|configured|set up|linked)|there (?:isn't|is no|is not) .{0,20}\b(?:site|website|content|page)|awaiting content|replace (?:this|it|this page|this file)|placeholder page|\bdefault (?:welcome )?(?:web ?)?page\b|reserved for future use|created automatically|(?:hosting|web ?space|domain|account)\b.{0,20}\bis (?:now )?(?:active|ready)|happy to see your domain/,
  /noch (?:kein|nicht)|standardseite|platzhalter|diese seite (?:zu|wird) |(?:domain|webspace|hosting) .{0,20}erfolgreich|pas encore|aucun (?:site|contenu)|page par défaut|remplace[rz]|bientôt (?:disponible|en ligne)|(?:todavía|aún) no|página (?:por defecto|predeterminada)|próximamente|sube tus|ainda não|página padrão|em breve|(?:non|nessun) .{0,24}ancora|pagina (?:predefinita|di default|di cortesia)|in allestimento|nog (?:geen|niet)|standaardpagina|vervang/u,
  /(?:ingen|inga) .{0,16}(?:hemsida|webbplats|sida)|ännu (?:inte|ingen)|parkerad (?:domän|hos)|ikke .{0,24}(?:endnu|ennå|enda)|(?:endnu|ennå) ikke|ei ole .{0,20}vielä|vielä ei|zatím ne|zatiaľ ni|není umístěn|nejsou umístěn|jeszcze ni|nie ma jeszcze|nie .{0,20}jeszcze|jest utrzymywan|még ni(?:ncs|ncsen)|(?:nu|n-a) .{0,12}încă|încă nu|δεν έχει .{0,20}(?:ανέβει|δημοσιευ)|ακόμα|henüz|park edilmiş/u,
  /(?:ещ[её]|пока) (?:не|нет)|сайта .{0,12}пока нет|здесь (?:будет|скоро)|ще не|успешно привязан|припаркован|まだ.{0,24}(?:アップロード|公開|設定)され|初期(?:ページ|ドメイン|設定ページ|画面)|自動(?:で|的に)(?:作成|生成)|表示されなくなり|(?:尚未|暂未|還沒有|还没有).{0,12}(?:绑定|綁定|开通|上传|建立|解析|发布)|已停放|默认 ?(?:页|index|首页)|(?:系统)?自动生成|아직 .{0,16}(?:연결|등록|개설)|파킹 ?서비스|기본 ?페이지/u,
);
/** Words for domains and hosting. */
const HOSTING =
  /\bdomain|domein|domaine|domínio|dominio|domen|alan ad|домен|verkkotunnus|domän|domæne|domén|ドメイン|域名|網域|도메인|hosting|web ?space|web ?server|http server|name ?server|\bftp\b|index\.html|public_html|control panel|plesk|cpanel|directadmin|hébergement|hébergé|alojamiento|alojad[oa]|hospeda|tárhely|хостинг|webhotel|サーバー?|レンタル|主机|主機|控制台|绑定|호스팅|nginx|apache/u;
/** Questions to the owner, and words for the page itself or its domain. */
const OWN =
  /(?:are you|if you(?:'re| are)|is this) (?:the owner|its owner|your)|you(?:'re| are) (?:seeing|the owner)|\bsee your domain|your domain is (?:now )?active|if you (?:see|can read) this|this (?:page|domain|site|web ?site|is (?:a|the) (?:default|placeholder))|(?:sind sie|bist du) .{0,12}(?:inhaber|besitzer|eigentümer)|dies(?:e|er|es)? (?:seite|domain|ist die)|vous êtes .{0,16}propriétaire|(?:cette|votre|ce) (?:page|hébergement|domaine|site|nom)|(?:eres|es usted) .{0,10}(?:dueño|propietario|titular)|est[ea] (?:página|dominio|es la)|você é .{0,10}(?:dono|titular)|est[ea] (?:domínio|página|é a)|sei il (?:proprietario|titolare)|quest[oa] (?:dominio|pagina|sito)|(?:ben jij|bent u|is dit) .{0,14}(?:eigenaar|domein)|deze (?:domeinnaam|pagina)|dit domein|är (?:du|det) .{0,16}(?:ägare|domän)|jste (?:vlastník|majitel)|tato doména|вы (?:—|–|-)? ?владелец|このページ|このウェブスペース|このドメイン|このサイト|如果(?:您|你)是.{0,8}(?:所有者|站长|管理员)|这是默认|您访问的网站|이 도메인|bu alan adı/iu;
/** A domain name. */
const NAMED_DOMAIN = /(?<![\p{L}\d@.-])[\p{L}\d-]{1,63}(?:\.[\p{L}\d-]{1,63})*\.\p{L}{2,63}(?![\p{L}\d-])/u;
/** File names, which look like domains. */
const FILE = /\.(?:html?|php|js|css|png|jpe?g|gif|svg|pdf|txt|zip|xml|json|conf)\b/giu;
/** Text about default pages in general, and the contact data of a company. */
const ABOUT =
  /how to|what is|\bguide\b|documentation|pricing|\bstep \d|anleitung|wie (?:sie|man)|wenn sie|comment |cómo |como (?:fazer|configurar)|jak |как |方法|教程|怎么|如何|하는 법|whois (?:record|lookup)|\b(?:phone|tel|tél|fon|telefon|call us)\b/iu;

/** The beginning of a definition, such as "A parked domain is". */
const DEFINITION = /^(?:an?|eine?|une?|una?|um|uma|een|en|ett?) .{0,60}\b(?:is|are|ist|est|es|é|è|är|er)(?!\p{L})/iu;

/** Returns the evidence that the page is the default page of a server, a host or a registrar, or null. */
export function findDefaultPage(facts: PageFacts): string | null {
  const { unlinkedChars, elements, titleParts, headings, notes } = facts;
  if (unlinkedChars > MAX_CHARS || elements.links > MAX_LINKS || elements.passwords > 0 || elements.code > 0)
    return null;
  const names = [...titleParts, ...headings];
  const known =
    [...notes, ...titleParts].find((text) => says(text, SENTENCES)) ??
    (elements.links === 0 || !facts.isArticle ? names.find((text) => says(text, NAMES)) : undefined);
  if (known !== undefined) return toReason(known);
  const text = normalize([...names, ...notes].join("\n"));
  if (!HOSTING.test(text) || facts.isArticle || ABOUT.test(text)) return null;
  const sentence = [...notes, ...titleParts].flatMap(sentencesOf).find(saysNoSite);
  if (sentence === undefined) return null;
  return OWN.test(text) || NAMED_DOMAIN.test(text.replace(FILE, " ")) ? toReason(sentence) : null;
}

function saysNoSite(sentence: string): boolean {
  if (sentence.length > MAX_SENTENCE_CHARS || /[?？]$/.test(sentence) || DEFINITION.test(sentence)) return false;
  return NO_SITE.test(normalize(sentence));
}

function toReason(text: string): string {
  return `The page is the default page of a host: ${quote(text)}.`;
}
