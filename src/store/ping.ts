// Whether what is ours answers. Both throw when it doesn't.

export async function pingDatabase(db: D1Database): Promise<void> {
  await db.prepare("SELECT 1").first();
}

export async function pingStore(store: R2Bucket): Promise<void> {
  await store.head("health");
}
