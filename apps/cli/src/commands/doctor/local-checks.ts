/** A check of `catalog doctor`, and those of the settings and of this machine. */

import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";

import type { Connection } from "@catalog/connection";
import { EXIT, type TextView } from "@catalog/console";
import { wrapText } from "@catalog/console/wrap-text";
import type { Separation } from "@catalog/database";
import { formatBytes, type Lang, type Localized } from "@catalog/i18n";

import { describeFailure } from "../../failure.ts";
import type { ChoiceReason } from "../../settings/choose-store.ts";
import type { FoundConfig } from "../../settings/config-trust.ts";
import type { StoredLogin } from "../../settings/login-store.ts";
import { FILED_SETTINGS, fileVariableOf } from "../../settings/secret-files.ts";
import {
  describeKeptSecret,
  type Environment,
  type FoundSetting,
  isTalkative,
  NEEDED_SETTINGS,
  type SettingName,
  type SettingSource,
} from "../../settings/settings.ts";
import { maskKey } from "../login/run.ts";
import { untrustedConfig } from "../trust/run.ts";

/** `warn` works but needs attention; `skip` was not checked because of an earlier failure. */
type CheckState = "ok" | "warn" | "fail" | "skip";

export interface Check {
  /** Stable name, for programs. */
  readonly name: string;
  readonly state: CheckState;
  readonly label: Localized;
  readonly found: Localized;
  /** Advice for a failed check. */
  readonly fix?: Localized | undefined;
  /** Sizes in bytes, and numbers of runs and rows, for programs. */
  readonly sizes?: Readonly<Record<string, number>>;
  /** Exit code of this class of failure; only for the state `fail`. */
  readonly exit?: number | undefined;
}

/** Uses one text for both languages, such as a path or a version. */
export const same = (text: string): Localized => ({ tr: text, en: text });

/** Exit code of the first failed check; `EXIT.done` when none failed. */
export function exitOf(checks: readonly Check[]): number {
  return checks.find(({ state }) => state === "fail")?.exit ?? EXIT.done;
}

const MARKS: Readonly<Record<CheckState, string>> = { ok: "✓", warn: "!", fail: "✗", skip: "–" };

const LABEL_WIDTH = 16;

/** Columns before what was found: the mark, the label and a blank after each. */
const INDENT = LABEL_WIDTH + 3;
const FIX_INDENT = 6;

/** Formats the check, with its advice on a line below, in lines of at most `outColumns`. */
export function formatCheck(
  { state, label, found, fix }: Check,
  lang: Lang,
  { outColumns: columns = Infinity, shown = String }: TextView = {},
): string {
  // No line ends inside of the label or right behind it.
  const head = `${MARKS[state]} ${label[lang].padEnd(LABEL_WIDTH)} `.replaceAll(" ", "\u00a0");
  const text = wrapText(`${head}${shown(found[lang])}`, { columns, indent: INDENT });
  const line = `${text.replaceAll("\u00a0", " ")}\n`;
  if (fix === undefined || state === "ok") return line;
  return `${line}${wrapText(`    → ${shown(fix[lang])}`, { columns, indent: FIX_INDENT })}\n`;
}

const MISSING: Localized = { tr: "yok", en: "missing" };

const LABELS: Readonly<Record<SettingName, Localized>> = {
  CATALOG_BASE_URL: { tr: "Adres", en: "Address" },
  CATALOG_CLIENT_KEY: { tr: "Anahtar", en: "Key" },
  CATALOG_CLIENT_SECRET: { tr: "Gizli anahtar", en: "Secret" },
  CATALOG_STORE_ID: { tr: "Mağaza", en: "Store" },
};

const SOURCES: Readonly<Record<Exclude<SettingSource, "nowhere">, Localized>> = {
  environment: { tr: "ortam değişkeni", en: "environment" },
  config: { tr: "catalog.config dosyası", en: "catalog.config file" },
  login: { tr: "saklanan oturum", en: "stored login" },
};

const TRUST: Readonly<Record<Exclude<FoundConfig["trust"], "none">, Localized>> = {
  trusted: { tr: "onaylı", en: "trusted" },
  harmless: { tr: "onay gerektirmiyor", en: "needs no trust" },
  changed: { tr: "onaylandıktan sonra değişti", en: "changed since it was trusted" },
  unknown: { tr: "onaylanmadı", en: "not trusted" },
};

/** Checks the configuration file of the folder; empty where there is none. */
export function checkConfigFile(found: FoundConfig): readonly Check[] {
  const { trust, file } = found;
  if (trust === "none" || file === undefined) return [];
  const { tr, en } = TRUST[trust];
  const isUsed = trust === "trusted" || trust === "harmless";
  return [
    {
      name: "config_file",
      state: isUsed ? "ok" : "fail",
      label: { tr: "Ayar dosyası", en: "Config file" },
      found: { tr: `${file.path} (${tr})`, en: `${file.path} (${en})` },
      ...(isUsed ? {} : { fix: untrustedConfig(found).localized, exit: EXIT.usage }),
    },
  ];
}

/** Name and label of the checks of the stored login. */
export const STORED_LOGIN = {
  name: "stored_login",
  label: { tr: "Saklanan oturum", en: "Stored login" },
} as const;

const OWNERS: Readonly<Record<StoredLogin["owner"], Localized>> = {
  home: { tr: "bu klasörün kendi oturumu", en: "this home's own login" },
  user: { tr: "kullanıcınızın oturumu", en: "the login of your user" },
  list: { tr: "CATALOG_STORES listesi", en: "the list of CATALOG_STORES" },
};

/** Names the file of the stored login. */
export function describeLogin({ path, owner }: Pick<StoredLogin, "path" | "owner">): Check {
  const { tr, en } = OWNERS[owner];
  return { ...STORED_LOGIN, state: "ok", found: { tr: `${path} (${tr})`, en: `${path} (${en})` } };
}

const REASONS: Readonly<Record<ChoiceReason, Localized>> = {
  flag: { tr: "--store", en: "--store" },
  environment: { tr: "CATALOG_STORE", en: "CATALOG_STORE" },
  config: { tr: "catalog.config dosyası", en: "catalog.config file" },
  ids: { tr: "adres ya da mağaza kimliğiyle", en: "by the address or the store id" },
  default: { tr: "varsayılan", en: "the default" },
  only: { tr: "tek mağaza", en: "the only one" },
  asked: { tr: "siz seçtiniz", en: "your choice" },
};

interface ChosenStore {
  readonly login: Pick<StoredLogin, "name">;
  readonly by: ChoiceReason;
}

/** Names the store and says why it is this one, and which others there are. */
export function describeStore(
  { login: { name }, by }: ChosenStore,
  stores: readonly Pick<StoredLogin, "name">[],
): Check {
  const { tr, en } = REASONS[by];
  const others = stores.map((store) => store.name).filter((other) => other !== name);
  const rest = others.join(", ");
  return {
    name: "store",
    state: "ok",
    label: { tr: "Mağaza adı", en: "Store name" },
    found: {
      tr: `${name} (${tr}${rest === "" ? "" : `; öteki mağazalar: ${rest}`})`,
      en: `${name} (${en}${rest === "" ? "" : `; other stores: ${rest}`})`,
    },
  };
}

/**
 * Checks each setting and names its source, with advice for a missing one. `given` is the environment
 * before the files that it names were read.
 */
export function checkSettings(
  found: Readonly<Record<SettingName, FoundSetting>>,
  given: Environment = {},
): readonly Check[] {
  return NEEDED_SETTINGS.map((name) => {
    const variable = fileVariableOf(name);
    const isFiled = FILED_SETTINGS.some((filed) => filed === name) && Boolean(given[variable]);
    return checkSetting(name, found[name], isFiled ? `${variable}: ${given[variable]}` : undefined);
  });
}

function checkSetting(
  setting: SettingName,
  { value, source, keptFor }: FoundSetting,
  file: string | undefined,
): Check {
  const name = setting.replace("CATALOG_", "").toLowerCase();
  const label = LABELS[setting];
  if (source === "nowhere") {
    return {
      name,
      state: "fail",
      label,
      found: keptFor === undefined ? MISSING : describeKeptSecret(keptFor),
      fix: {
        tr: `${setting} ortam değişkenini verin ya da "catalog login" çalıştırın.`,
        en: `Set ${setting} or run "catalog login".`,
      },
      exit: EXIT.usage,
    };
  }
  const shown = show(setting, value);
  const { tr, en } = file === undefined ? SOURCES[source] : same(file);
  return { name, state: "ok", label, found: { tr: `${shown} (${tr})`, en: `${shown} (${en})` } };
}

function show(setting: SettingName, value: string): string {
  if (setting === "CATALOG_CLIENT_SECRET") return "••••••••";
  if (setting === "CATALOG_CLIENT_KEY") return maskKey(value);
  return setting === "CATALOG_BASE_URL" ? withoutPassword(value) : value;
}

/** An address with a password in it is refused later; until then it must not be shown. */
function withoutPassword(address: string): string {
  const url = URL.parse(address);
  return url === null || url.username + url.password + url.search === ""
    ? address
    : `${url.protocol}//${url.host}`;
}

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

/** Says whether a server holds stores apart for this role; a file has nothing to say. */
export function toSeparationCheck(separation: Separation): Check | undefined {
  if (separation === "none") return undefined;
  const check = { name: "row_security", label: SEPARATION };
  if (separation === "enforced") {
    return { ...check, state: "ok", found: { tr: "sunucu da ayırıyor", en: "by the server, too" } };
  }
  return {
    ...check,
    state: "warn",
    found: {
      tr: "bu PostgreSQL kullanıcısı bütün mağazaların satırlarını görür",
      en: "this PostgreSQL user sees the rows of all stores",
    },
    fix: {
      tr: "Superuser ya da BYPASSRLS olmayan bir kullanıcıyla bağlanın; nasıl açılacağı docs/operate.md dosyasında.",
      en: "Connect with a user that is no superuser and has no BYPASSRLS; docs/operate.md shows how to create one.",
    },
  };
}

const SEPARATION: Localized = { tr: "Mağaza ayrımı", en: "Stores apart" };

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
