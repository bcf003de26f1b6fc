// A stand-in for GitHub's OAuth sign-in. The OAuth code and the access token are the same string: the user's JSON in
// base64url.
import { createServer } from "node:http";
import { type Loopback, listen } from "./loopback.ts";
import { sendJson } from "./responses.ts";

export interface GitHubUser {
  id: number;
  login: string;
  name: string | null;
  email: string;
  verified: boolean;
}

export function startGitHub(): Promise<Loopback> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const respond = (body: unknown, status = 200) => sendJson(response, body, { status });
    if (request.url === "/login/oauth/access_token") {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      if (form.get("client_secret") !== "a secret of GitHub") return respond({ error: "incorrect_client_credentials" });
      if (form.get("code") === "used") return respond({ error: "bad_verification_code" });
      return respond({ access_token: form.get("code"), scope: "read:user,user:email", token_type: "bearer" });
    }
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const { verified, email, ...user } = JSON.parse(Buffer.from(token, "base64url").toString()) as GitHubUser;
    if (request.url === "/user") return respond({ ...user, email: null, avatar_url: "https://avatars.example/1" });
    if (request.url === "/user/emails") return respond([{ email, verified, primary: true, visibility: null }]);
    respond({ message: "Not Found" }, 404);
  });
  return listen(server);
}
