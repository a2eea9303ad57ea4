/** Checks this machine: disk, database, versions, debugging. */

import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

import type { Connection } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import { formatBytes, type Localized } from "@catalog/i18n";

import { isTalkative } from "../../debugging.ts";
import { describeFailure } from "../../failure.ts";
import type { Environment } from "../../settings/settings.ts";
import { type Check, same } from "./check.ts";

const MIB = 1024 * 1024;
const MIN_FREE_MIB = 64;

const DISK: Localized = { tr: "Disk", en: "Disk" };

/** Checks the free space where the database is or will be. */
export async function checkDisk(home: string): Promise<Check> {
  const { bavail, bsize } = await statfs(nearestFolder(home));
  const freeBytes = bavail * bsize;
  const isTight = freeBytes < MIN_FREE_MIB * MIB;
  return {
    name: "disk",
    state: isTight ? "fail" : "ok",
    label: DISK,
    found: {
      tr: `${formatBytes(freeBytes, "tr")} boş (${home})`,
      en: `${formatBytes(freeBytes, "en")} free (${home})`,
    },
    fix: {
      tr: `En az ${MIN_FREE_MIB} MB yer açın ya da CATALOG_HOME ile başka bir klasör verin.`,
      en: `Free at least ${MIN_FREE_MIB} MB, or name another folder with CATALOG_HOME.`,
    },
    ...(isTight ? { exit: EXIT.usage } : {}),
  };
}

const HOME: Localized = { tr: "Klasör", en: "Folder" };

/**
 * Reminds of what no check can find: another machine that sends to the same store without sharing
 * its database.
 */
export function describeHome(home: string, hasServer: boolean): Check {
  if (hasServer) {
    return {
      name: "home",
      state: "ok",
      label: HOME,
      found: {
        tr: `${home}; gönderilenler PostgreSQL veritabanında. Bu mağazaya yalnız aynı veritabanını kullanan bilgisayarlardan gönderin`,
        en: `${home}; what was sent is in the PostgreSQL database. Send to this store only from machines that use the same database`,
      },
    };
  }
  return {
    name: "home",
    state: "ok",
    label: HOME,
    found: {
      tr: `${home}; mağazaya yalnız bu klasörden gönderin: başka bilgisayar ya da klasör buradan gönderileni bilmez, ürün iki kez eklenebilir`,
      en: `${home}; send to the store from this folder only: another machine or folder does not know what was sent from here, and may add products twice`,
    },
  };
}

function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path));
}

const DATABASE: Localized = { tr: "Veritabanı", en: "Database" };

/** Checks the whole database. */
export async function checkDatabaseOf(
  connection: Pick<Connection, "checkDatabase">,
): Promise<Check> {
  try {
    const [complaint] = await connection.checkDatabase();
    if (complaint === undefined) {
      return {
        name: "database",
        state: "ok",
        label: DATABASE,
        found: { tr: "sağlam", en: "sound" },
      };
    }
    return {
      name: "database",
      state: "fail",
      label: DATABASE,
      found: same(complaint),
      fix: {
        tr: "Veritabanını yedekleyin ve bildirin; silmeyin, çünkü hangi ürünün gönderildiğini o bilir.",
        en: "Back the database up and report it; do not delete it, since it knows what was sent.",
      },
      exit: EXIT.usage,
    };
  } catch (error) {
    return closedDatabase(error);
  }
}

/** The check of a database that does not open. */
export function closedDatabase(error: unknown): Check {
  const tr = describeFailure(error, "tr", false);
  const en = describeFailure(error, "en", false);
  return {
    name: "database",
    state: "fail",
    label: DATABASE,
    found: { tr: "açılamadı", en: "does not open" },
    fix: { tr: tr.text, en: en.text },
    exit: tr.exit,
  };
}

/** The check of a database that was not opened, because the settings do not name its store. */
export function skipDatabase(): Check {
  const found = { tr: "bakılamadı", en: "could not be checked" };
  return { name: "database", state: "skip", label: DATABASE, found };
}

/** The program's runtime. */
export interface Runtime {
  /** Version such as `24.21.0`. */
  readonly node: string;
  readonly tool: string;
  /** Flags of Node itself. */
  readonly execArgv: readonly string[];
  /** The file that starts the program. */
  readonly entry: string;
}

const MIN_NODE = [24, 12] as const;

/** Checks the version of Node; from 24.12.0 on it runs the sources without a warning. */
export function checkVersions({ node, tool }: Runtime): Check {
  const [major = 0, minor = 0] = node.split(".").map(Number);
  const [minMajor, minMinor] = MIN_NODE;
  const isOld = major < minMajor || (major === minMajor && minor < minMinor);
  return {
    name: "versions",
    state: isOld ? "fail" : "ok",
    label: { tr: "Sürümler", en: "Versions" },
    found: same(`catalog ${tool}, Node ${node}`),
    fix: {
      tr: `Node ${MIN_NODE.join(".")} ya da daha yenisini kurun.`,
      en: `Install Node ${MIN_NODE.join(".")} or newer.`,
    },
    ...(isOld ? { exit: EXIT.usage } : {}),
  };
}

const DEBUGGING: Localized = { tr: "Hata ayıklama", en: "Debugging" };

/** Finds ways in which the token could be printed, or read by another user of the machine. */
export function checkDebugging(env: Environment, { execArgv }: Runtime): Check {
  if (isTalkative(env)) {
    return {
      name: "debugging",
      state: "fail",
      label: DEBUGGING,
      found: same(`NODE_DEBUG=${env["NODE_DEBUG"]}`),
      fix: {
        tr: "NODE_DEBUG değişkenini kaldırın: istek adreslerini erişim anahtarıyla birlikte yazdırır.",
        en: "Unset NODE_DEBUG: it prints the addresses of calls with the access token in them.",
      },
      exit: EXIT.usage,
    };
  }
  const inspect = [...execArgv, ...(env["NODE_OPTIONS"] ?? "").split(/\s+/u)].find((flag) =>
    flag.startsWith("--inspect"),
  );
  if (inspect === undefined) {
    return { name: "debugging", state: "ok", label: DEBUGGING, found: { tr: "kapalı", en: "off" } };
  }
  return {
    name: "debugging",
    state: "warn",
    label: DEBUGGING,
    found: same(inspect),
    fix: {
      tr: "--inspect seçeneğini kaldırın: makinedeki herkes programın belleğini, gizli anahtarı da okuyabilir.",
      en: "Leave --inspect out: anybody on the machine can read the program's memory, the secret too.",
    },
  };
}
