import { AppError } from "../model/errors";

/** What a fetch threw, as an answer to the caller: what the runtime throws carries no code, only words. */
export function toNetworkError(cause: unknown, host: string): AppError {
  const words = cause instanceof Error ? cause.message : String(cause);
  if (/dns|lookup|getaddrinfo|name not resolved|no such host/i.test(words)) {
    return new AppError("dns_failure", `The name ${host} could not be resolved.`, { cause });
  }
  if (/tls|ssl|certificate|handshake/i.test(words)) {
    return new AppError("tls_failure", `No trusted TLS connection to ${host} could be made.`, { cause });
  }
  return new AppError("connection_failed", `The connection to ${host} failed.`, { cause });
}
