import { sendHtml } from "../responses.ts";
import { ARTICLE, WORDS } from "./article.ts";
import type { Behaviors, Visit } from "./visit.ts";

/** Serves redirects, meta refreshes and status codes. */
export const moves: Behaviors = {
  status: ({ url, response }) => {
    const code = Number(url.searchParams.get("code"));
    response.writeHead(code, { "content-type": "text/html" });
    response.end(code === 204 || code === 205 || code === 304 ? undefined : ARTICLE);
  },
  "status-empty": ({ url, response }) => void response.writeHead(Number(url.searchParams.get("code"))).end(),
  busy: ({ url, response, count }) => {
    if (count > 1) return sendHtml(response, ARTICLE);
    response.writeHead(Number(url.searchParams.get("code")), { "retry-after": url.searchParams.get("after") ?? "" });
    response.end("Busy");
  },
  login: ({ response }) => void response.writeHead(401, { "www-authenticate": 'Basic realm="harbour"' }).end("Who?"),
  redirect: ({ url, response }) =>
    void response
      .writeHead(Number(url.searchParams.get("code") ?? 302), { location: url.searchParams.get("to") ?? "article" })
      .end(),
  "redirect-nowhere": ({ response }) => void response.writeHead(302, { "content-type": "text/html" }).end(ARTICLE),
  chain: (visit) => {
    const left = Number(visit.url.searchParams.get("left"));
    redirect(visit, left > 1 ? `chain?left=${left - 1}` : "article");
  },
  loop: (visit) => redirect(visit, "loop-back"),
  "loop-back": (visit) => redirect(visit, "loop"),
  "loop-cookie": (visit) => {
    visit.response.setHeader("set-cookie", `visits=${visit.count}`);
    redirect(visit, `loop-cookie?${visit.count}`);
  },
  "secure-article": (visit) => redirect(visit, visit.to("article", "https")),
  "secure-and-back": (visit) => redirect(visit, visit.to("insecure-article", "https")),
  "insecure-article": (visit) => redirect(visit, visit.to("article")),
  "once-more-from-cache": ({ response }) => {
    response.setHeader("cache-control", "max-age=600");
    const script =
      "if (!sessionStorage.been) setTimeout(() => { sessionStorage.been = 1; location.replace(location.pathname); }, 100)";
    sendHtml(response, `${ARTICLE}<script>${script}</script>`);
  },
  refresh: ({ url, response }) => refresh(response, `1; url=${url.searchParams.get("to") ?? "article"}`),
  "refresh-chain": ({ url, response }) => {
    const left = Number(url.searchParams.get("left"));
    refresh(response, `0; url=${left > 1 ? `refresh-chain?left=${left - 1}` : "article"}`);
  },
  "refresh-loop": ({ response, count }) => refresh(response, `0; url=refresh-loop?${count}`),
  "refresh-itself": ({ response }) => refresh(response, "0", WORDS),
  "refresh-late": ({ response }) => refresh(response, "3600; url=nowhere", WORDS),
  "refresh-header": ({ response }) => {
    response.setHeader("refresh", "0; url=article");
    sendHtml(response, "Moving");
  },
};

function redirect({ response }: Visit, location: string): void {
  response.writeHead(302, { location }).end();
}

function refresh(response: Visit["response"], content: string, words = "Moving."): void {
  sendHtml(
    response,
    `<!doctype html><html><head><meta http-equiv="refresh" content="${content}"></head><body><p>${words}`,
  );
}
