import { beforeAll, describe, expect, it } from "vitest";
import { ROLES, type Role } from "../../src/model/role";
import { createClient, refOf } from "../support/client";
import { completeJob } from "../support/complete-job";
import { accountIdOf, addMember, type SignedUp, signUp, type Visitor } from "../support/visitor";

const WEBHOOK = "https://receiver.example/hook";
/** These pages aren't HTML, or change the shown data. */
const NOT_PAGES =
  /^\/dashboard\/(?:account\/export|.*\.(?:js|css|svg)$|jobs\/[^/]+\/(?:result|screenshot|download)|batches\/[^/]+\/pages\.)/;

interface Found {
  /** The pages, by path. */
  pages: Map<string, string>;
  /** The actions of the forms that can be sent. */
  actions: Set<string>;
}

/**
 * Opens all pages that the user can reach by following links, and returns their forms. Throws if a link leads to an
 * error.
 */
async function crawl(visitor: Visitor): Promise<Found> {
  const pages = new Map<string, string>();
  const queue = ["/dashboard"];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const [page = ""] = path.split("#");
    const kind = page.split("?")[0] ?? "";
    if (pages.has(kind) || NOT_PAGES.test(kind)) continue;
    const response = await visitor.get(page);
    expect([page, response.status]).toEqual([page, 200]);
    const html = await response.text();
    pages.set(kind, html);
    queue.push(...[...html.matchAll(/<a [^>]*href="(\/dashboard[^"]*)"/g)].map(([, href = ""]) => toText(href)));
  }
  return { pages, actions: new Set([...pages.values()].flatMap(toActions)) };
}

function toText(text: string): string {
  return text.replaceAll("&amp;", "&");
}

/** Returns the actions of all POST forms with an enabled button. */
function toActions(html: string): string[] {
  const forms = [...html.matchAll(/<form ([^>]*)>([\s\S]*?)<\/form>/g)];
  return forms.flatMap(([, head = "", body = ""]) => {
    if (!head.includes('method="post"')) return [];
    const buttons = [...body.matchAll(/<button ([^>]*)>/g)].map(([, button = ""]) => button);
    const isEnabled = buttons.some((button) => !button.includes('type="button"') && !button.includes("disabled"));
    const action = /action="([^"?]*)/.exec(head)?.[1] ?? "";
    const others = buttons
      .map((button) => /formaction="([^"?]*)/.exec(button)?.[1])
      .filter((each) => each !== undefined);
    return isEnabled ? [action, ...others] : [];
  });
}

describe("all pages", () => {
  const users = {} as Record<Role, SignedUp>;
  const found = {} as Record<Role, Found>;

  beforeAll(async () => {
    const owner = await signUp();
    const accountId = await accountIdOf(owner);
    await createClient({ accountId });
    await createClient({ accountId, mode: "test" });
    const endpoints = "/dashboard/webhooks/endpoints";
    await owner.visitor.post(`${endpoints}/default`, { url: WEBHOOK, events: ["job.failed"] });
    await owner.visitor.post(`${endpoints}/new`, { url: `${WEBHOOK}/2`, events: ["job.failed"] });
    await owner.visitor.post(`${endpoints}/default/test`);
    await completeJob(await refOf(accountId), "ok");
    for (const role of ROLES) {
      users[role] = await addMember(accountId, role);
      found[role] = await crawl(users[role].visitor);
    }
  }, 60_000);

  it("are tried", () => {
    const paths = [...found.read_only.pages.keys()].map((path) => path.replace(/[0-9a-f-]{36}/, ":id"));
    expect(paths).toEqual(
      expect.arrayContaining([
        "/dashboard/keys",
        "/dashboard/webhooks",
        "/dashboard/webhooks/endpoints/:id",
        "/dashboard/webhooks/deliveries/:id",
        "/dashboard/jobs/:id",
        "/dashboard/playground",
        "/dashboard/plan",
        "/dashboard/usage",
        "/dashboard/account",
        "/dashboard/settings",
      ]),
    );
  });

  it("have no form that the service refuses for a read-only user", async () => {
    const { visitor } = users.read_only;
    const ending = ["/dashboard/account/leave", "/dashboard/sign-out", "/dashboard/settings/sessions/sign-out-all"];
    const actions = [...found.read_only.actions];
    expect(actions).toEqual(expect.arrayContaining(ending));
    for (const action of actions.filter((each) => !ending.includes(each)))
      expect([action, (await visitor.post(action)).status === 403]).toEqual([action, false]);
    const changes = actions.filter((action) => !/^\/dashboard\/(?:mode|sign-out|settings\/|account\/)/.test(action));
    expect(changes).toEqual([]);
  });

  it("show members the forms for keys and webhooks, and only owners those for the account", () => {
    const kindsOf = (role: Role) => {
      const kinds = [...found[role].actions].map((action) => action.split("/")[2] ?? "");
      const isOwner = [...found[role].actions].some((action) => action === "/dashboard/account/name");
      return { keys: kinds.includes("keys"), webhooks: kinds.includes("webhooks"), isOwner };
    };
    expect(kindsOf("read_only")).toEqual({ keys: false, webhooks: false, isOwner: false });
    expect(kindsOf("member")).toEqual({ keys: true, webhooks: true, isOwner: false });
    expect(kindsOf("owner")).toEqual({ keys: true, webhooks: true, isOwner: true });
  });

  it.each(["/keys/new", "/webhooks/endpoints/new", "/account/delete"])(
    "refuse to show a read-only user the form of %s",
    async (path) => {
      expect((await users.read_only.visitor.get(`/dashboard${path}`)).status).toBe(403);
    },
  );

  it("still show a read-only user what the forms would show", () => {
    const endpoint = [...found.read_only.pages].find(([path]) => path.startsWith("/dashboard/webhooks/endpoints/"));
    expect(endpoint?.[1]).toContain("job.failed");
    expect(found.read_only.pages.get("/dashboard/webhooks")).toContain(WEBHOOK);
  });
});

describe("a form of a page that showed another account", () => {
  async function openFirst(): Promise<{ user: SignedUp; own: string; shown: string }> {
    const other = await accountIdOf(await signUp());
    const user = await addMember(other, "owner");
    const html = await user.visitor.read("/dashboard/account");
    const shown = /name="shown_account" value="([^"]+)"/.exec(html)?.[1] ?? "";
    expect(shown).toBe(other);
    return { user, own: await ownAccountOf(user), shown };
  }

  async function ownAccountOf({ visitor }: SignedUp): Promise<string> {
    const html = await visitor.read("/dashboard/account");
    return /<option value="([^"]+)">/.exec(html)?.[1] ?? "";
  }

  it.each(["/account/leave", "/account/invitations", "/account/name", "/keys/new", "/webhooks/endpoints/new"])(
    "changes nothing after a switch in another tab: %s",
    async (action) => {
      const { user, own, shown } = await openFirst();
      await user.visitor.post("/dashboard/account/switch", { account: own });
      const fields = { shown_account: shown, name: "Renamed", role: "owner", url: WEBHOOK };
      const response = await user.visitor.post(`/dashboard${action}`, fields);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("Nothing was changed");
      expect(await user.visitor.read("/dashboard/account")).not.toContain("Renamed");
      await user.visitor.post("/dashboard/account/switch", { account: shown });
      expect(await user.visitor.read("/dashboard/account")).toContain(user.email);
    },
  );

  it("is accepted if the account is still selected", async () => {
    const { user, shown } = await openFirst();
    const renamed = await user.visitor.post("/dashboard/account/name", { shown_account: shown, name: "Renamed" });
    expect(renamed.status).toBe(303);
  });
});
