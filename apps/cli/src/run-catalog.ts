/** Assembles the program from its process, and runs one command line. */

import { homedir, userInfo } from "node:os";
import { resolve } from "node:path";

import { systemClock } from "@catalog/clock";
import {
  FEED_LOGINS_VARIABLE,
  PERSON_ID_VARIABLE,
  PERSON_VARIABLE,
  UsageError,
} from "@catalog/console";

import { splitValues } from "./command-line/words.ts";
import { createCommands } from "./command-list.ts";
import { readToolVersion } from "./installation.ts";
import { type ProgramOptions, runProgram } from "./program.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { createAlertSecrets } from "./settings/alert-secrets.ts";
import { withStoreFlag } from "./settings/choose-store.ts";
import { createTrustStore } from "./settings/config-trust.ts";
import type { FeedLoginStore } from "./settings/feed-logins.ts";
import { createLoginStore, createSystemKeyring, type LoginStore } from "./settings/login-store.ts";
import { readSecretFiles } from "./settings/secret-files.ts";
import { createPrompts } from "./terminal/questions.ts";
import { createTerminal, type Streams } from "./terminal/terminal.ts";

/** The parts of the process that the program uses. */
export interface Surroundings extends Streams {
  /** The words after the program's name. */
  readonly argv: readonly string[];
  /** The file that starts the program in a process of its own. */
  readonly entry: string;
  readonly cwd: string;
  /** Words that start the program from every folder. @default catalog */
  readonly programAnywhere?: string;
  /** Options of Node itself. */
  readonly execArgv: readonly string[];
  /** Folder of the user's login and of the confirmations of configuration files. */
  readonly loginFolder: string;
  /** Aborts when a person or the system asks the program to end. */
  readonly stop: AbortSignal;
  /** Takes the progress of the command. @default nobody asks */
  readonly onProgress?: ProgramOptions["onProgress"];
  readonly hasParent?: ProgramOptions["hasParent"];
}

/** Runs one command line of the program. Returns the exit code; never throws. */
export async function runCatalog(around: Surroundings): Promise<number> {
  const { argv, cwd, stdin, stop } = around;
  const { words } = splitValues(argv);
  const filed = readSecretFiles(around.env, cwd);
  const env = withStoreFlag(filed.env, words);
  const version = readToolVersion(import.meta.dirname);
  const userId = process.getuid?.();
  const kept = { folder: around.loginFolder, ownerId: userId };
  const named = env["CATALOG_HOME"];
  const home = named ? resolve(cwd, named) : undefined;
  const places = { ...kept, home, keyring: createSystemKeyring() };
  const listed = env["CATALOG_STORES"];
  const logins = listed ? createLazyLogins(resolve(cwd, listed), userId) : createLoginStore(places);
  const openFeedLoginStore = async (
    folder = env[FEED_LOGINS_VARIABLE] || undefined,
  ): Promise<FeedLoginStore> => {
    const { createFeedLoginStore } = await import("./settings/feed-logins.ts");
    // A store of several has no logins but its own.
    const own = folder === undefined ? {} : { home: folder, folder };
    return createFeedLoginStore({ ...places, ...own });
  };
  const configLocations = { homeFolder: homedir(), userId, trusted: createTrustStore(kept) };
  return await runProgram({
    commands: createCommands({
      env,
      givenEnv: around.env,
      secretError: filed.error,
      cwd,
      logins,
      openFeedLoginStore,
      configLocations,
      prompts: createPrompts(around, stop),
      streams: around,
      readInput: async () => (stdin.isTTY ? undefined : await readInput(stdin)),
      fetch,
      program: around.programAnywhere ?? "catalog",
      runtime: {
        node: process.versions.node,
        tool: version,
        execArgv: around.execArgv,
        entry: around.entry,
      },
    }),
    version,
    argv,
    env,
    cwd,
    terminal: createTerminal(around, words, stop),
    clock: systemClock,
    random: Math.random,
    stop,
    onProgress: around.onProgress,
    hasParent: around.hasParent,
    user: env[PERSON_VARIABLE] || userInfo().username,
    person: Number(env[PERSON_ID_VARIABLE]) || undefined,
    logins,
    secretError: filed.error,
    readStoreNames: async () => (await logins.read()).stores.map(({ name }) => name),
    configLocations,
    async openFeedLogins(reference, hostKey, listedLogins) {
      const { openFeedLogins } = await import("./settings/feed-logins.ts");
      const stored = await openFeedLoginStore();
      return await openFeedLogins(
        { reference, hostKey },
        {
          env: listedLogins === undefined ? env : { ...env, CATALOG_FEED_LOGINS: listedLogins },
          resolve: (path) => resolve(cwd, path),
          stored,
        },
      );
    },
    async openAlerts() {
      const { createAlertSecrets } = await import("./settings/alert-secrets.ts");
      const { createAlerts } = await import("@catalog/jobs");
      const secrets = createAlertSecrets({ ...places, env });
      return createAlerts({ post: fetch, secrets, clock: systemClock });
    },
    openWebhooks: (allowHosts) => openWebhooks(allowHosts, { ...places, env }),
    async readRunIds(config) {
      const { readLocalRuns } = await import("./commands/completion/local-runs.ts");
      return await readLocalRuns({ env, config, logins, clock: systemClock });
    },
  });
}

type OpenWebhooks = NonNullable<ProgramOptions["openWebhooks"]>;

/** Opens the webhooks; their libraries are loaded with the first store of a server. */
async function openWebhooks(
  allowHosts: Parameters<OpenWebhooks>[0],
  places: Parameters<typeof createAlertSecrets>[0],
): ReturnType<OpenWebhooks> {
  const secrets = (await import("./settings/alert-secrets.ts")).createAlertSecrets(places);
  const { createWebhooks } = await import("@catalog/jobs");
  const { openGuardedPost } = await import("@catalog/images");
  return createWebhooks({ secrets, guard: openGuardedPost({ allowHosts }), clock: systemClock });
}

/** The stores of a list; its reader is loaded with the first question. */
function createLazyLogins(path: string, ownerId: number | undefined): LoginStore {
  const open = async (): Promise<LoginStore> =>
    (await import("./settings/store-list.ts")).createListedLogins(path, ownerId);
  return {
    path,
    read: async () => await (await open()).read(),
    write: async (...words) => await (await open()).write(...words),
    setDefault: async (name) => await (await open()).setDefault(name),
    rename: async (name, newName) => await (await open()).rename(name, newName),
    forget: async (name) => await (await open()).forget(name),
  };
}

/** More is no secret and no body of a call, in bytes. */
const MAX_INPUT_BYTES = 2_097_152;

/** Reads the standard input as text; one that is larger ends the command. */
async function readInput(stdin: Surroundings["stdin"]): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes > MAX_INPUT_BYTES) {
      throw new UsageError({
        tr: "Standart girdi 2 MB sınırını aşıyor.",
        en: "The standard input is over 2 MB.",
      });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
