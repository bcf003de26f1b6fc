const MAX_SCRIPTS = 200;
const MAX_CODE_CHARS = 20_000;
/** Addresses and code of analytics, advertisements, consent tools and libraries, which add no content. */
const NO_CONTENT =
  /googletagmanager|google-analytics|gtag\(|dataLayer|googlesyndication|adsbygoogle|doubleclick|fbevents|fbq\(|connect\.facebook|hotjar|clarity\.ms|matomo|piwik|_paq|plausible|umami|mc\.yandex|ym\(|metrika|hm\.baidu|cnzz|segment\.(?:com|io)|mixpanel|hs-scripts|hs-analytics|linkedin\.com|licdn|snap\.|pinimg|bat\.bing|newrelic|nr-data|sentry|cloudflareinsights|cdn-cgi|cookiebot|onetrust|cookielaw|usercentrics|didomi|quantcast|\/(?:jquery|modernizr|bootstrap|polyfill|respond|html5shiv|webfont|fontawesome)[^/]*\.js|wp-includes|wp-emoji|_wpemoji|recaptcha|__doPostBack|theForm|WebForm_/i;
const DATA = /\btype\s*=\s*["']?(?:application\/(?:ld\+)?json|speculationrules|importmap|text\/(?:template|html|x-))/i;

/** Returns true if the page has a script that may add content: one that isn't analytics, data or a common library. */
export function canFillPage(html: string): boolean {
  const lower = html.toLowerCase();
  let at = 0;
  for (let count = 0; count < MAX_SCRIPTS; count++) {
    const start = lower.indexOf("<script", at);
    if (start < 0) return /<body\b[^<>]*\sonload\b/i.test(html);
    const codeStart = lower.indexOf(">", start) + 1;
    const end = codeStart === 0 ? -1 : lower.indexOf("</script", codeStart);
    if (end < 0) return true;
    const tag = html.slice(start, Math.min(codeStart, start + MAX_CODE_CHARS));
    const source = `${tag}${html.slice(codeStart, Math.min(end, codeStart + MAX_CODE_CHARS))}`;
    const isBlank = !/\ssrc\s*=/i.test(tag) && html.slice(codeStart, end).trim() === "";
    if (!isBlank && !DATA.test(tag) && !NO_CONTENT.test(source)) return true;
    at = end;
  }
  return true;
}
