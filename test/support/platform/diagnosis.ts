// Finds out why a connection to a test server failed. Cloudflare's answer names the reason, but the local runtime
// reports most reasons with the same error.
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { connect as connectTls, rootCertificates } from "node:tls";
import { type Loopback, listen } from "../loopback.ts";
import { sendJson } from "../responses.ts";
import type { AnswerCode } from "./answers.ts";

/** Starts a server that returns the code for the URL in the query parameter `url`. `ca` is a trusted certificate. */
export function startDiagnosis(ca: string): Promise<Loopback> {
  return listen(
    createServer(async (request, response) => {
      const target = new URL(request.url ?? "/", "http://diagnosis").searchParams.get("url") ?? "";
      sendJson(response, await diagnose(new URL(target), ca));
    }),
  );
}

async function diagnose({ protocol, hostname, port }: URL, ca: string): Promise<AnswerCode> {
  const isSecure = protocol === "https:";
  const address = { host: hostname, port: Number(port || (isSecure ? 443 : 80)) };
  const options = { ...address, servername: hostname, ca: [...rootCertificates, ca] };
  const socket = isSecure ? connectTls(options) : connect(address);
  try {
    await once(socket, isSecure ? "secureConnect" : "connect");
    // The connection works, so the response was missing or invalid.
    return 520;
  } catch (error) {
    return toCode((error as NodeJS.ErrnoException).code ?? "");
  } finally {
    socket.destroy();
  }
}

function toCode(code: string): AnswerCode {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 1016;
  if (code === "ECONNREFUSED") return 521;
  if (code === "ETIMEDOUT") return 522;
  if (/^E(HOST|NET)UNREACH$/.test(code)) return 523;
  return /CERT|SELF_SIGNED|VERIFY|ISSUER|ALTNAME/.test(code) ? 526 : 525;
}
