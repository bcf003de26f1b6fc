import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type Account, ApiError, type Body, type Route, type StoredWorker } from "./account.ts";

/** The routes of Workers. */
export function workerRoutes(account: Account): Route[] {
  const { workers } = account;
  const worker = (name = "") => {
    const found = workers.get(name);
    if (found === undefined) throw new ApiError(404, 10007, "This Worker does not exist on your account.");
    return found;
  };
  return [
    [
      "GET",
      /^\/workers\/services\/([^/]+)$/,
      ([name]) => {
        const script = {
          id: name,
          tag: "tag",
          tags: null,
          last_deployed_from: "wrangler",
          migration_tag: worker(name).migrationTag,
        };
        return { id: name, default_environment: { environment: "production", script } };
      },
    ],
    ["GET", /^\/workers\/scripts$/, () => [...workers].map(([id, one]) => ({ id, migration_tag: one.migrationTag }))],
    ["GET", /^\/workers\/scripts\/([^/]+)\/settings$/, ([name]) => ({ bindings: worker(name).metadata.bindings })],
    [
      "GET",
      /^\/workers\/scripts\/([^/]+)\/secrets$/,
      ([name]) => Object.keys(worker(name).secrets).map((secret) => ({ name: secret, type: "secret_text" })),
    ],
    [
      "PUT",
      /^\/workers\/scripts\/([^/]+)\/secrets$/,
      ([name], { body }) => {
        worker(name).secrets[body.name] = body.text;
        return { name: body.name, type: "secret_text" };
      },
    ],
    [
      "POST",
      /^\/workers\/scripts\/([^/]+)\/assets-upload-session$/,
      // Every file counts as uploaded.
      () => ({ jwt: "assets", buckets: [] }),
    ],
    [
      "PUT",
      /^\/workers\/scripts\/([^/]+)$/,
      async ([name = ""], { raw, headers }) => {
        const metadata = await readMetadata(raw, headers);
        const id = upload(name, metadata, account);
        const one = worker(name);
        one.metadata = metadataOf(one, id);
        one.deployments.push(id);
        return { id: name, tag: "tag", etag: "etag", deployment_id: id.replaceAll("-", ""), startup_time_ms: 40 };
      },
    ],
    [
      "POST",
      /^\/workers\/scripts\/([^/]+)\/versions$/,
      async ([name = ""], { raw, headers }) => {
        worker(name);
        const metadata = await readMetadata(raw, headers);
        const id = upload(name, metadata, account);
        return { id, startup_time_ms: 40, resources: { script: { etag: "etag" } } };
      },
    ],
    ["PATCH", /^\/workers\/scripts\/([^/]+)\/script-settings$/, ([name]) => ({ tags: [], name: worker(name) && name })],
    [
      "GET",
      /^\/workers\/scripts\/([^/]+)\/subdomain$/,
      ([name]) => ({ enabled: worker(name).subdomain, previews_enabled: false }),
    ],
    [
      "POST",
      /^\/workers\/scripts\/([^/]+)\/subdomain$/,
      ([name], { body }) => {
        worker(name).subdomain = body.enabled;
        return { enabled: body.enabled, previews_enabled: false };
      },
    ],
    [
      "PUT",
      /^\/workers\/scripts\/([^/]+)\/schedules$/,
      ([name], { raw }) => {
        worker(name).schedules = JSON.parse(raw.toString());
        return { schedules: worker(name).schedules };
      },
    ],
    [
      "GET",
      /^\/workers\/workers\/([^/]+)$/,
      ([name]) => ({
        id: "id",
        name,
        tags: [],
        subdomain: { enabled: worker(name).subdomain, previews_enabled: false },
      }),
    ],
    [
      "PATCH",
      /^\/workers\/workers\/([^/]+)$/,
      ([name], { body }) => {
        const { subdomain } = body;
        if (subdomain !== undefined) worker(name).subdomain = subdomain.enabled;
        return { id: "id", name, subdomain };
      },
    ],
    ["GET", /^\/workers\/subdomain$/, () => ({ subdomain: "mine" })],
    ["GET", /^\/workers\/scripts\/([^/]+)\/deployments$/, ([name]) => toDeployments(worker(name))],
    ["POST", /^\/workers\/scripts\/([^/]+)\/deployments$/, ([name], { body }) => deployVersion(worker(name), body)],
    ["GET", /^\/workers\/scripts\/([^/]+)\/versions$/, ([name]) => ({ items: worker(name).versions.map(toVersion) })],
    [
      "GET",
      /^\/workers\/scripts\/([^/]+)\/versions\/([^/]+)$/,
      ([name, id]) => toVersion(worker(name).versions.find((version) => version.id === id)),
    ],
  ];
}

async function readMetadata(raw: Buffer, headers: IncomingMessage["headers"]): Promise<StoredWorker["metadata"]> {
  const type = { "content-type": headers["content-type"] ?? "" };
  const form = await new Response(new Uint8Array(raw), { headers: type }).formData();
  return JSON.parse(String(form.get("metadata")));
}

/** Stores a version of a Worker and returns its id. Fails with Cloudflare's error if a bound resource doesn't exist. */
function upload(
  name: string,
  metadata: StoredWorker["metadata"],
  { workers, databases, queues, buckets }: Account,
): string {
  const before = workers.get(name);
  const bindings = metadata.bindings.map((binding) =>
    binding.type === "inherit"
      ? (before?.metadata.bindings.find((old) => old.name === (binding.old_name ?? binding.name)) ?? binding)
      : binding,
  );
  for (const binding of bindings) {
    const exists = {
      d1: () => databases.some(({ uuid }) => uuid === (binding.id ?? binding.database_id)),
      queue: () => queues.some(({ queue_name }) => queue_name === binding.queue_name),
      r2_bucket: () =>
        buckets.some((one) => one.name === binding.bucket_name && one.jurisdiction === (binding.jurisdiction ?? null)),
    }[binding.type];
    if (exists !== undefined && !exists())
      throw new ApiError(400, 10021, `The binding ${binding.name} of type ${binding.type} names no resource.`);
  }
  const secrets = bindings
    .filter(({ type }) => type === "secret_text")
    .map(({ name: key, text }) => [key, String(text)]);
  const id = randomUUID();
  const stored = { ...metadata, bindings: bindings.filter(({ type }) => type !== "secret_text") };
  workers.set(name, {
    ...{ schedules: [], subdomain: false, deployments: [], metadata: stored },
    ...before,
    migrationTag: metadata.migrations?.new_tag ?? before?.migrationTag,
    secrets: { ...before?.secrets, ...Object.fromEntries(secrets) },
    versions: [...(before?.versions ?? []), { id, metadata: stored }],
  });
  return id;
}

function metadataOf({ versions }: StoredWorker, id: string): StoredWorker["metadata"] {
  const version = versions.find((stored) => stored.id === id);
  if (version === undefined) throw new ApiError(404, 10068, "The version does not exist.");
  return version.metadata;
}

function toDeployments({ deployments }: StoredWorker) {
  const all = deployments.map((id) => ({
    id: `deployment-${id}`,
    source: "wrangler",
    strategy: "percentage",
    author_email: "me@example.com",
    created_on: "2026-11-01T00:00:00Z",
    versions: [{ version_id: id, percentage: 100 }],
    annotations: {},
  }));
  return { deployments: all.reverse() };
}

function toVersion(version: StoredWorker["versions"][number] | undefined) {
  if (version === undefined) throw new ApiError(404, 10068, "The version does not exist.");
  return {
    id: version.id,
    number: 1,
    metadata: { created_on: "2026-11-01T00:00:00Z", author_email: "me@example.com", source: "wrangler" },
    annotations: {},
    resources: { bindings: version.metadata.bindings, script: { handlers: ["fetch"] }, script_runtime: {} },
  };
}

/** Deploys a stored version, which is a new one or, for a rollback, an older one. */
function deployVersion(one: StoredWorker, body: Body) {
  const id = body.versions[0]?.version_id ?? "";
  one.metadata = metadataOf(one, id);
  one.deployments.push(id);
  one.codeUpdate = body.code_update_strategy;
  return { id: randomUUID() };
}
