import { type Context, Hono } from "hono";
import { toErrorObject } from "../http/responses";
import { limitBody, originOf } from "../http/router";
import { insufficientScope } from "../keys/errors";
import type { CountedAs } from "../keys/key-verifier";
import { countPages, verifyKey } from "../keys/middleware";
import { lazyModule } from "../lib/lazy";
import { addToLogs, log, toLogged } from "../lib/log";
import { callTool } from "../mcp/call";
import { type ToolResult, toFailure } from "../mcp/result";
import { describeParameters, TOOLS, type ToolName } from "../mcp/tools";
import type { ApiKey } from "../model/api-key";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { findConnection } from "../oauth/server";
import { toChallenge } from "./oauth";

/** Matches an access token of OAuth. API keys have another form. */
const ACCESS_TOKEN = /^bearer +([^\s:]+:[^\s:]+:[^\s:]+)$/i;

const loadServer = lazyModule(() => import("../mcp/server"));

/** The MCP server. A tool call counts as its operation's request, and other messages as polling. */
export const mcp = new Hono<AppEnv>();

// A request without a valid key or token learns where it gets one.
mcp.use(async (c, next) => {
  await next();
  if (c.res.status === 401)
    c.res.headers.set("WWW-Authenticate", toChallenge(originOf(c), c.req.header("authorization") !== undefined));
});

mcp.post("/", limitBody, async (c) => {
  const scopes = await useConnection(c);
  const { handleMcpRequest } = await loadServer();
  let verification: Promise<ApiKey> | undefined;
  let isLimited = false;

  /** Verifies the key and counts the request. Later calls return the same result. */
  function verifyOnce(countedAs: CountedAs): Promise<ApiKey> {
    verification ??= verifyKey(c, countedAs).then((key) => ({
      ...key,
      scopes: key.scopes.filter((scope) => scopes === null || scopes.includes(scope)),
    }));
    return verification;
  }

  async function call(name: ToolName, args: unknown): Promise<ToolResult> {
    addToLogs({ tool: name });
    try {
      const caller = await verifyOnce(name === "read" ? "poll" : "request");
      const { scopes: required } = TOOLS[name];
      if (!required.some((scope) => caller.scopes.includes(scope))) throw insufficientScope(required);
      return await callTool(c.env, name, args, {
        caller,
        origin: originOf(c),
        disconnected: c.req.raw.signal,
        waitUntil: (promise) => c.executionCtx.waitUntil(promise),
        requestId: c.get("requestId"),
        onJob: (id) => c.set("jobId", id),
        rate: c.get("rate"),
        countPages: (pages) => countPages(c, pages),
      });
    } catch (error) {
      c.set("errorCode", error instanceof AppError ? error.code : "internal_error");
      if (error instanceof AppError) {
        if (error.jobId !== undefined) c.set("jobId", error.jobId);
        isLimited = error.code === "rate_limited";
        return toFailure(error, toErrorObject(c, error, describeParameters(name)));
      }
      log("error", "tool_failed", toLogged(error));
      const failure = new AppError("internal_error", "Internal error.", { cause: error });
      return toFailure(failure, toErrorObject(c, failure));
    }
  }

  const readScopes = async () => (await verifyOnce("poll")).scopes;
  const response = await handleMcpRequest(c.req.raw, { readScopes, call });
  // Most messages call no tool. They are counted here, and so are the calls that the transport refuses, for example
  // because of wrong headers. The result of a tool is discarded if the key can't be used. A call above the rate limit
  // keeps its result, which tells the model when it can try again.
  if (!isLimited) await verifyOnce("poll");
  return c.newResponse(response.body, response);
});

/**
 * Replaces an access token by the API key of its connection. Returns the scopes of the token, or null for another caller.
 * An invalid token stays, and is refused as a key.
 */
async function useConnection(c: Context<AppEnv>): Promise<string[] | null> {
  const [, token] = ACCESS_TOKEN.exec(c.req.header("authorization")?.trim() ?? "") ?? [];
  const found = token === undefined ? null : await findConnection(c.env, originOf(c), token);
  if (found === null) return null;
  const request = new Request(c.req.raw);
  request.headers.set("Authorization", `Bearer ${found.secret}`);
  c.req.raw = request;
  return found.scopes;
}
