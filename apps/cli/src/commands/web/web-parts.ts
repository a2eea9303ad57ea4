/** What the page needs of this program: its commands, its login and a local marketplace. */

import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { EXIT } from "@catalog/console";
import type { WebContext, WebLogin, WebParts } from "@catalog/web/command";
import type { WorkerParts } from "@catalog/worker";

import { describeFailure } from "../../failure.ts";
import { readLoginSettings } from "../../login/login-settings.ts";
import { findProgramName } from "../../program-name.ts";
import { type Config, findSettings, resolveHome } from "../../settings/settings.ts";
import { findUsableConfig } from "../../trust/config-trust.ts";
import type { DoctorParts } from "../doctor/index.ts";
import type { LoginParts } from "../login/index.ts";
import { storeLogin } from "../login/run.ts";
import { openMarketplace } from "./marketplace.ts";

const SAMPLE = fileURLToPath(
  new URL("../../../../../templates/ornek-katalog.xlsx", import.meta.url),
);

/** Puts the parts together from those of other commands. */
export function createWebParts(
  parts: LoginParts & Pick<DoctorParts, "runtime">,
): WebParts & WorkerParts {
  const { env, cwd, logins, configLocations, runtime } = parts;
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
    env,
    sampleFile: SAMPLE,
    readHome: async () => resolveHome(env, await readConfig()),
    readStores: async (path) => {
      const { readStoreList } = await import("../../settings/store-list.ts");
      return await readStoreList(resolve(cwd, path), process.getuid?.());
    },
    async hasLogin() {
      const config = await readConfig();
      const login = await readLoginSettings({ env, config }, logins);
      const found = findSettings({ env, config, login });
      return Object.values(found).every(({ source }) => source !== "nowhere");
    },
    logIn: (context: WebContext, login: WebLogin) => storeLogin(context, logins, login),
    startSandbox: (options) => openMarketplace(options),
    describeError(error, lang) {
      const { code, text, exit } = describeFailure(error, lang, false);
      return exit === EXIT.bug ? undefined : { code, text, isLogin: exit === EXIT.login };
    },
  };
}

/** What the program was started with to take less memory; the commands that it starts get the same. */
const memoryFlags = (execArgv: readonly string[]): readonly string[] =>
  execArgv.filter((flag) => flag.startsWith("--max-semi-space-size="));
