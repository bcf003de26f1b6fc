// The public addresses that the verification requests. An operator can replace each of them with --targets.
import { readFileSync } from "node:fs";

export interface Targets {
  /** A URL whose host name doesn't exist. */
  missing_name: string;
  /** A URL with a private IP address. */
  private_address: string;
  /** A URL with a public IP address. */
  public_address: string;
  /** A URL whose port refuses connections. */
  refused_port: string;
  /** A URL whose host has an expired certificate. */
  expired_certificate: string;
  /**
   * A URL whose response changes with each request. Its extension must be one that Cloudflare caches by default
   * (https://developers.cloudflare.com/cache/concepts/default-cache-behavior/).
   */
  changing_document: string;
  /** A PDF with at least 1,000 characters of text. A long PDF shows whether the Worker has enough CPU time. */
  pdf: string;
  /**
   * The start of a URL. Followed by Base64, it returns the decoded bytes as HTML. It must begin with http, because an
   * https page can't request http addresses.
   */
  pages: string;
  /** A URL that returns the headers of the request as JSON. */
  headers: string;
  /**
   * An https URL that answers POST requests with a 2xx status. If the answer has the body and the headers of the request
   * in httpbin's format, the signature is verified, too.
   */
  receiver: string;
  /** URLs whose public host names have a loopback address, at the port of Chrome's DevTools. */
  loopback: string[];
}

/** `{run}` is replaced by the id of the run. */
const DEFAULTS: Targets = {
  missing_name: "https://verification-{run}.example.com/",
  private_address: "http://10.0.0.1/",
  public_address: "http://8.8.8.8/",
  refused_port: "http://scanme.nmap.org:81/",
  expired_certificate: "https://expired.badssl.com/",
  // httpbin's answer contains a trace id, which is new in each request.
  changing_document: "https://httpbin.org/anything/verification-{run}.pdf",
  pdf: "https://www.rfc-editor.org/rfc/rfc9110.pdf",
  pages: "http://httpbin.org/base64/",
  headers: "https://httpbin.org/headers",
  receiver: "https://httpbin.org/anything",
  loopback: ["http://127.0.0.1.nip.io:9222/json/version", "http://localtest.me:9222/json/version"],
};

/**
 * Returns the targets of a run: the defaults, replaced by those of a JSON file and by `receiver`. Throws if the file has
 * an unknown target or an invalid URL.
 */
export function readTargets({ file, receiver, run }: { file?: string; receiver?: string; run: string }): Targets {
  const given = file === undefined ? {} : readJsonFile(file);
  if (typeof given !== "object" || given === null) throw new Error(`${file} must contain a JSON object.`);
  const unknown = Object.keys(given).find((name) => !(name in DEFAULTS));
  if (unknown !== undefined)
    throw new Error(`${file}: there is no target '${unknown}'. It may contain ${Object.keys(DEFAULTS).join(", ")}.`);
  const targets = { ...DEFAULTS, ...given, ...(receiver === undefined ? {} : { receiver }) };
  const resolved = JSON.parse(JSON.stringify(targets).replaceAll("{run}", run)) as Targets;
  for (const [name, value] of Object.entries(resolved)) {
    const urls: unknown[] = name === "loopback" && Array.isArray(value) ? value : [value];
    const invalid = urls.find((url) => typeof url !== "string" || !/^https?:/.test(url) || !URL.canParse(url));
    if (invalid !== undefined)
      throw new Error(`The target '${name}' must be an http or https URL, but is '${invalid}'.`);
  }
  return resolved;
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file} can't be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
}
