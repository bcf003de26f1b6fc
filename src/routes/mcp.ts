import { Hono } from "hono";
import { toErrorObject } from "../http/responses";
import { limitBody, originOf } from "../http/router";
import { checkScope } from "../keys/errors";
import { verifyKey } from "../keys/middleware";
import { log, toLogged } from "../lib/log";
import { callTool } from "../mcp/call";
import { type ToolResult, toFailure } from "../mcp/result";
import { TOOLS, type ToolName } from "../mcp/tools";
import type { AppEnv } from "../model/env";
import { AppError } from "../model/errors";

/**
 * The MCP server. The protocol's own requests, such as `tools/list`, are authenticated but not counted. A tool call
 * counts as a request of the corresponding operation.
 */
export const mcp = new Hono<AppEnv>();

mcp.post("/", limitBody, async (c) => {
  const { scopes } = await verifyKey(c, "nothing");
  const { handleMcpRequest } = await import("../mcp/server");

  async function call(name: ToolName, args: unknown): Promise<ToolResult> {
    try {
      const caller = await verifyKey(c, name === "get_job" ? "poll" : "request");
      checkScope(caller, TOOLS[name].scope);
      return await callTool(c.env, name, args, {
        caller,
        origin: originOf(c),
        disconnected: c.req.raw.signal,
        waitUntil: (promise) => c.executionCtx.waitUntil(promise),
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

  const response = await handleMcpRequest(c.req.raw, { scopes, call });
  return c.newResponse(response.body, response);
});
