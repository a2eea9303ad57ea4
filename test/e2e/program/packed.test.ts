/** The program as a package: packed, installed where nothing else is, and started. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { openTestStore } from "../../helpers/markets/test-store.ts";
import { runCatalog } from "../../helpers/processes/catalog-process.ts";
import { ROOT, SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";
import { waitUntil } from "../../helpers/wait-until.ts";

const prefix = mkdtempSync(join(tmpdir(), "catalog-packed-"));
const bin = join(prefix, "bin");
const installed = join(prefix, "lib", "node_modules", "catalog-toolkit");

/** Folders of the Nodes on the path of the shell, without those of this project. */
const SHELL_PATHS = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => !folder.includes("node_modules") && existsSync(join(folder, "node")));

/** This Node, and that of the shell, which may be too old for the program itself. */
const NODES = [join(process.execPath, ".."), ...SHELL_PATHS.slice(0, 1)];

const runPacked = (node: string, words: readonly string[]): string =>
  execFileSync(join(bin, "catalog-toolkit"), words, {
    cwd: prefix,
    encoding: "utf8",
    env: { HOME: prefix, PATH: [node, "/usr/bin", "/bin"].join(delimiter), CATALOG_LANG: "en" },
  });

describe("the packed program", () => {
  beforeAll(() => {
    const pack = join(ROOT, "apps/cli/build/pack-program.ts");
    const archive = execFileSync(process.execPath, [pack], { encoding: "utf8" }).trim();
    const flags = ["--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"];
    execFileSync("npm", ["install", "--global", "--prefix", prefix, ...flags, archive], {
      stdio: "pipe",
    });
  });

  afterAll(() => rmSync(prefix, { recursive: true, force: true }));

  it("has no TypeScript, no sources of this workspace among its dependencies, and its licences", () => {
    const files = readdirSync(installed, { recursive: true, encoding: "utf8" });
    const own = files.filter((path) => !path.startsWith("node_modules"));
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));

    expect(own.filter((path) => path.endsWith(".ts"))).toEqual([]);
    expect(Object.keys(manifest.dependencies)).toEqual([
      "@napi-rs/keyring",
      "@node-rs/argon2",
      "sharp",
    ]);
    expect(JSON.stringify(manifest)).not.toContain("workspace:");
    expect(own).toContain("THIRD-PARTY-NOTICES.txt");
    expect(own).toContain(join("program", "page", "index.html"));
  });

  it.each(NODES)("runs the demo with the Node in %s", (node) => {
    const shown = runPacked(node, ["demo", "--report", join(prefix, "results")]);

    expect(shown).toContain("no product was added twice");
    // Hints name a command that starts from everywhere, whatever the Node of the shell is.
    expect(shown).toContain(join("catalog-toolkit", "bin", "catalog.js"));
  });
});

/* What the program says to type, pasted into a shell whose own Node is another one. */

/** A folder outside of the checkout, and a shell in it whose `node` cannot run the program. */
async function openShell() {
  const { folder } = await openTestStore();
  writeFileSync(join(folder, "node"), "#!/bin/sh\nexit 9\n");
  chmodSync(join(folder, "node"), 0o755);
  const env = { PATH: [folder, "/usr/bin", "/bin"].join(delimiter), CATALOG_LANG: "en" };
  const at = { cwd: folder, env };
  const paste = (script: string): string =>
    execFileSync("bash", ["--norc", "-c", script], { ...at, encoding: "utf8" });
  return { paste, run: (...words: readonly string[]) => runCatalog(words, at) };
}

describe("in a shell with another Node", () => {
  it("starts the program as its advice says", async () => {
    const { paste, run } = await openShell();

    const { err } = await run("sandbox", "--fault", "boom");
    const [command = ""] =
      /(?:\S+catalog(?:-toolkit)?|\S+ \S+\.js) sandbox --help/u.exec(err) ?? [];

    expect(paste(command)).toMatch(/^Usage: catalog sandbox\n/u);
  });

  it("completes words with the script that it prints", async () => {
    const { paste, run } = await openShell();

    const { out } = await run("completion", "bash");
    const printed = paste(`${out}
      COMP_WORDS=(catalog sand); COMP_CWORD=1; _catalog_complete; echo "\${COMPREPLY[@]}"`);

    expect(printed).toBe("sandbox\n");
  });
});

/* `npx catalog-toolkit` in a clone: the wrapper around the program, in a clone that has it installed. */

const CI = fileURLToPath(new URL("../../../.ci", import.meta.url));
/** What the wrapper imports of the program. */
const HAND_OVER = "apps/cli/bin/hand-over.js";
const PIN = "pnpm@0.0.0";
const PROGRAM = `exec "${process.execPath}" "${toAbsolutePath(SOURCE_PATHS.catalogProgram)}" "$@"`;

/** A clone whose `catalog` tells its process number before it does the given. */
function createClone(script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "catalog-clone-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), 0o755);
  };
  cpSync(CI, join(folder, ".ci"), { recursive: true });
  cpSync(join(dirname(CI), HAND_OVER), join(folder, HAND_OVER));
  write("package.json", JSON.stringify({ packageManager: PIN }));
  write(`.tools/${PIN}/node_modules/.bin/pnpm`, "#!/bin/sh\n");
  write("node_modules/.bin/node", "");
  write("node_modules/.bin/catalog", `#!/bin/sh\necho "pid $$" >&2\n${script}\n`);
  return folder;
}

interface Wrapper {
  readonly child: ChildProcess;
  /** Process number of the program. */
  readonly pid: number;
  readonly ended: Promise<readonly [code: number | null, signal: NodeJS.Signals | null]>;
}

/** Starts the wrapper, or a shell that starts it, and waits until the program has started. */
async function startWrapper(folder: string, script = 'exec "$@"', npm = {}): Promise<Wrapper> {
  const words = [process.execPath, join(folder, ".ci/catalog.mjs"), "sandbox", "--json"];
  const { npm_command: _, ...env } = process.env;
  const child = spawn("sh", ["-c", script, "sh", ...words], {
    cwd: folder,
    env: { ...env, ...npm, HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<Awaited<Wrapper["ended"]>>((resolve) => {
    child.once("close", (code, signal) => resolve([code, signal]));
  });
  let told = "";
  child.stderr.on("data", (text: Buffer) => (told += String(text)));
  const early = ended.then(() => Promise.reject(new Error(told)));
  await Promise.race([once(child.stdout, "data"), early]);
  early.catch(() => undefined);
  const pid = Number(/^pid (\d+)$/mu.exec(told)?.[1]);
  onTestFinished(() => {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  });
  return { child, pid, ended };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A clone where nothing is installed, with an `npm` and a `pnpm` that only seem to install. */
function createFreshClone(install: string): string {
  const folder = createClone("echo ready");
  rmSync(join(folder, ".tools"), { recursive: true });
  rmSync(join(folder, "node_modules/.bin/node"));
  const alone = `mkdir installing 2>/dev/null || { echo "two install at once" >&2; exit 7; }`;
  const pnpm = `#!/bin/sh\n${alone}\n${install}\n: > node_modules/.bin/node\nrmdir installing\n`;
  writeFileSync(join(folder, "pnpm"), pnpm, { mode: 0o755 });
  mkdirSync(join(folder, "programs"));
  const npm = `#!/bin/sh\n${alone}\nsleep 0.3\nmkdir -p "$3/node_modules/.bin"\ncp pnpm "$3/node_modules/.bin/pnpm"\nrmdir installing\n`;
  writeFileSync(join(folder, "programs/npm"), npm, { mode: 0o755 });
  return folder;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts `catalog` in a clone, as the leader of a process group. */
function startFirst(folder: string): { readonly pid: number; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [join(folder, ".ci/catalog.mjs"), "runs"], {
    cwd: folder,
    env: { ...process.env, HOME: folder, PATH: `${folder}/programs:${process.env["PATH"]}` },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (text: Buffer) => (out += String(text)));
  child.stderr.on("data", (text: Buffer) => (err += String(text)));
  const ended = new Promise<Ended>((resolve) => {
    child.once("close", (code) => resolve({ code, out, err }));
  });
  return { pid: child.pid ?? 0, ended };
}

describe("the first npx catalog-toolkit in a clone", () => {
  it("installs once where several start at the same time, and the others say that they wait", async () => {
    const clone = createFreshClone("sleep 1.5");

    const ends = await Promise.all([1, 2, 3].map(() => startFirst(clone).ended));

    expect(ends.map(({ code, out }) => [code, out])).toEqual([1, 2, 3].map(() => [0, "ready\n"]));
    const all = ends.map(({ err }) => err).join("");
    expect(all.match(/^Installing dependencies …$/gmu)).toHaveLength(1);
    expect(
      all.match(/^Another command \(process \d+\) is installing here; waiting/gmu),
    ).toHaveLength(2);
  });

  it("installs after a process that was killed while it installed", async () => {
    const clone = createFreshClone("[ -e killed ] || { : > killed; sleep 60; }");
    const first = startFirst(clone);
    await waitUntil(() => existsSync(join(clone, "killed")));
    const second = startFirst(clone);

    process.kill(-first.pid, "SIGKILL");
    rmSync(join(clone, "installing"), { recursive: true });

    const [killed, { code, out }] = await Promise.all([first.ended, second.ended]);
    expect([killed.code, code, out]).toEqual([null, 0, "ready\n"]);
  });
});

describe("npx catalog-toolkit", () => {
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "passes %s to the program, waits for it and ends with its code",
    async (signal) => {
      const { child, pid, ended } = await startWrapper(createClone(PROGRAM));

      child.kill(signal);

      expect(await ended).toEqual([0, null]);
      expect(isAlive(pid)).toBe(false);
    },
  );

  it("ends with the code of the program", async () => {
    const script = `trap 'kill $!; exit 5' TERM; sleep 60 >/dev/null 2>&1 & echo; wait`;
    const { child, ended } = await startWrapper(createClone(script));

    child.kill("SIGTERM");

    expect(await ended).toEqual([5, null]);
  });

  it("ends with the signal that has ended the program", async () => {
    const { pid, ended } = await startWrapper(createClone(PROGRAM));

    process.kill(pid, "SIGKILL");

    expect(await ended).toEqual([null, "SIGKILL"]);
  });

  it("ends the program when npx is ended, which ends only the shell between", async () => {
    const clone = createClone(PROGRAM);
    const { child, pid, ended } = await startWrapper(clone, '"$@"; exit', { npm_command: "exec" });

    child.kill("SIGTERM");

    // The streams are closed once the last process that has them is gone.
    expect(await ended).toEqual([null, "SIGTERM"]);
    expect(isAlive(pid)).toBe(false);
  });
});
