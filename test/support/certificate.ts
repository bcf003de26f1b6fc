import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificate {
  key: string;
  cert: string;
  /** The path of the certificate, for NODE_EXTRA_CA_CERTS. */
  file: string;
}

const file = join(import.meta.dirname, "localhost.pem");

/**
 * The self-signed certificate of the servers for tests, valid for localhost and 127.0.0.1 until 2126. Its private key
 * isn't secret, because only tests trust the certificate.
 */
export const CERTIFICATE: Certificate = {
  key: readFileSync(join(import.meta.dirname, "localhost-key.pem"), "utf8"),
  cert: readFileSync(file, "utf8"),
  file,
};
