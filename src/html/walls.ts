export interface Answer {
  status: number;
  headers: { get(name: string): string | null | undefined };
  html: string;
  text?: string;
}
export function wallOf(answer: Answer): string | null {
  return /Just a moment\.\.\./.test(answer.html) && /challenge-platform/.test(answer.html)
    ? "Cloudflare challenge"
    : null;
}
