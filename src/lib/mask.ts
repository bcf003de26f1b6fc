/** The text without the API keys and webhook secrets in it: callers put them into paths and parameters by mistake. */
export function maskSecrets(text: string): string {
  return text.replace(/\b(sk_(?:live|test)_|whsec_)[\w-]{8,}/g, "$1…");
}
