/** Receives the JSON of each message that arrives from a queue. */
type Listener = (json: string) => void;

const listeners = new Set<Listener>();

/** Passes a message to the listeners. The test Worker calls this function for each message of each queue. */
export function reportMessage(body: unknown): void {
  for (const listener of listeners) listener(JSON.stringify(body));
}

/** Calls the listener for each message until the returned function is called. */
export function listenToMessages(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
