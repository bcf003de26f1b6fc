/** A program that connects to the MCP server. */
interface McpClient {
  id: string;
  name: string;
  /** The user's next step, as Markdown. */
  step: string;
  language: "json" | "console" | "text";
  /** Returns the command or the configuration, with the server's URL and an API key or its placeholder. */
  toText: (url: string, key: string) => string;
}

/** The configuration of a server that the client calls over HTTP. */
const toServer = (url: string, key: string) => ({ url, headers: { Authorization: `Bearer ${key}` } });
const toJson = (value: object) => JSON.stringify(value, null, 2);

/** The clients in the order in which the dashboard and docs/mcp.md show them. */
export const MCP_CLIENTS: readonly McpClient[] = [
  {
    id: "claude-code",
    name: "Claude Code",
    step: "Run this command in a terminal:",
    language: "console",
    toText: (url, key) => `claude mcp add --transport http web ${url} --header "Authorization: Bearer ${key}"`,
  },
  {
    id: "claude",
    name: "Claude",
    step: "On claude.ai or in the app, open Settings, Connectors, Add custom connector, and enter this URL. Claude opens a page of this service, on which you sign in and allow access.",
    language: "text",
    toText: (url) => url,
  },
  {
    id: "chatgpt",
    name: "ChatGPT",
    step: "Turn on the developer mode (Settings, Connectors, Advanced settings), and create a connector with this URL and the authentication OAuth. ChatGPT opens a page of this service, on which you sign in and allow access.",
    language: "text",
    toText: (url) => url,
  },
  {
    id: "cursor",
    name: "Cursor",
    step: "Add this to `~/.cursor/mcp.json`, or to `.cursor/mcp.json` of a project:",
    language: "json",
    toText: (url, key) => toJson({ mcpServers: { web: toServer(url, key) } }),
  },
  {
    id: "vs-code",
    name: "VS Code",
    step: "Add this to `.vscode/mcp.json` of a project, or to the file that the command “MCP: Open User Configuration” opens:",
    language: "json",
    toText: (url, key) => toJson({ servers: { web: { type: "http", ...toServer(url, key) } } }),
  },
  {
    id: "codex",
    name: "Codex CLI",
    step: "Run these commands in a terminal. Codex reads the key from the variable each time it starts.",
    language: "console",
    toText: (url, key) =>
      `export EXTRACTION_API_KEY=${key}\ncodex mcp add web --url ${url} --bearer-token-env-var EXTRACTION_API_KEY`,
  },
  {
    id: "json",
    name: "mcp.json",
    step: "Many other clients read a file such as `mcp.json` or `.mcp.json`:",
    language: "json",
    toText: (url, key) => toJson({ mcpServers: { web: { type: "http", ...toServer(url, key) } } }),
  },
];
