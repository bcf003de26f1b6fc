/** The envelope of a list: a page of what matches, and whether there is more after it. */
export function toPage<Item>(data: Item[], { total, limit, offset }: { total: number; limit: number; offset: number }) {
  const has_more = offset + data.length < total;
  return { success: true as const, data, pagination: { total, limit, offset, has_more } };
}
