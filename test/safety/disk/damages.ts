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
import { nextCommand } from "../kill/account.ts";
import type { KillScenario } from "../kill/kill-scenario.ts";

export interface Damage {
  readonly name: string;
  /** Damages the disk during a run, and returns how the process ended. */
  play(shop: KillScenario): Promise<Met>;
}

export interface Met {
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
