// An HTTPS website with an untrusted certificate. The certificate names a forbidden URL as the location of its issuer's
// certificate (`caIssuers`).
import { createServer } from "node:https";
import {
  AuthorityInfoAccessExtension,
  cryptoProvider,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from "@peculiar/x509";
import { listen } from "./loopback.ts";

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const DAY_MS = 24 * 60 * 60 * 1000;

/** Starts the website. `issuerOrigin` has the issuer's certificate. The website doesn't send the issuer's certificate, so browsers try to fetch it from there. */
export async function startUntrustedSite(
  issuerOrigin: string,
): Promise<{ origin: string; host: string; close: () => void }> {
  cryptoProvider.set(crypto);
  const issuer = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.create({
    serialNumber: "01",
    subject: "CN=localhost",
    issuer: "CN=Unknown issuer",
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + DAY_MS),
    signingAlgorithm: ALGORITHM,
    publicKey: keys.publicKey,
    signingKey: issuer.privateKey,
    extensions: [
      new SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
      ]),
      new AuthorityInfoAccessExtension({ caIssuers: `${issuerOrigin}/issuer.crt` }),
    ],
  });
  const key = Buffer.from(await crypto.subtle.exportKey("pkcs8", keys.privateKey)).toString("base64");
  const server = createServer(
    { cert: certificate.toString("pem"), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----` },
    (_, response) => response.end("<p>A page with an untrusted certificate.</p>"),
  );
  const { port, close } = await listen(server);
  return { origin: `https://localhost:${port}`, host: `localhost:${port}`, close };
}
