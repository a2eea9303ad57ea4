import type { Versions } from "@catalog/client";
import { ClientError, PermissionError } from "@catalog/client/errors";
import type { Connection } from "@catalog/connection";
import { EXIT, printJson, UsageError } from "@catalog/console";
import type { Version } from "@catalog/contract";
import { DatabaseError } from "@catalog/database";
import type { Alerts } from "@catalog/jobs";

import type { CommandContext } from "../../context.ts";
import { describeFailure } from "../../failure.ts";
import { listVersions, resolveVersions } from "../../open-connection.ts";
import { chooseLogin, readLoginSettings } from "../../settings/choose-store.ts";
import type { Config } from "../../settings/config-schema.ts";
import { findUsableConfig } from "../../settings/config-trust.ts";
import {
  findSettings,
  type LoginSettings,
  resolveDatabaseUrl,
  resolveHome,
} from "../../settings/settings.ts";
import type { DoctorParts } from "./index.ts";
import {
  type Check,
  checkConfigFile,
  checkDatabaseOf,
  checkDebugging,
  checkDisk,
  checkSettings,
  checkVersions,
  closedDatabase,
  describeHome,
  describeLogin,
  describeStore,
  exitOf,
  formatCheck,
  skipDatabase,
  STORED_LOGIN,
  toSeparationCheck,
} from "./local-checks.ts";
import {
  checkAccess,
  checkAlerts,
  checkPeriods,
  checkHeld,
  checkPause,
  checkReach,
  checkStorage,
  skipAccess,
  skipPause,
  skipReach,
  skipStorage,
} from "./store-checks.ts";

/** Settings of the checks. */
type CheckInput = DoctorParts & {
  /** Whether the doctor may repair what it can. */
  readonly mayFix: boolean;
};

/** The doctor does not wait longer than this for a call; the check fails instead. */
const PATIENCE_MS = 5_000;

/** `catalog doctor`: checks everything that the program needs, with advice for each failure. */
export async function runDoctorCommand(
  context: CommandContext,
  parts: CheckInput,
): Promise<number> {
  const { terminal, json, lang } = context;
  const checks: Check[] = [];
  await examine(context, parts, (found) => {
    checks.push(...found);
    if (!json) for (const check of found) terminal.out(formatCheck(check, lang, terminal));
  });
  const exit = exitOf(checks);
  if (json) printJson(terminal, toDocument(checks, context, exit));
  return exit;
}

function toDocument(
  checks: readonly Check[],
  { lang }: CommandContext,
  exit: number,
): Readonly<Record<string, unknown>> {
  const shown = checks.map(({ name, state, found, fix, sizes }) => ({
    name,
    state,
    message: found[lang],
    fix: state === "ok" ? null : (fix?.[lang] ?? null),
    ...(sizes === undefined ? {} : { sizes }),
  }));
  return { command: "doctor", exit, checks: shown };
}

/** Makes the checks in the order in which people should repair failures. */
async function examine(
  context: CommandContext,
  parts: CheckInput,
  note: (found: readonly Check[]) => void,
): Promise<void> {
  const { env, runtime } = parts;
  const found = await findUsableConfig({ ...parts.configLocations, ...parts });
  const { config } = found;
  const debugging = checkDebugging(env, runtime);
  const settings = await examineSettings(parts, config);
  const ownFile = checkConfigFile(found);
  note([checkVersions(runtime), debugging, ...ownFile]);
  note(settings.checks);
  // No call is made where its token could be printed or its address is not confirmed.
  const isSafe = exitOf([debugging, ...ownFile, ...settings.checks]) === EXIT.done;
  note(
    isSafe
      ? await examineStore(context, parts, settings)
      : [...skipReach(), ...skipAccess(), skipPause(), skipDatabase(), skipStorage()],
  );
  const home = resolveHome(env, config);
  const hasServer = resolveDatabaseUrl(env, config) !== undefined;
  note([describeHome(home, hasServer), await checkDisk(home)]);
}

interface ExaminedSettings {
  readonly checks: readonly Check[];
  readonly baseUrl: string;
  readonly versions: Versions;
}

async function examineSettings(
  { env, givenEnv, secretError, logins }: DoctorParts,
  config: Config,
): Promise<ExaminedSettings> {
  const unusables: Check[] = [];
  if (secretError !== undefined) unusables.push(unusable(secretError, SECRET_FILES));
  let login: LoginSettings | undefined;
  try {
    login = await readLoginSettings({ env, config }, logins);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    unusables.push(unusableLogin(error));
  }
  let versions: Versions = {};
  try {
    versions = resolveVersions(env, config);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    unusables.push(unusableVersions(error));
  }
  const found = findSettings({ env, config, login });
  const isLoginUsed = Object.values(found).some(({ source }) => source === "login");
  const chosen = login && (await chooseLogin({ env, config }, logins));
  const own = isLoginUsed && chosen !== undefined ? [describeLogin(chosen.login)] : [];
  const named = chosen === undefined ? [] : [describeStore(chosen, (await logins.read()).stores)];
  const checks = [...unusables, ...named, ...checkSettings(found, givenEnv), ...own];
  return { checks, baseUrl: found.CATALOG_BASE_URL.value, versions };
}

const SECRET_FILES = {
  name: "secret_files",
  label: { tr: "Gizli dosyalar", en: "Secret files" },
} as const;

const unusableLogin = (error: UsageError): Check => unusable(error, STORED_LOGIN);

const unusableVersions = (error: UsageError): Check =>
  unusable(error, {
    name: "api_version_setting",
    label: { tr: "Sürüm öneki", en: "Version prefix" },
  });

function unusable(error: UsageError, named: Pick<Check, "name" | "label">): Check {
  return {
    ...named,
    state: "fail",
    found: { tr: "kullanılamıyor", en: "cannot be used" },
    fix: error.localized,
    exit: describeFailure(error, "en", false).exit,
  };
}

async function examineStore(
  context: CommandContext,
  { fetch, mayFix }: CheckInput,
  { baseUrl, versions }: Pick<ExaminedSettings, "baseUrl" | "versions">,
): Promise<readonly Check[]> {
  const { clock, stop } = context;
  let opened: Connection;
  try {
    opened = await context.openConnection({ freshToken: true, patienceMs: PATIENCE_MS });
  } catch (error) {
    if (error instanceof ClientError) {
      const skipped = [...skipReach(), ...skipAccess(), skipPause(), skipDatabase(), skipStorage()];
      return [refusedSettings(error), ...skipped];
    }
    if (!(error instanceof DatabaseError)) throw error;
    const reach = await checkReach({ baseUrl, fetch, clock, stop });
    return [...reach, ...skipAccess(), skipPause(), closedDatabase(error), skipStorage()];
  }
  await using connection = opened;
  if (mayFix) await connection.meters.pacing.clear();
  const reach = await checkReach({ baseUrl, fetch, clock, stop });
  const access =
    exitOf(reach) === EXIT.done && (await connection.meters.pacing.pause()) === undefined
      ? await checkAccess({
          login: () => connection.client.login({ signal: stop }),
          countProducts: () => connection.marketplace.countProducts("approved", stop),
          stop,
          versions: listVersions("product", versions),
          listWith: (version) => listWith(context, version),
        })
      : skipAccess();
  return [
    ...reach,
    ...access,
    await checkPause(connection.meters.pacing, clock.now()),
    ...(await checkFile(connection, await context.openAlerts?.())),
  ];
}

/** A damaged file is not read a second time. */
async function checkFile(
  connection: Connection,
  alerts: Alerts | undefined,
): Promise<readonly Check[]> {
  const database = await checkDatabaseOf(connection);
  if (database.state !== "ok") return [database, skipStorage()];
  const separation = toSeparationCheck(await connection.readSeparation());
  return [
    await checkHeld(connection),
    await checkPeriods(connection),
    await checkAlerts(connection, alerts),
    database,
    ...(separation === undefined ? [] : [separation]),
    await checkStorage(connection),
  ];
}

/** Lists with the token that was just fetched and is cached. */
async function listWith(context: CommandContext, version: Version): Promise<"there" | "missing"> {
  const versions = { product: version };
  await using connection = await context.openConnection({ versions, patienceMs: PATIENCE_MS });
  try {
    await connection.marketplace.countProducts("approved", context.stop);
    return "there";
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    // A missing permission shows that the address exists.
    return error instanceof PermissionError ? "there" : "missing";
  }
}

/** The check of an address that is invalid or to which a token must not be sent. */
function refusedSettings(error: ClientError): Check {
  const tr = describeFailure(error, "tr", false);
  const en = describeFailure(error, "en", false);
  return {
    name: "settings",
    state: "fail",
    label: { tr: "Ayarlar", en: "Settings" },
    found: { tr: "kabul edilmedi", en: "refused" },
    fix: { tr: tr.text, en: en.text },
    exit: tr.exit,
  };
}
