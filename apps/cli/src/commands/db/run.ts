/** What `catalog db` says. */

import { existsSync } from "node:fs";
import { join } from "node:path";

import { EXIT, type Flags, printJson, readFlag, UsageError } from "@catalog/console";
import { discardFile, isInUse, openDatabase } from "@catalog/database";
import {
  checkServer,
  type CopiedRows,
  copyToPostgres,
  describeAddress,
  migratePostgres,
  noteRestored,
  putAway,
} from "@catalog/database/postgres";
import type { Lang } from "@catalog/i18n";

import type { CommandContext } from "../../context.ts";
import { findUsableConfig } from "../../settings/config-trust.ts";
import { resolveDatabaseUrl, resolveHome } from "../../settings/settings.ts";
import { checkAuditFile } from "./check-audit.ts";
import type { DatabaseParts } from "./index.ts";

/** `catalog db`: makes and checks the PostgreSQL database that several machines share. */
export async function runDatabaseCommand(
  context: CommandContext,
  parts: DatabaseParts,
  flags: Flags,
): Promise<number> {
  const audit = readFlag.text(flags, "audit");
  if (audit !== undefined) {
    if (flags["action"] !== "check") throw misplacedAudit();
    return await checkAuditFile(context, context.resolve(audit));
  }
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const url = resolveDatabaseUrl(parts.env, config);
  const path = join(resolveHome(parts.env, config), "catalog.db");
  if (flags["discard"] === true) return discard(context, flags["action"] === "migrate", url, path);
  if (url === undefined && flags["action"] === "check") return await checkHome(context, path);
  if (url === undefined) throw noServer();
  if (flags["action"] === "migrate") return await migrate(context, url);
  if (flags["action"] === "check") return await check(context, url);
  if (flags["action"] === "restored") return await restored(context, url);
  return await copy(context, url, path);
}

async function copy(
  { terminal, json, lang }: CommandContext,
  url: string,
  path: string,
): Promise<number> {
  if (!existsSync(path)) throw noFile(path);
  const rows = await copyFile(path, url);
  const database = describeAddress(url);
  const kept = putAway(path, url);
  const exit = EXIT.done;
  if (json) printJson(terminal, { command: "db", action: "copy", database, rows, kept, exit });
  else terminal.out(`${DATABASE_TEXTS[lang].copied({ database, rows, kept })}\n`);
  return exit;
}

async function copyFile(path: string, url: string): Promise<CopiedRows> {
  using file = await openDatabase(path, { command: "catalog db copy" });
  if (isInUse(path)) throw inUse(path);
  return await copyToPostgres(file, url);
}

function discard(
  { terminal, json, lang }: CommandContext,
  isMigration: boolean,
  url: string | undefined,
  path: string,
): number {
  if (!isMigration || url !== undefined) throw misplacedDiscard();
  if (!existsSync(path)) throw noFile(path);
  if (isInUse(path)) throw inUse(path);
  const kept = discardFile(path);
  if (kept === undefined) throw nothingToDiscard(path);
  const exit = EXIT.done;
  const document = { command: "db", action: "migrate", database: path, kept, exit };
  if (json) printJson(terminal, document);
  else terminal.out(`${DATABASE_TEXTS[lang].discarded(kept)}\n`);
  return exit;
}

const misplacedAudit = (): UsageError =>
  new UsageError({
    tr: "--audit yalnız şununla kullanılır: catalog db check --audit DOSYA",
    en: "--audit goes with this only: catalog db check --audit FILE",
  });

const misplacedDiscard = (): UsageError =>
  new UsageError({
    tr: '--discard yalnızca "catalog db migrate" ile ve klasördeki dosya için kullanılır; sunucuda yeni bir veritabanı açın.',
    en: '--discard goes with "catalog db migrate" only, and with the file of the folder; on a server, make a new database.',
  });

const nothingToDiscard = (path: string): UsageError =>
  new UsageError({
    tr: `Veritabanı bu sürümün, kenara konmadı: ${path}`,
    en: `The database is of this version and was not put aside: ${path}`,
  });

const noFile = (path: string): UsageError =>
  new UsageError({
    tr: `Burada veritabanı yok: ${path}. Sunucudaki bir veritabanı için CATALOG_DATABASE_URL değişkenini verin.`,
    en: `There is no database here: ${path}. For a database on a server, set CATALOG_DATABASE_URL.`,
  });

const inUse = (path: string): UsageError =>
  new UsageError({
    tr: `Veritabanını başka bir program kullanıyor: ${path}. Açık sayfayı ve çalışan komutları kapatıp yeniden deneyin.`,
    en: `Another program uses the database: ${path}. Close the page and all running commands, and try again.`,
  });

async function migrate({ terminal, json, lang }: CommandContext, url: string): Promise<number> {
  const { from, to } = await migratePostgres(url);
  const database = describeAddress(url);
  const exit = EXIT.done;
  if (json) printJson(terminal, { command: "db", action: "migrate", database, from, to, exit });
  else terminal.out(`${DATABASE_TEXTS[lang].migrated({ database, from, to })}\n`);
  return exit;
}

async function restored({ terminal, json, lang }: CommandContext, url: string): Promise<number> {
  const { runs } = await noteRestored(url);
  const database = describeAddress(url);
  const exit = EXIT.done;
  if (json) printJson(terminal, { command: "db", action: "restored", database, runs, exit });
  else terminal.out(`${DATABASE_TEXTS[lang].restored({ database, runs })}\n`);
  return exit;
}

const check = async (context: CommandContext, url: string): Promise<number> =>
  showFaults(context, describeAddress(url), await checkServer(url));

async function checkHome(context: CommandContext, path: string): Promise<number> {
  if (!existsSync(path)) throw noFile(path);
  using file = await openDatabase(path, { command: "catalog db check" });
  return showFaults(context, path, await file.check());
}

function showFaults(
  { terminal, json, lang }: CommandContext,
  database: string,
  faults: readonly string[],
): number {
  const exit = faults.length === 0 ? EXIT.done : EXIT.usage;
  const texts = DATABASE_TEXTS[lang];
  if (json) printJson(terminal, { command: "db", action: "check", database, faults, exit });
  else if (faults.length === 0) terminal.out(`${texts.sound(database)}\n`);
  else terminal.out(`${texts.faulty(database, faults)}\n`);
  return exit;
}

const noServer = (): UsageError =>
  new UsageError({
    tr: "Bu komut PostgreSQL içindir: adresini CATALOG_DATABASE_URL değişkeniyle ya da databaseUrl ayarıyla verin. Adres yoksa veritabanı bu bilgisayardaki dosyadır; ona catalog db check ve catalog doctor bakar.",
    en: "This command is for PostgreSQL: give its address as CATALOG_DATABASE_URL or as the setting databaseUrl. Without an address the database is the file on this machine, which catalog db check and catalog doctor check.",
  });

interface DatabaseTexts {
  readonly migrated: (done: {
    readonly database: string;
    /** Version before; 0 where there were no tables. */
    readonly from: number;
    readonly to: number;
  }) => string;
  readonly copied: (done: {
    readonly database: string;
    readonly rows: Readonly<Record<string, number>>;
    /** Where the file is kept. */
    readonly kept: string;
  }) => string;
  /** Says where the file is kept. */
  readonly discarded: (kept: string) => string;
  readonly restored: (done: {
    readonly database: string;
    /** Number of runs that are compared with the store before they send. */
    readonly runs: number;
  }) => string;
  readonly sound: (database: string) => string;
  readonly faulty: (database: string, faults: readonly string[]) => string;
}

const toList = (faults: readonly string[]): string =>
  faults.map((fault) => `  ✗ ${fault}`).join("\n");

const DATABASE_TEXTS: Readonly<Record<Lang, DatabaseTexts>> = {
  tr: {
    migrated({ database, from, to }) {
      if (from === to) return `Tablolar zaten bu sürümde (${to}): ${database}`;
      return from === 0
        ? `Tablolar oluşturuldu (sürüm ${to}): ${database}`
        : `Tablolar ${from} sürümünden ${to} sürümüne getirildi: ${database}`;
    },
    copied: ({ database, rows, kept }) =>
      `${rows["run"] ?? 0} çalıştırma, ${rows["op"] ?? 0} gönderi ve geri kalan her şey taşındı: ${database}\nEski dosya duruyor, artık kullanılmaz: ${kept}\nBundan sonra CATALOG_DATABASE_URL ayarlı olsun; yarım kalan bir iş sürdürülebilir: catalog resume <çalıştırma>`,
    discarded: (kept) =>
      `1.0 öncesi veritabanı kenara kondu: ${kept}\nBundan sonraki komut boş bir tanesini açar. Daha önce eklenmiş olabilecek ürünler, ekleme yapılmadan önce mağazada aranır. Kurallar, taslaklar ve zamanlamalar yeniden verilmelidir.`,
    restored: ({ database, runs }) =>
      `Bu veritabanı geri yüklenmiş bir yedek sayılıyor (${runs} çalıştırma): ${database}\nGöndermekte olan işlemler duracak. Yedekten sonra gönderilmiş olabilecekler, ekleme yapılmadan önce mağazada aranır. Sürdürmek için: catalog resume <çalıştırma>`,
    sound: (database) => `Kurallar ve denetim kaydı yerinde, ayarlar güvenli: ${database}`,
    faulty: (database, faults) =>
      `Bu veritabanıyla göndermeyin: ${database}\n${toList(faults)}\nEksik kurallar yedekten geri yüklenirken kaybolmuş olabilir; yedeği eksiksiz geri yükleyin. fsync ve full_page_writes ayarlarını sunucuda açın. audit: denetim kaydı dışarıdan değiştirilmiş; kaydın bozulmadığı son yedekle karşılaştırın.`,
  },
  en: {
    migrated({ database, from, to }) {
      if (from === to) return `The tables are of this version already (${to}): ${database}`;
      return from === 0
        ? `The tables were made (version ${to}): ${database}`
        : `The tables were brought from version ${from} to ${to}: ${database}`;
    },
    copied: ({ database, rows, kept }) =>
      `${rows["run"] ?? 0} runs, ${rows["op"] ?? 0} requests and all the rest were moved: ${database}\nThe old file is kept and not used any more: ${kept}\nKeep CATALOG_DATABASE_URL set from now on; unfinished work can go on: catalog resume <run>`,
    discarded: (kept) =>
      `The database from before 1.0 was put aside: ${kept}\nThe next command makes an empty one. Products that may have been added before are looked up in the store before anything is added. Rules, drafts and schedules have to be given again.`,
    restored: ({ database, runs }) =>
      `This database counts as a restored backup now (${runs} runs): ${database}\nProcesses that are sending will stop. What may have been sent since the backup is looked up in the store before anything is added. To go on: catalog resume <run>`,
    sound: (database) =>
      `The rules and the audit are in place, and the settings are safe: ${database}`,
    faulty: (database, faults) =>
      `Do not send with this database: ${database}\n${toList(faults)}\nMissing rules may have been lost when a backup was restored; restore it completely. Switch fsync and full_page_writes on at the server. audit: the record of what people did was changed from outside; compare it with the last backup in which it is sound.`,
  },
};
