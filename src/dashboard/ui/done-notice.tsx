/** What was just done, by the word that the redirect left in `?done=`. Words that aren't known say nothing. */
export function DoneNotice({ word, texts }: { word: string | undefined; texts: Record<string, string> }) {
  const text = word !== undefined && Object.hasOwn(texts, word) ? texts[word] : undefined;
  if (text === undefined) return null;
  return (
    <p class="notice" role="status">
      {text}
    </p>
  );
}
