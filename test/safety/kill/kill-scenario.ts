/** A sandbox, a sheet and a home for one import that is killed repeatedly. */

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { type Fault, type Sandbox, type SandboxOptions, startSandbox } from "@catalog/sandbox";

import { callCatalog } from "../../helpers/call-catalog.ts";
import {
  type CatalogProcess,
  type Finished,
  startCatalog,
} from "../../helpers/processes/catalog-process.ts";
import { goodRows, writeCsv } from "../../helpers/product-sheet.ts";
import type { Orders } from "./child-orders.ts";
import { openObedientProgram, type StartObedient } from "./obedient-program.ts";

/** The program on one machine. */
export interface KillHome {
  readonly file: string;
  /** Flags of the import of the file. */
  readonly flags: readonly string[];
  /** Folder of the program's database. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Without instructions the program runs unchanged, with its full waits. */
  start(orders: Orders | undefined, ...args: readonly string[]): CatalogProcess;
  /** Runs the unchanged program in this process, where it is not to die. */
  run(...args: readonly string[]): Promise<Finished>;
  /** The newest run of the store, with all rows. */
  read(): StoredRun | undefined;
  /** The causes of the newest run's events, each once. */
  readCauses(): readonly string[];
  /** Copies the present home. */
  copyHome(): void;
  /** Replaces the home by the copy; returns whether there is one. */
  restoreHome(): boolean;
}

export interface KillScenario extends KillHome, AsyncDisposable {
  readonly folder: string;
  readonly sandbox: Sandbox;
  /** Another machine with its own home, the same file and the same store. */
  readonly second: KillHome;
  /** Ends all faults of the marketplace. */
  calm(): Promise<void>;
}

export interface StoredRun {
  readonly runId: string;
  readonly rows: readonly StoredRow[];
}

interface StoredRow {
  readonly row: number;
  readonly code: string;
  readonly state: string;
  readonly product: string | null;
}

interface KillScenarioOptions {
  readonly rows: number;
  readonly faults: readonly Fault[];
  readonly personality?: SandboxOptions["personality"];
  readonly seed?: string;
  /** Writes the file into the folder. @default a sheet of `rows` products */
  readonly write?: ((folder: string) => Promise<KillFile> | KillFile) | undefined;
}

/** The file of an import, and the flags that it needs. */
export interface KillFile {
  readonly path: string;
  readonly flags: readonly string[];
}

export async function openKillScenario(options: KillScenarioOptions): Promise<KillScenario> {
  const { seed = "kill", faults, personality = {}, rows } = options;
  const { write = (folder) => writeProducts(folder, rows) } = options;
  let sandbox = await startSandbox({ seed, faults, personality });
  const folder = mkdtempSync(join(tmpdir(), "catalog-kill-"));
  const parts = { sandbox, file: await write(folder), startObedient: await openObedientProgram() };
  return {
    ...openHome(folder, parts),
    folder,
    second: openHome(join(folder, "second"), parts),
    get sandbox() {
      return sandbox;
    },
    async calm() {
      const kept = join(folder, "sandbox.json");
      await sandbox.snapshot(kept);
      const port = Number(new URL(sandbox.baseUrl).port);
      await sandbox.close();
      sandbox = await startSandbox({ seed, port, personality });
      await sandbox.restore(kept);
    },
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const writeProducts = (folder: string, rows: number): KillFile => ({
  path: writeCsv(folder, "urunler.csv", goodRows(rows)),
  flags: [],
});

interface HomeParts {
  readonly sandbox: Sandbox;
  readonly file: KillFile;
  readonly startObedient: StartObedient;
}

/** `machine` is the folder of the machine's data. */
function openHome(
  machine: string,
  { sandbox, file: { path, flags }, startObedient }: HomeParts,
): KillHome {
  mkdirSync(machine, { recursive: true });
  const home = join(machine, "home");
  const copy = join(machine, "copy");
  const env = {
    CATALOG_BASE_URL: sandbox.baseUrl,
    CATALOG_CLIENT_KEY: sandbox.clientKey,
    CATALOG_CLIENT_SECRET: sandbox.clientSecret,
    CATALOG_STORE_ID: sandbox.storeId,
    CATALOG_HOME: home,
  };
  return {
    file: path,
    flags,
    home,
    env,
    start: (orders, ...args) =>
      orders === undefined
        ? startCatalog(args, { env, cwd: machine })
        : startObedient(orders, args, { env, cwd: machine }),
    run: (...args) => callCatalog(args, { env, cwd: machine }),
    read: () => readNewestRun(home),
    readCauses: () => readCauses(home),
    copyHome() {
      if (existsSync(copy) || !existsSync(home)) return;
      cpSync(home, copy, { recursive: true });
    },
    restoreHome() {
      if (!existsSync(copy)) return false;
      rmSync(home, { recursive: true, force: true });
      cpSync(copy, home, { recursive: true });
      rmSync(copy, { recursive: true, force: true });
      return true;
    },
  };
}

function openStore(home: string): DatabaseSync | undefined {
  if (!existsSync(home)) return undefined;
  const name = readdirSync(home, { recursive: true, encoding: "utf8" }).find((path) =>
    path.endsWith(".db"),
  );
  return name === undefined ? undefined : new DatabaseSync(join(home, name), { readOnly: true });
}

function readCauses(home: string): readonly string[] {
  using database = openStore(home);
  const sql = "SELECT DISTINCT cause FROM event WHERE run_id = ?";
  const events = database?.prepare(sql).all(readNewestRun(home)?.runId ?? "") ?? [];
  return events.map(({ cause }) => String(cause));
}

/** Rows that may move, and rows in a final state, whose codes are in the pieces of the file. */
const READ_ROWS = `
  WITH read AS (
    SELECT code.value ->> 0 AS row_no, code.value ->> 1 AS code
    FROM row_piece, json_each(codes_json) AS code WHERE run_id = :run
  ), final AS (
    SELECT decision.value ->> 0 AS row_no, decision.value ->> 1 AS state,
      decision.value ->> 2 AS product_id
    FROM final_piece, json_each(decisions_json, '$.rows') AS decision WHERE run_id = :run
  )
  SELECT row_no, code, state, product_id FROM run_row WHERE run_id = :run
  UNION ALL SELECT row_no, code, state, product_id FROM final JOIN read USING (row_no)
  ORDER BY row_no`;

function readNewestRun(home: string): StoredRun | undefined {
  using database = openStore(home);
  if (database === undefined) return undefined;
  const newest = database
    .prepare("SELECT id FROM run WHERE state <> 'planning' ORDER BY created_at_ms DESC LIMIT 1")
    .get();
  if (newest === undefined) return undefined;
  const runId = String(newest["id"]);
  const rows = database
    .prepare(READ_ROWS)
    .all({ run: runId })
    .map((row) => ({
      row: Number(row["row_no"]),
      code: String(row["code"]),
      state: String(row["state"]),
      product: row["product_id"] === null ? null : String(row["product_id"]),
    }));
  return { runId, rows };
}

/* Compares the stored run with what is in the marketplace. */

export interface Comparison {
  /** Deviations, in words; empty without any. */
  readonly wrong: readonly string[];
  readonly rows: number;
  readonly done: number;
  readonly held: number;
  /** Number of duplicate products. */
  readonly doubles: number;
}

/** Flags of every start; the hourly limit is not tested here. */
export const FLAGS = ["--json", "--requests-per-hour", "10000000"] as const;

/** The next command: the import of the file, or the resume of its run. */
export function nextCommand(shop: KillHome): readonly string[] {
  const run = shop.read();
  return run === undefined
    ? ["import", shop.file, ...shop.flags, "--yes", ...FLAGS]
    : ["resume", run.runId, ...FLAGS];
}

const MAX_STARTS = 20;

/** Starts the program until its run has ended. Returns the exit codes. */
export async function finishRun(
  shop: KillHome,
  orders: Orders | undefined = {},
): Promise<readonly (number | null)[]> {
  const codes: (number | null)[] = [];
  while (codes.length < MAX_STARTS) {
    const { code } = await shop.start(orders, ...nextCommand(shop)).finished;
    codes.push(code);
    if (isOver(code)) break;
  }
  return codes;
}

/** Whether all rows are done, or some are held. */
const isOver = (code: number | null | undefined): boolean => code === 0 || code === 5;

export function compareStates(shop: KillScenario, rows: number): Comparison {
  const stored = shop.read()?.rows ?? [];
  const products = Map.groupBy(shop.sandbox.products(), ({ product_code }) => product_code);
  const wrong = stored.flatMap(({ code, state, product }) => {
    const found = products.get(code) ?? [];
    if (state === "done" && found.length === 1 && found[0]?.id === product) return [];
    // A held row whose add was not carried out.
    if (state === "held" && found.length === 0) return [];
    // A row that is no product by itself.
    if (state === "skipped" && found.length === 0) return [];
    return [`${code} is ${state} and ${found.length} times in the marketplace`];
  });
  const codes = new Set(stored.map(({ code }) => code));
  const strange = [...products.keys()].filter((code) => !codes.has(code));
  const count = (wanted: string): number => stored.filter(({ state }) => state === wanted).length;
  return {
    wrong: [
      ...wrong,
      ...strange.map((code) => `${code} is in the marketplace and no row says so`),
      ...(stored.length === rows ? [] : [`${stored.length} of ${rows} rows are stored`]),
    ],
    rows: stored.length,
    done: count("done"),
    held: count("held"),
    doubles: [...products.values()].reduce((sum, same) => sum + same.length - 1, 0),
  };
}

/** Codes are compared normalized, as the store may change them. */
const toKey = (code: string): string => code.trim().toUpperCase();

/**
 * Compares what several homes of one store, or a home that is a copy, have stored with what is in
 * the marketplace.
 */
export function compareCommonStates(
  shop: KillScenario,
  homes: readonly KillHome[],
  rows: number,
): Comparison {
  const stored = homes.flatMap((home) => home.read()?.rows ?? []);
  const products = Map.groupBy(shop.sandbox.products(), (product) => toKey(product.product_code));
  const told = new Set(stored.map(({ code }) => toKey(code)));
  const wrong = stored
    .filter(({ code, state, product }) => {
      const ids = (products.get(toKey(code)) ?? []).map(({ id }) => id);
      return state === "done" && !ids.some((id) => id === product);
    })
    .map(({ code }) => `${code} is done, and its product is not there`);
  const strange = [...products.keys()].filter((code) => !told.has(code));
  const count = (wanted: string): number => stored.filter(({ state }) => state === wanted).length;
  return {
    wrong: [
      ...wrong,
      ...strange.map((code) => `${code} is there and no row says so`),
      ...(stored.length === rows * homes.length ? [] : [`${stored.length} rows are stored`]),
    ],
    rows: stored.length,
    done: count("done"),
    held: count("held"),
    doubles: [...products.values()].reduce((sum, same) => sum + same.length - 1, 0),
  };
}
