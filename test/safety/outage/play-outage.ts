/** An import by a real process whose database goes away in the middle and comes back. */

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { type Sandbox, startSandbox } from "@catalog/sandbox";

import { type CatalogProcess, startCatalog } from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";

/** An import that is under way. */
export interface Importing {
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
export type OpenOutage = (folder: string) => Promise<Outage | undefined>;

export interface PlayedOutage {
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

export interface PlayOptions {
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
