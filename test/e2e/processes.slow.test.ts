// Tests the cleanup of temporary folders, the lock of the state folder, and the choice of the port.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../scripts/free-port.ts";
import { findService, lockFolder, removeAbandonedFolders, unlockFolder } from "../../scripts/processes.ts";

const children: ChildProcess[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "extraction-processes-"));
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  rmSync(folder, { recursive: true });
});

/** Starts a process with these arguments that runs until the test ends. Returns its id. */
async function runProcess(...words: string[]): Promise<number> {
  const child = spawn(process.execPath, ["-e", "console.log('runs'); setInterval(() => {}, 1000)", ...words]);
  children.push(child);
  await once(child.stdout, "data");
  return child.pid ?? 0;
}

/** Returns the id of a process that has ended. */
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  return child.pid ?? 0;
}

describe("removing the folders of killed services", () => {
  it("removes only the folders of processes that have ended", async () => {
    const dead = `extraction-${await endedProcess()}-x`;
    const kept = ["extraction-noid-x", `extraction-${process.pid}-x`, `other-${await endedProcess()}-x`];
    for (const name of [dead, ...kept]) mkdirSync(join(folder, name, "profile"), { recursive: true });
    await removeAbandonedFolders(folder, "extraction");
    expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  });

  it("continues when a folder can't be removed", async () => {
    const pid = await endedProcess();
    for (const name of ["a", "b", "c"]) mkdirSync(join(folder, `extraction-${pid}-${name}`));
    await removeAbandonedFolders(folder, "extraction", async (path) => {
      if (path.endsWith("b")) throw Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" });
      rmSync(path, { recursive: true });
    });
    expect(readdirSync(folder)).toEqual([`extraction-${pid}-b`]);
  });

  it.skipIf(process.getuid?.() !== 0)("keeps the folders of other users (needs root)", async () => {
    const name = `extraction-${await endedProcess()}-x`;
    mkdirSync(join(folder, name));
    chownSync(join(folder, name), 12_345, 12_345);
    await removeAbandonedFolders(folder, "extraction");
    expect(readdirSync(folder)).toEqual([name]);
  });
});

describe("the lock of the state folder", () => {
  const lock = () => join(folder, "service.pid");

  it("belongs to this process until it is released", () => {
    expect(lockFolder(folder)).toBeNull();
    expect(readFileSync(lock(), "utf8")).toBe(String(process.pid));
    unlockFolder(folder);
    expect(existsSync(lock())).toBe(false);
    expect(findService(folder)).toBeNull();
  });

  it("returns the process id of the service that holds it", async () => {
    const pid = await runProcess("/project/scripts/start.ts");
    writeFileSync(lock(), String(pid));
    expect(lockFolder(folder)).toBe(pid);
    expect(findService(folder)).toBe(pid);
    unlockFolder(folder);
    expect(readFileSync(lock(), "utf8")).toBe(String(pid));
  });

  it.each([
    ["has ended", async () => String(await endedProcess())],
    ["had this process's id", async () => String(process.pid)],
    ["wrote no id", async () => ""],
  ])("is taken over from a service that %s", async (_, content) => {
    writeFileSync(lock(), await content());
    expect(lockFolder(folder)).toBeNull();
    expect(readFileSync(lock(), "utf8")).toBe(String(process.pid));
  });

  it.skipIf(process.platform !== "linux").each([
    ["is another program", "other.ts"],
    ["is the shell of npm start", "node scripts/start.ts"],
  ])("is taken over if the process with that id %s (needs Linux)", async (_, word) => {
    writeFileSync(lock(), String(await runProcess(word)));
    expect(lockFolder(folder)).toBeNull();
  });

  it("makes a second service with the same folder exit before it starts anything", async () => {
    const pid = await runProcess("scripts/start.ts");
    writeFileSync(lock(), String(pid));
    const start = spawn("node", ["scripts/start.ts", "--port", "0", "--persist-to", folder]);
    let output = "";
    for (const stream of [start.stdout, start.stderr]) stream.on("data", (data) => (output += data));
    const [code] = await once(start, "close");
    const problem = `Another service (process ${pid}) uses the state in ${folder}.`;
    const lines = output.trimEnd().split("\n");
    expect([code, lines.slice(1)]).toEqual([1, [`${problem} Stop it, or choose another folder with --persist-to.`]]);
    expect(lines[0]).toMatch(/^Starting /);
    expect(readdirSync(folder)).toEqual(["service.pid"]);
  });
});

describe("a free port", () => {
  it("is free at the requested address", async () => {
    const server = createServer();
    server.listen(0, "127.0.0.2");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(await freePort(port, "127.0.0.2")).not.toBe(port);
    expect(await freePort(port)).toBe(port);
    server.close();
  });

  it("can't be found at an address of another machine", async () => {
    await expect(freePort(8787, "192.0.2.1")).rejects.toThrow("The service can't listen on 192.0.2.1");
  });
});
