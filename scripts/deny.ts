// `npm run deny -- …`: manages the hosts and networks that the service doesn't request, through the admin API.
import { ADMIN_OPTIONS, ADMIN_OPTIONS_USAGE, openAdmin } from "./admin/client.ts";
import { parseOptions } from "./options.ts";

const USAGE = `npm run deny -- list [--account ID]
npm run deny -- add <target> [--account ID] [--note TEXT]
npm run deny -- remove <target> [--account ID]

  <target>           example.com (only this host), *.example.com (with its subdomains), or 203.0.113.0/24
  --account ID       the deny list of one account (default: the deny list of all accounts)
  --note TEXT        the reason; the list and the audit log show it
${ADMIN_OPTIONS_USAGE}
  --help             prints this help`;

interface Entry {
  target: string;
  note: string;
  created_by: string;
  created_at: string;
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const text = { type: "string" } as const;
  const { values, positionals } = parseOptions(USAGE, {
    allowPositionals: true,
    options: { ...ADMIN_OPTIONS, account: text, note: text },
  });
  const [command, target] = positionals;
  const account = values.account === undefined ? {} : { account: values.account };
  const admin = openAdmin(values);
  if (command === "list") {
    return show(await admin.call<Entry[]>("GET", `/deny-list?${new URLSearchParams(account)}`));
  }
  if (target === undefined || (command !== "add" && command !== "remove")) throw new Error(USAGE);
  if (command === "remove") {
    await admin.call("POST", "/deny-list/remove", { ...account, target });
    return console.log(`${target} was removed. All instances of the service use the new list within 60 seconds.`);
  }
  const note = values.note === undefined ? {} : { note: values.note };
  const added = await admin.call<{ target: string }>("POST", "/deny-list", { ...account, target, ...note });
  console.log(`${added.target} was added. All instances of the service use the new list within 60 seconds.`);
}

function show(entries: Entry[]): void {
  if (entries.length === 0) console.log("The deny list is empty.");
  else console.table(entries.map(({ target, note, created_by: by, created_at: at }) => ({ target, note, by, at })));
}
