/** The codes of Cloudflare's answers, each with its HTTP status and title. A 52x code is also the HTTP status. */
const ANSWERS = {
  520: { status: 520, title: "Web server is returning an unknown error" },
  521: { status: 521, title: "Web server is down" },
  522: { status: 522, title: "Connection timed out" },
  523: { status: 523, title: "Origin is unreachable" },
  524: { status: 524, title: "A timeout occurred" },
  525: { status: 525, title: "SSL handshake failed" },
  526: { status: 526, title: "Invalid SSL certificate" },
  1002: { status: 403, title: "Restricted" },
  1003: { status: 403, title: "Direct IP access not allowed" },
  1016: { status: 530, title: "Origin DNS error" },
  1021: { status: 403, title: "Access denied" },
  1024: { status: 403, title: "Access denied" },
} as const;

export type AnswerCode = keyof typeof ANSWERS;

/** A client that doesn't accept HTML gets text. `json` and `headers` are forms that Cloudflare documents since 2026. */
export type AnswerForm = "text" | "html" | "json" | "headers";

/**
 * Returns Cloudflare's own answer with this code, instead of a response of the target. Sources: the folder
 * `support/troubleshooting/http-status-codes` of cloudflare/cloudflare-docs, and error pages that users reported.
 */
export function toAnswer(code: AnswerCode, form: AnswerForm, host: string): Response {
  const { status, title } = ANSWERS[code];
  const headers = {
    server: "cloudflare",
    "cf-ray": "9a1b2c3d4e5f6789-FRA",
    "cache-control": "private, max-age=0, no-store, no-cache, must-revalidate, post-check=0, pre-check=0",
    "referrer-policy": "same-origin",
    "x-frame-options": "SAMEORIGIN",
  };
  if (form === "text") return send(`error code: ${code}`, "text/plain; charset=UTF-8");
  if (form === "json") {
    const problem = { cloudflare_error: true, error_code: code, status, title, zone: host, retryable: status >= 500 };
    return send(JSON.stringify(problem), "application/json; charset=utf-8");
  }
  const more: Record<string, string> =
    form === "headers" ? { "cf-error-type": String(code), "cf-error-origin": "edge" } : {};
  const heading =
    code < 1000
      ? `<span class="inline-block">${title}</span> <span class="code-label">Error code ${code}</span>`
      : `<span class="cf-error-type">Error</span> <span class="cf-error-code">${code}</span>`;
  // With the headers, the page's own text doesn't show the code, as with a custom error page.
  return send(toPage(host, `${title}`, form === "headers" ? title : heading), "text/html; charset=UTF-8", more);

  function send(body: string, type: string, more: Record<string, string> = {}): Response {
    return new Response(body, { status, headers: { ...headers, "content-type": type, ...more } });
  }
}

function toPage(host: string, title: string, heading: string): string {
  return `<!DOCTYPE html>
<!--[if lt IE 7]> <html class="no-js ie6 oldie" lang="en-US"> <![endif]-->
<!--[if gt IE 8]><!--> <html class="no-js" lang="en-US"> <!--<![endif]-->
<head>
<title>${host} | ${title}</title>
<meta charset="UTF-8" />
<meta name="robots" content="noindex, nofollow" />
<link rel="stylesheet" id="cf_styles-css" href="/cdn-cgi/styles/main.css" />
</head>
<body>
<div id="cf-wrapper">
  <div id="cf-error-details" class="p-0">
    <header class="mx-auto"><h1 class="inline-block">${heading}</h1>
    <div>Visit <a href="https://www.cloudflare.com/5xx-error-landing">cloudflare.com</a> for more information.</div></header>
  </div>
</div>
</body>
</html>`;
}
