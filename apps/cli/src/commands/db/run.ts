import { existsSync } from "node:fs";
import { join } from "node:path";

import { EXIT, type Flags, printJson, UsageError } from "@catalog/console";
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

import type { CommandContext } from "../../context.ts";
import { resolveDatabaseUrl, resolveHome } from "../../settings/settings.ts";
import { findUsableConfig } from "../../trust/config-trust.ts";
import type { DatabaseParts } from "./index.ts";
import { DATABASE_TEXTS } from "./texts.ts";

/** `catalog db`: makes and checks the PostgreSQL database that several machines share. */
export async function runDatabaseCommand(
  context: CommandContext,
  parts: DatabaseParts,
  flags: Flags,
): Promise<number> {
  const { config } = await findUsableConfig({ ...parts.configLocations, ...parts });
  const url = resolveDatabaseUrl(parts.env, config);
  const path = join(resolveHome(parts.env, config), "catalog.db");
  if (flags["discard"] === true) return discard(context, flags["action"] === "migrate", url, path);
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
    tr: `Burada veritabanı yok: ${path}`,
    en: `There is no database here: ${path}`,
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

async function check({ terminal, json, lang }: CommandContext, url: string): Promise<number> {
  const faults = await checkServer(url);
  const database = describeAddress(url);
  const exit = faults.length === 0 ? EXIT.done : EXIT.usage;
  const texts = DATABASE_TEXTS[lang];
  if (json) printJson(terminal, { command: "db", action: "check", database, faults, exit });
  else if (faults.length === 0) terminal.out(`${texts.sound(database)}\n`);
  else terminal.out(`${texts.faulty(database, faults)}\n`);
  return exit;
}

const noServer = (): UsageError =>
  new UsageError({
    tr: "Bu komut PostgreSQL içindir: adresini CATALOG_DATABASE_URL değişkeniyle ya da databaseUrl ayarıyla verin. Adres yoksa veritabanı bu bilgisayardaki dosyadır; ona catalog doctor bakar.",
    en: "This command is for PostgreSQL: give its address as CATALOG_DATABASE_URL or as the setting databaseUrl. Without an address the database is the file on this machine, which catalog doctor checks.",
  });
