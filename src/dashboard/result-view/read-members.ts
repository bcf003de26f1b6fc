import { type Member, MemberReader, type Room } from "./members";

/** The members of a JSON object that is in memory, or comes from the store; of the latter no more is read than is asked for. */
export async function readMembers(
  source: string | ReadableStream<Uint8Array>,
  { room, isEnough }: { room: Room; isEnough?: (members: readonly Member[]) => boolean },
): Promise<Member[]> {
  const reader = new MemberReader(room);
  if (typeof source === "string") {
    reader.push(source);
    return reader.members;
  }
  const decoder = new TextDecoder();
  // Leaving the loop cancels the stream.
  for await (const bytes of source) {
    reader.push(decoder.decode(bytes, { stream: true }));
    if (isEnough?.(reader.members)) break;
  }
  return reader.members;
}
