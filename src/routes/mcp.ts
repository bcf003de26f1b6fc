import { Hono } from "hono";
import { toErrorObject } from "../http/responses";
import { limitBody, originOf } from "../http/router";
import { insufficientScope } from "../keys/errors";
import { verifyKey } from "../keys/middleware";
import { lazyModule } from "../lib/lazy";
import { log, toLogged } from "../lib/log";
import { callTool } from "../mcp/call";
import { type ToolResult, toFailure } from "../mcp/result";
import { TOOLS, type ToolName } from "../mcp/tools";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";
import { readDenied } from "../net/denied";

const loadServer = lazyModule(() => import("../mcp/server"));

/**
 * The MCP server. A tool call counts as a request of the corresponding operation. The protocol's other messages, such as
 * `tools/list`, count in the window of polling.
 */
export const mcp = new Hono<AppEnv>();

mcp.post("/", limitBody, async (c) => {
  const { scopes } = await verifyKey(c, "nothing");
  const { handleMcpRequest } = await loadServer();

  async function call(name: ToolName, args: unknown): Promise<ToolResult> {
    try {
      const caller = await verifyKey(c, name === "get_job" || name === "get_batch" ? "poll" : "request");
      await readDenied(c.env, caller.account.id);
      const { scopes: required } = TOOLS[name];
      if (!required.some((scope) => caller.scopes.includes(scope))) throw insufficientScope(required);
      return await callTool(c.env, name, args, {
        caller,
        origin: originOf(c),
        disconnected: c.req.raw.signal,
        waitUntil: (promise) => c.executionCtx.waitUntil(promise),
        requestId: c.get("requestId"),
        onJob: (id) => c.set("jobId", id),
      });
    } catch (error) {
      c.set("errorCode", error instanceof AppError ? error.code : "internal_error");
      if (error instanceof AppError) {
        if (error.jobId !== undefined) c.set("jobId", error.jobId);
        return toFailure(error, toErrorObject(c, error));
      }
      log("error", "tool_failed", { tool: name, ...toLogged(error) });
      const failure = new AppError("internal_error", "Internal error.", { cause: error });
      return toFailure(failure, toErrorObject(c, failure));
    }
  }

  const countMessage = async () => void (await verifyKey(c, "poll"));
  const response = await handleMcpRequest(c.req.raw, { scopes, call, countMessage });
  return c.newResponse(response.body, response);
});
