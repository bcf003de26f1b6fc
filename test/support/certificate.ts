import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";

const KEY = "localhost-key.pem";
const CERT = "localhost.pem";

export interface Certificate {
  key: string;
  cert: string;
  /** The path of the certificate, for NODE_EXTRA_CA_CERTS. */
  file: string;
}

/** Creates a self-signed certificate for localhost and writes its files to `folder`. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }], {
    keySize: 2048,
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: false },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  writeFileSync(join(folder, KEY), key, { mode: 0o600 });
  writeFileSync(join(folder, CERT), cert);
  return readCertificate(folder);
}

/** Reads the certificate that `makeCertificate` wrote to this folder. */
export function readCertificate(folder: string): Certificate {
  const file = join(folder, CERT);
  return { key: readFileSync(join(folder, KEY), "utf8"), cert: readFileSync(file, "utf8"), file };
}
