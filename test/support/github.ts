// GitHub as far as signing in asks it, in Node: a code becomes a token, a token shows its user. The code says who comes.
import { createServer } from "node:http";
import { json } from "./answers.ts";
import { type Loopback, listen } from "./loopback.ts";

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
    const answer = (body: unknown, status = 200) => json(response, body, { status });
    if (request.url === "/login/oauth/access_token") {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      if (form.get("client_secret") !== "a secret of GitHub") return answer({ error: "incorrect_client_credentials" });
      if (form.get("code") === "used") return answer({ error: "bad_verification_code" });
      return answer({ access_token: form.get("code"), scope: "read:user,user:email", token_type: "bearer" });
    }
    const token = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const { verified, email, ...user } = JSON.parse(Buffer.from(token, "base64url").toString()) as GitHubUser;
    if (request.url === "/user") return answer({ ...user, email: null, avatar_url: "https://avatars.example/1" });
    if (request.url === "/user/emails") return answer([{ email, verified, primary: true, visibility: null }]);
    answer({ message: "Not Found" }, 404);
  });
  return listen(server);
}
