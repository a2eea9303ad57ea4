/** Damages of the disk under a run, each played with a real process. */

import { spawn } from "node:child_process";
import {
  closeSync,
  cpSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

import { PROCESS_ENV } from "../../helpers/processes/catalog-process.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";
import { type KillScenario, nextCommand, openKillScenario } from "../kill/kill-scenario.ts";

interface Damage {
  readonly name: string;
  /** Damages the disk during a run, and returns how the process ended. */
  play(shop: KillScenario): Promise<Met>;
}

interface Met {
  readonly code: number | null;
  readonly out: string;
}

const UNHARMED: Met = { code: null, out: "" };

const databaseOf = ({ home }: KillScenario): string => join(home, "catalog.db");

const MAIN = toAbsolutePath(SOURCE_PATHS.catalogProgram);

/** Limits files to a size in kilobytes, so that every later write of the database fails. */
export function fullAt(kilobytes: number): Damage {
  return {
    name: `no file may be larger than ${kilobytes} kB`,
    async play(shop) {
      const script = `ulimit -f ${kilobytes}; exec "$0" "$@"`;
      const args = [process.execPath, MAIN, ...nextCommand(shop)];
      const child = spawn("bash", ["-c", script, ...args], {
        cwd: shop.home.replace(/home$/u, ""),
        env: { ...PROCESS_ENV, ...shop.env },
        stdio: ["ignore", "pipe", "ignore"],
      });
      let out = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      const { promise, resolve } = Promise.withResolvers<number | null>();
      child.on("close", (code) => resolve(code));
      return { code: await promise, out };
    },
  };
}

/** Dies while a row is being sent, which leaves a write-ahead log. */
async function dieSending(shop: KillScenario): Promise<void> {
  const crash = { point: "begun", nth: 5 };
  await shop.start({ crash }, ...nextCommand(shop)).finished;
}

/** Cuts the write-ahead log, so that only a part of the last writes is there. */
export function logCutAt(share: number): Damage {
  return {
    name: `the write-ahead log ends at ${Math.round(share * 100)} %`,
    async play(shop) {
      await dieSending(shop);
      const log = `${databaseOf(shop)}-wal`;
      truncateSync(log, Math.floor(statSync(log).size * share));
      return UNHARMED;
    },
  };
}

export function bitFlippedAt(share: number): Damage {
  return {
    name: `a bit is wrong at ${Math.round(share * 100)} % of the file`,
    async play(shop) {
      await dieSending(shop);
      const path = databaseOf(shop);
      const file = openSync(path, "r+");
      const byte = Buffer.alloc(1);
      const at = Math.floor(statSync(path).size * share);
      readSync(file, byte, 0, 1, at);
      byte.writeUInt8(byte.readUInt8(0) ^ 0x10);
      writeSync(file, byte, 0, 1, at);
      closeSync(file);
      return UNHARMED;
    },
  };
}

export const OLD_COPY: Damage = {
  name: "a copy from before the first add is put back",
  async play(shop) {
    await shop.start({ crash: { point: "before-begin", nth: 1 } }, ...nextCommand(shop)).finished;
    const kept = `${shop.home}-kept`;
    cpSync(shop.home, kept, { recursive: true });
    await shop.start({}, ...nextCommand(shop)).finished;
    for (const end of ["", "-wal", "-shm"]) {
      const path = `${databaseOf(shop)}${end}`;
      rmSync(path, { force: true });
      cpSync(join(kept, `catalog.db${end}`), path, { force: true, recursive: true });
    }
    return UNHARMED;
  },
};

export const DELETED: Damage = {
  name: "the database is deleted while rows are sent",
  async play(shop) {
    const { finished, child } = shop.start({}, ...nextCommand(shop));
    while (shop.sandbox.stats().adds < 3 && child.exitCode === null) await wait(2);
    for (const end of ["", "-wal", "-shm"]) rmSync(`${databaseOf(shop)}${end}`, { force: true });
    const { code, out } = await finished;
    return { code, out };
  },
};

/* An import whose disk is damaged, and the result of starting it again. */

export interface TriedDamage {
  readonly met: Met;
  /** Whether the database was refused, so that an empty one had to be used. */
  readonly isRefused: boolean;
  /** Exit code of the start that ended the run. */
  readonly code: number | null;
  /** Codes that the marketplace has more than once. */
  readonly doubles: readonly string[];
  /** Codes that are neither in the marketplace nor held. */
  readonly lost: readonly string[];
}

const ROWS = 16;
const MAX_STARTS = 6;

export async function tryDamage(damage: Damage): Promise<TriedDamage> {
  const faults = [{ kind: "latency", endpoint: "product.add", ms: 20 } as const];
  await using shop = await openKillScenario({ rows: ROWS, faults });
  const met = await damage.play(shop);
  let isRefused = false;
  let code: number | null = null;
  for (let start = 0; start < MAX_STARTS && code !== 0 && code !== 5; start += 1) {
    const end = await startAgain(shop);
    code = end.code;
    if (code !== UNUSABLE || isRefused) continue;
    // Follows the advice for a damaged file: removes it and imports again.
    isRefused = true;
    rmSync(shop.home, { recursive: true, force: true });
  }
  return { met, isRefused, code, ...compare(shop) };
}

const UNUSABLE = 2;

async function startAgain(shop: KillScenario): Promise<Met> {
  let command: readonly string[];
  try {
    command = nextCommand(shop);
  } catch {
    // The test cannot read the file either.
    command = ["import", shop.file, "--yes", "--json"];
  }
  const { code, out } = await shop.start({}, ...command).finished;
  return { code, out };
}

function compare(shop: KillScenario): Pick<TriedDamage, "doubles" | "lost"> {
  const products = Map.groupBy(shop.sandbox.products(), ({ product_code }) => product_code);
  const rows = shop.read()?.rows ?? [];
  const codes = [...products.keys(), ...rows.map(({ code }) => code)];
  const isSafe = (code: string): boolean =>
    products.has(code) || rows.some((row) => row.code === code && row.state === "held");
  const missing = ROWS - new Set(codes).size;
  return {
    doubles: [...products].filter(([, same]) => same.length > 1).map(([code]) => code),
    lost: [
      ...new Set(codes.filter((code) => !isSafe(code))),
      ...(missing > 0 ? [`${missing} rows that nobody knows`] : []),
    ],
  };
}
