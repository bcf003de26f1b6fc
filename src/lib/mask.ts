/** The text without the API keys and webhook secrets in it: callers put them into paths and parameters by mistake. */
export function maskSecrets(text: string): string {
  return text.replace(/\b(sk_(?:live|test)|whsec)_[0-9A-Za-z+/=_-]+/g, "$1_…");
}
