interface AgentRequest {
  path: string;
  setHeader(name: string, value: string): void;
}

/** The part of an agent of `node:https` or `node:http` that sends a request. It isn't in the declarations of Node. */
interface RequestAgent {
  protocol: string;
  addRequest(request: AgentRequest, options: object): void;
}

/**
 * Returns an agent that sends every request to `target` instead of the request's host, and adds the path of
 * `target` before the path. SerpApi's clients have no option for an address, but they take an agent. `Base` is the class `Agent` of
 * `node:https`, or of `node:http` if `target` begins with http.
 */
export function redirectAgent<Agent extends object>(Base: new () => Agent, target: string): Agent {
  const { protocol, host, hostname, port, pathname } = new URL(target);
  const agent = new Base() as Agent & RequestAgent;
  const addRequest = agent.addRequest.bind(agent);
  const to = { hostname, port: Number(port) || (protocol === "https:" ? 443 : 80), servername: hostname };
  // The clients always request https.
  agent.protocol = "https:";
  agent.addRequest = (request, options) => {
    request.path = pathname.replace(/\/$/, "") + request.path;
    request.setHeader("host", host);
    addRequest(request, { ...options, ...to, host: hostname, path: undefined });
  };
  return agent;
}
