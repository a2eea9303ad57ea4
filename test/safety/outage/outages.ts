/** What happens to the database of an import: each takes it away and gives it back. */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";

import {
  createTestDatabase,
  findServerParent,
  openTcpProxy,
  type PostgresServer,
  startPostgres,
  type TcpProxy,
} from "@catalog/database/testing";
import { type Sandbox, startSandbox } from "@catalog/sandbox";
import { Client } from "pg";

import { type CatalogProcess, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import { fill, type Mounted, mountSmall } from "../disk/mount.ts";

type OutageName =
  | "a replica takes over"
  | "a replica takes over without the newest commits"
  | "no connection is left"
  | "sessions are ended again and again"
  | "the disk of the server is full"
  | "the server ends as its log has no room"
  | "the disk of the home is full"
  | "another program holds the file";

/** Outages by their names, for the tests and the soak tests. */
export const OUTAGES: Readonly<Record<OutageName, OpenOutage>> = {
  "a replica takes over": openFailover,
  "a replica takes over without the newest commits": openLossyFailover,
  "no connection is left": openCrowd,
  "sessions are ended again and again": openEndings,
  "the disk of the server is full": openFullServer,
  "the server ends as its log has no room": openFullLog,
  "the disk of the home is full": openFullHome,
  "another program holds the file": openLockedHome,
};

interface Pair extends AsyncDisposable {
  readonly primary: PostgresServer;
  readonly replica: PostgresServer;
  /** An address that leads to the primary until it is pointed to the replica. */
  readonly proxy: TcpProxy;
}

async function openPair(): Promise<Pair> {
  await using opening = new AsyncDisposableStack();
  const primary = opening.use(await startPostgres());
  const { url } = await createTestDatabase({ server: primary.url });
  const replica = opening.use(await startPostgres({ follows: primary }));
  const proxy = opening.use(await openTcpProxy(url));
  const opened = opening.move();
  return { primary, replica, proxy, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

async function takeOver({ replica, proxy }: Pair): Promise<void> {
  await administer(replica, (client) => client.query("SELECT pg_promote()"));
  proxy.pointTo(replica.url);
}

/** Every commit is confirmed by the replica, so that it has all that the import has written. */
async function openFailover(): ReturnType<OpenOutage> {
  const pair = await openPair();
  const { primary, proxy } = pair;
  await administer(primary, async (client) => {
    await client.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await client.query("SELECT pg_reload_conf()");
  });
  return {
    ...pair,
    env: { CATALOG_DATABASE_URL: proxy.url },
    async happen({ untilAway }) {
      await primary.stop();
      await untilAway();
      await takeOver(pair);
    },
  };
}

const LOST_ADDS = 8;

/** Rows were sent while the replica was away. */
async function openLossyFailover(): ReturnType<OpenOutage> {
  const pair = await openPair();
  const { primary, replica, proxy } = pair;
  return {
    ...pair,
    env: { CATALOG_DATABASE_URL: proxy.url },
    async happen({ untilAdds, untilAway }) {
      await replica.stop();
      await untilAdds(LOST_ADDS);
      await primary.stop();
      await replica.start();
      await untilAway();
      await takeOver(pair);
    },
  };
}

/** Few connections, all of which other programs can take. */
const FEW = ["fsync=off", "max_connections=10", "superuser_reserved_connections=0"];

async function openCrowd(): ReturnType<OpenOutage> {
  const server = await startPostgres({ options: FEW.flatMap((setting) => ["-c", setting]) });
  const { url } = await createTestDatabase({ server: server.url });
  return {
    env: { CATALOG_DATABASE_URL: url },
    async happen(importing) {
      const crowd: Client[] = [];
      await takeConnections(server, crowd);
      // The import may be quicker than the crowd to take a connection again.
      while (!importing.isAway() && !importing.isOver()) {
        await crowd[0]?.query(endSessions(url));
        await takeConnections(server, crowd);
      }
      await Promise.all(crowd.map((client) => client.end()));
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Connects until the server refuses. */
async function takeConnections({ url }: PostgresServer, crowd: Client[]): Promise<void> {
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
    } catch {
      return;
    }
    crowd.push(client);
  }
}

const endSessions = (url: string): string =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = '${new URL(url).pathname.slice(1)}'`;

/** An administrator or a pooler ends every session after each add, until the import is over. */
async function openEndings(): ReturnType<OpenOutage> {
  const server = await startPostgres();
  const { url } = await createTestDatabase({ server: server.url });
  return {
    env: { CATALOG_DATABASE_URL: url },
    happen: ({ untilAdds }) =>
      administer(server, async (client) => {
        while (await untilAdds(1)) await client.query(endSessions(url));
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

const SERVER_MB = 256;

interface SmallServer extends AsyncDisposable {
  readonly disk: Mounted;
  readonly server: PostgresServer;
  readonly url: string;
}

async function openSmallServer(): Promise<SmallServer | undefined> {
  await using opening = new AsyncDisposableStack();
  const folder = mkdtempSync(join(findServerParent(), "catalog-small-"));
  opening.defer(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o711);
  const disk = mountSmall(join(folder, "server"), SERVER_MB);
  if (disk === undefined) return undefined;
  opening.use(disk);
  const server = opening.use(await startPostgres({ parent: disk.folder }));
  const { url } = await createTestDatabase({ server: server.url });
  const opened = opening.move();
  return { disk, server, url, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Its log has room that is reserved, so that tables meet the full disk first. */
async function openFullServer(): ReturnType<OpenOutage> {
  const small = await openSmallServer();
  if (small === undefined) return undefined;
  return {
    ...small,
    env: { CATALOG_DATABASE_URL: small.url },
    happen: (importing) => fillUntilAway(small.disk, importing),
  };
}

async function fillUntilAway(disk: Mounted, { untilAway }: Importing): Promise<void> {
  const filler = fill(disk);
  await untilAway();
  rmSync(filler);
}

/** Where the log has no room the server ends, and an operator starts it again. */
async function openFullLog(): ReturnType<OpenOutage> {
  const small = await openSmallServer();
  if (small === undefined) return undefined;
  const { disk, server } = small;
  return {
    ...small,
    env: { CATALOG_DATABASE_URL: small.url },
    async happen({ untilAway }) {
      const filler = fill(disk);
      // The answer is the end of the server.
      await Promise.allSettled([administer(server, (client) => client.query(NEXT_LOG_FILE))]);
      await untilAway();
      rmSync(filler);
      await server.stop();
      await server.start();
    },
  };
}

const NEXT_LOG_FILE = "SELECT pg_switch_wal(); CREATE TABLE filled (n int)";

async function administer(
  { url }: PostgresServer,
  work: (client: Client) => Promise<unknown>,
): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

/** Room for the database, and for what a home needs free before anything is sent. */
const HOME_MB = 128;

async function openFullHome(folder: string): ReturnType<OpenOutage> {
  const disk = mountSmall(join(folder, "home"), HOME_MB);
  if (disk === undefined) return undefined;
  return {
    env: {},
    happen: (importing) => fillUntilAway(disk, importing),
    [Symbol.asyncDispose]: async () => disk[Symbol.dispose](),
  };
}

async function openLockedHome(folder: string): ReturnType<OpenOutage> {
  return {
    env: {},
    async happen({ untilAway }) {
      using other = new DatabaseSync(join(folder, "home", "catalog.db"), { timeout: LOCK_WAIT_MS });
      other.exec("BEGIN IMMEDIATE");
      await untilAway();
      other.exec("COMMIT");
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

const LOCK_WAIT_MS = 10_000;

/* An import by a real process whose database goes away in the middle and comes back. */

/** An import that is under way. */
interface Importing {
  /** Waits until so many more products were added; resolves with whether the import still runs. */
  readonly untilAdds: (count: number) => Promise<boolean>;
  /** Waits until the import says that the database is away; resolves with whether it still runs. */
  readonly untilAway: () => Promise<boolean>;
  readonly isAway: () => boolean;
  readonly isOver: () => boolean;
}

/** A database, and what happens to it. */
interface Outage extends AsyncDisposable {
  /** Settings of the import. */
  readonly env: Readonly<Record<string, string>>;
  /** Takes the database away and gives it back. */
  readonly happen: (importing: Importing) => Promise<void>;
}

/** Makes a database in an empty folder; `undefined` where this machine does not allow it. */
type OpenOutage = (folder: string) => Promise<Outage | undefined>;

interface PlayedOutage {
  readonly code: number | null;
  /** Counts of the rows by their classes. */
  readonly counts: Readonly<Record<string, number>>;
  readonly products: number;
  readonly doubles: number;
  /** Whether the import said that the database was away, and that it was back. */
  readonly said: readonly string[];
  /** Why it has ended early; `undefined` where it has not. */
  readonly error: unknown;
}

const LOOK_MS = 5;
const LATENCY_MS = 30;

/** What an import says of a database that is away, and of one that is back. */
export const AWAY = "The database cannot be used right now";
export const BACK = "The database is back";

interface PlayOptions {
  /** Whether a worker with a home of its own sends what the import has left to it. @default false */
  readonly isQueued?: boolean;
}

/** Plays an import of so many products; `undefined` where this machine does not allow the outage. */
export async function playOutage(
  open: OpenOutage,
  rows: number,
  { isQueued = false }: PlayOptions = {},
): Promise<PlayedOutage | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "catalog-outage-"));
  // A server in it runs as another user.
  chmodSync(folder, 0o711);
  const sandbox = await startSandbox({ latencyMs: LATENCY_MS });
  try {
    await using outage = await open(folder);
    if (outage === undefined) return undefined;
    const file = writeCsv(folder, "urunler.csv", goodRows(rows));
    const start = (home: string, ...words: readonly string[]): CatalogProcess => {
      const own = { ...toEnv(sandbox, join(folder, home)), ...outage.env };
      return startCatalog([...words, "--json", "--lang=en"], { env: own, cwd: folder });
    };
    const worker = isQueued ? start("there", "worker") : undefined;
    const started = start("home", "import", file, "--yes", ...(isQueued ? ["--queue"] : []));
    try {
      const importing = watch(started, sandbox);
      if (await importing.untilAdds(Math.floor(rows / 4))) await outage.happen(importing);
      return await readPlayed(started, sandbox);
    } finally {
      started.child.kill("SIGKILL");
      worker?.child.kill("SIGTERM");
      await worker?.finished;
    }
  } finally {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const toEnv = (sandbox: Sandbox, home: string): Readonly<Record<string, string>> => ({
  CATALOG_BASE_URL: sandbox.baseUrl,
  CATALOG_CLIENT_KEY: sandbox.clientKey,
  CATALOG_CLIENT_SECRET: sandbox.clientSecret,
  CATALOG_STORE_ID: sandbox.storeId,
  CATALOG_HOME: home,
});

function watch({ child, finished }: CatalogProcess, sandbox: Sandbox): Importing {
  let said = "";
  child.stderr?.on("data", (chunk) => (said += String(chunk)));
  const run = { isOver: false };
  const end = (): void => void (run.isOver = true);
  finished.then(end, end);
  const isAway = (): boolean => said.includes(AWAY);
  const until = async (isThere: () => boolean): Promise<boolean> => {
    while (!run.isOver && !isThere()) await wait(LOOK_MS);
    return !run.isOver;
  };
  return {
    untilAdds: async (count) => {
      const wanted = sandbox.stats().adds + count;
      return await until(() => sandbox.stats().adds >= wanted);
    },
    untilAway: () => until(isAway),
    isAway,
    isOver: () => run.isOver,
  };
}

async function readPlayed({ finished }: CatalogProcess, sandbox: Sandbox): Promise<PlayedOutage> {
  const { code, out, err } = await finished;
  const { counts, error }: Pick<PlayedOutage, "counts" | "error"> = JSON.parse(out);
  const codes = sandbox.products().map(({ product_code }) => product_code);
  return {
    code,
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    products: codes.length,
    doubles: codes.length - new Set(codes).size,
    said: [AWAY, BACK].filter((text) => err.includes(text)),
    error,
  };
}
