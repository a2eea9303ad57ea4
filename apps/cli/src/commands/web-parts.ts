/** What the page, the worker and the schedules need of this program: its commands, its login and a
 * local marketplace. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { rename } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { type Clock, systemClock } from "@catalog/clock";
import { EXIT, isListenError, UsageError } from "@catalog/console";
import type { Localized } from "@catalog/i18n";
import { type Sandbox, startSandbox } from "@catalog/sandbox";
import type {
  WebContext,
  WebLogin,
  WebParts,
  WebSandbox,
  WebSandboxOptions,
} from "@catalog/web/command";
import type { WorkerParts } from "@catalog/worker";

import { describeFailure } from "../failure.ts";
import { findProgramName, readRegistry } from "../installation.ts";
import type { Config } from "../settings/config-schema.ts";
import { findUsableConfig } from "../settings/config-trust.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { toLogin } from "../settings/feed-logins.ts";
import {
  resolveHome,
  resolveUpdates,
  resolveKeepFilesDays,
  resolveUploadsBytes,
} from "../settings/settings.ts";
import type { DoctorParts } from "./doctor/index.ts";
import type { LoginParts } from "./login/index.ts";
import { storeLogin, tryLogin } from "./login/run.ts";

const SAMPLE = fileURLToPath(new URL("../../../../templates/ornek-katalog.xlsx", import.meta.url));

/** Puts the parts together from those of other commands. */
export function createWebParts(
  parts: LoginParts & Pick<DoctorParts, "fetch" | "runtime">,
): WebParts & WorkerParts {
  const { env, givenEnv = env, cwd, logins, configLocations, runtime } = parts;
  const readConfig = async (): Promise<Config> =>
    (await findUsableConfig({ ...configLocations, cwd, env, logins })).config;
  return {
    program: [process.execPath, ...memoryFlags(runtime.execArgv), runtime.entry],
    programName: findProgramName({
      path: env["PATH"],
      cwd,
      node: process.execPath,
      entry: runtime.entry,
      platform: process.platform,
    }),
    version: runtime.tool,
    cwd,
    // A command that is started reads the files of secrets itself.
    env: givenEnv,
    sampleFile: SAMPLE,
    readHome: async () => resolveHome(env, await readConfig()),
    readUploadsBytes: () => resolveUploadsBytes(env),
    readKeepFilesDays: () => resolveKeepFilesDays(env),
    readStores: async (path) => {
      const { readStoreList } = await import("../settings/store-list.ts");
      return await readStoreList(resolve(cwd, path), process.getuid?.());
    },
    logIn: (context: WebContext, login: WebLogin) => storeLogin(context, logins, login),
    feedLogins: openPageLogins(parts),
    openFeedLogins: (folder) =>
      openPageLogins({ ...parts, openFeedLoginStore: () => parts.openFeedLoginStore(folder) }),
    openTeam: async (context) => {
      const { openTeamOf } = await import("../open-team.ts");
      const settings = { env, config: await readConfig() };
      return await openTeamOf(settings, { ...context, command: "catalog web" });
    },
    async readSeparation() {
      const { readSeparationOf } = await import("../open-team.ts");
      return await readSeparationOf({ env, config: await readConfig() });
    },
    readOpenId: () => readOpenId(env),
    tryCredentials: (context, { baseUrl, storeId, clientKey, clientSecret }) =>
      tryLogin(context, {
        CATALOG_BASE_URL: baseUrl,
        CATALOG_CLIENT_KEY: clientKey,
        CATALOG_CLIENT_SECRET: clientSecret,
        CATALOG_STORE_ID: storeId,
      }),
    startSandbox: (options) => openMarketplace(options),
    fetch: parts.fetch,
    async readInstalled() {
      const found = readRegistry(dirname(runtime.entry));
      const asked = resolveUpdates(env, await readConfig());
      if (found === undefined || asked === false) return undefined;
      const { name, registry, isLocal } = found;
      const command = `npm install ${isLocal ? "" : "--global "}${name}`;
      return { name, command, version: runtime.tool, registry: asked ?? registry };
    },
    async readIcon() {
      const { file } = await findUsableConfig({ ...configLocations, cwd, env, logins });
      const home = homedir();
      return {
        system: { platform: process.platform, home, env, run: runProgram },
        program: [
          process.execPath,
          ...memoryFlags(runtime.execArgv),
          toLastingEntry(runtime.entry),
        ],
        folder: file === undefined ? home : dirname(file.path),
        isTemporary: /[/\\](?:_npx|dlx)[/\\]/u.test(runtime.entry),
      };
    },
    describeError(error, lang) {
      const { code, text, exit } = describeFailure(error, lang, false);
      return exit === EXIT.bug ? undefined : { code, text, isLogin: exit === EXIT.login };
    },
  };
}

/** Throws {@link UsageError} where only a part of it is given. */
function readOpenId(env: LoginParts["env"]): ReturnType<WebParts["readOpenId"]> {
  const given = OPENID_VARIABLES.map((name) => env[name] ?? "");
  if (given.every((value) => value === "")) return undefined;
  const [issuer = "", clientId = "", clientSecret = ""] = given;
  const url = URL.parse(issuer);
  const isSafe = url?.protocol === "https:" || url?.hostname === "127.0.0.1";
  if (given.includes("") || url === null || !isSafe) throw new UsageError(OPENID_PROBLEM);
  return { issuer, clientId, clientSecret, name: env["CATALOG_OPENID_NAME"] || url.hostname };
}

const OPENID_VARIABLES = [
  "CATALOG_OPENID_ISSUER",
  "CATALOG_OPENID_CLIENT_ID",
  "CATALOG_OPENID_SECRET",
] as const;

const OPENID_PROBLEM: Localized = {
  tr: "Kimlik sağlayıcı için üçü birden gerekir: CATALOG_OPENID_ISSUER (https://…), CATALOG_OPENID_CLIENT_ID ve CATALOG_OPENID_SECRET_FILE.",
  en: "An identity provider needs all three: CATALOG_OPENID_ISSUER (https://…), CATALOG_OPENID_CLIENT_ID and CATALOG_OPENID_SECRET_FILE.",
};

/** The logins of feeds, stored as the command line stores them. */
function openPageLogins({
  env,
  cwd,
  openFeedLoginStore,
}: Pick<LoginParts, "env" | "cwd" | "openFeedLoginStore">): WebParts["feedLogins"] {
  return {
    async open({ given, auth, hostKey }) {
      const { openFeedLogins, toLogin } = await import("../settings/feed-logins.ts");
      if (given) {
        const login = toLogin(toParts(given));
        return async () => login;
      }
      const stored = await openFeedLoginStore();
      const named = { reference: auth, hostKey };
      return await openFeedLogins(named, { env, resolve: (path) => resolve(cwd, path), stored });
    },
    async save(address, given) {
      const { toLogin } = await import("../settings/feed-logins.ts");
      await (await openFeedLoginStore()).write(address, toLogin(toParts(given)), "keyring");
    },
  };
}

/** A login as the page gives it. */
type PageLogin = Parameters<WebParts["feedLogins"]["save"]>[1];

const toParts = ({ hostKey, ...login }: PageLogin): Parameters<typeof toLogin>[0] =>
  hostKey === "" ? login : { ...login, hostKey };

/** In a checkout, the file that bundles the program anew where a source has changed. */
function toLastingEntry(entry: string): string {
  const source = resolve(dirname(entry), "../../apps/cli/bin/catalog.js");
  return existsSync(source) ? source : entry;
}

type IconRun = Awaited<ReturnType<WebParts["readIcon"]>>["system"]["run"];

/** Runs a program of the system, without a window. */
const runProgram: IconRun = async (program, words, env) => {
  try {
    const options = { env: { ...process.env, ...env }, windowsHide: true, timeout: 60_000 };
    return (await promisify(execFile)(program, [...words], options)).stdout;
  } catch {
    return undefined;
  }
};

/** What the program was started with to take less memory; the commands that it starts get the same. */
const memoryFlags = (execArgv: readonly string[]): readonly string[] =>
  execArgv.filter((flag) => flag.startsWith("--max-semi-space-size="));

/** Products that the store has at its first start. */
const PRODUCTS = 40;

/**
 * Starts it on the port of the last time. Throws {@link UsageError} where another program has that
 * port: on another one it would be another store, and all that was done would seem to be gone.
 */
async function openMarketplace(
  options: WebSandboxOptions,
  clock: Clock = systemClock,
): Promise<WebSandbox> {
  const { port, statePath } = options;
  const sandbox = await startOn(port).catch((error: unknown) => {
    throw isListenError(error) ? new UsageError(takenPort(options), { cause: error }) : error;
  });
  try {
    if (existsSync(statePath)) await sandbox.restore(statePath).catch(ignoreOther);
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  const ending = new AbortController();
  const saved = keepState({ sandbox, statePath, clock, signal: ending.signal });
  return {
    port: Number(new URL(sandbox.baseUrl).port),
    settings: {
      CATALOG_BASE_URL: sandbox.baseUrl,
      CATALOG_CLIENT_KEY: sandbox.clientKey,
      CATALOG_CLIENT_SECRET: sandbox.clientSecret,
      CATALOG_STORE_ID: sandbox.storeId,
    },
    async [Symbol.asyncDispose]() {
      ending.abort(new Error("closed"));
      await saved;
      await saveState(sandbox, statePath);
      await sandbox.close();
    },
  };
}

/** Writes beside the file and renames, so that a killed process leaves the state before or after. */
async function saveState(sandbox: Sandbox, statePath: string): Promise<void> {
  const path = `${statePath}.new`;
  await sandbox.snapshot(path);
  await rename(path, statePath);
}

const SAVE_EVERY_MS = 1_000;
/** Saving a large store may take no more than a tenth of the time. */
const REST = 10;

interface KeepOptions {
  readonly sandbox: Sandbox;
  readonly statePath: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/**
 * Saves the state soon after each change, as a process that is killed saves nothing at its end, and
 * its runs would speak of products that the store no longer has.
 */
async function keepState({ sandbox, statePath, clock, signal }: KeepOptions): Promise<void> {
  let seen = -1;
  let waitMs = 0;
  while (!signal.aborted) {
    const { requests } = sandbox.stats();
    if (requests !== seen) {
      const beganMs = clock.now();
      // A full disk is met again at the end, where it is an error.
      await saveState(sandbox, statePath).catch(() => undefined);
      seen = requests;
      waitMs = (clock.now() - beganMs) * REST;
    }
    await clock.sleep(Math.max(SAVE_EVERY_MS, waitMs), signal).catch(() => undefined);
  }
}

const startOn = (port: number): Promise<Sandbox> => startSandbox({ port, products: PRODUCTS });

/** A state that another version wrote is left out; the store begins anew. */
function ignoreOther(error: unknown): void {
  if (!(error instanceof RangeError)) throw error;
}

const takenPort = ({ port, statePath }: WebSandboxOptions): Localized => ({
  tr: `Yerel mağaza ${port} numaralı portta açılır, ama o portu başka bir program kullanıyor. O programı kapatıp yeniden deneyin. Yerel mağazaya baştan başlamak isterseniz şu klasörü silin: ${dirname(statePath)}`,
  en: `The local store opens on port ${port}, which another program uses. Close that program and try again. To begin with a new local store, remove this folder: ${dirname(statePath)}`,
});
