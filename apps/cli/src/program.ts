/** Parses a command line, runs the command and turns any error into text and exit code. */

import { dirname, resolve } from "node:path";

import type { Clock } from "@catalog/clock";
import { createLogTerminal, EXIT, readFlag, type Terminal, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

// `import type` loads nothing at run time, unlike `import { type … }`.
import type { ParsedCommand } from "./command-line/parse.ts";
import { isOfStore, splitValues } from "./command-line/words.ts";
import { COMPLETE_FLAG, completeWords } from "./commands/completion/index.ts";
import type { Command, CommandContext } from "./context.ts";
import { isPathName } from "./installation.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { OpeningSession } from "./open-connection.ts";
import type { Config } from "./settings/config-schema.ts";
import {
  type ConfigLocations,
  createConfigCheck,
  findUsableConfig,
  type FoundConfig,
} from "./settings/config-trust.ts";
import type { LoginStore } from "./settings/login-store.ts";
import { assertLang, assertSilent, type Environment, resolveLang } from "./settings/settings.ts";
import type { OpenedTracing } from "./tracing.ts";

export interface ProgramOptions {
  readonly commands: readonly Command[];
  /** The words after the program's name. */
  readonly argv: readonly string[];
  readonly env: Environment;
  readonly cwd: string;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly random: () => number;
  readonly stop: AbortSignal;
  /** Takes the progress of the command. @default nobody asks */
  readonly onProgress?: CommandContext["onProgress"];
  /** Whether the program that has started this one still runs. @default true */
  readonly hasParent?: CommandContext["hasParent"];
  readonly configLocations: ConfigLocations;
  /** Name of the person. @default unknown */
  readonly user?: string | undefined;
  /** Id of that person at a server of several. @default the person has none */
  readonly person?: number | undefined;
  /** Version of the program; its first word is the version alone. @default ? */
  readonly version?: string;
  /** The stored logins. @default none */
  readonly logins?: Pick<LoginStore, "read">;
  /** Why a file that the environment names for a secret cannot be used. @default all can */
  readonly secretError?: UsageError | undefined;
  /**
   * Finds the logins of feeds; `named` says where one is, and `listed` has those of the store in a list
   * of stores. @default none are known
   */
  readonly openFeedLogins?: (
    named: string | undefined,
    hostKey: string | undefined,
    listed: string | undefined,
  ) => ReturnType<NonNullable<CommandContext["openFeedLogins"]>>;
  /** Opens the alerts. @default nobody is told */
  readonly openAlerts?: CommandContext["openAlerts"];
  readonly openWebhooks?: CommandContext["openWebhooks"];
  /** Ids of the store's runs, for completion. @default none */
  readonly readRunIds?: (config: Config) => Promise<readonly string[]>;
  /** Names of the stores, for completion. @default none */
  readonly readStoreNames?: () => Promise<readonly string[]>;
}

const VERSION_FLAG = "--version";

/** The command that makes no call in such an environment and explains what is wrong with it. */
const SELF_CHECK = "doctor";

/** Runs one command line. Returns the exit code; never throws. */
export async function runProgram(options: ProgramOptions): Promise<number> {
  const { argv, env, terminal } = options;
  const { words } = splitValues(argv);
  let lang = resolveLang(words, env);
  let chosen: ParsedCommand | undefined;
  let run: string | undefined;
  const onRun = (id: string): void => void (run = id);
  try {
    if (argv[0] === COMPLETE_FLAG) return await complete(options);
    if (argv[0] === VERSION_FLAG) {
      terminal.out(`${options.version ?? "?"}\n`);
      return EXIT.done;
    }
    const found = await findConfig(options);
    lang = resolveLang(words, env, found.file?.config);
    const { parseCommandLine } = await import("./command-line/parse.ts");
    const parsed = await parseCommandLine(options.commands, argv, {
      lang,
      columns: terminal.outColumns,
    });
    if (parsed.kind === "help") {
      showHelp(terminal, parsed.text);
      return EXIT.done;
    }
    chosen = parsed;
    assertUsable(options, parsed.command);
    return await runCommand(options, { found, lang, chosen, onRun, readRun: () => run });
  } catch (error) {
    // Code for failures is loaded only after one.
    const { describeFailure, nameRun, toErrorDocument } = await import("./failure.ts");
    const failure = nameRun(describeFailure(error, lang, options.stop.aborted), run);
    const shown = chosen === undefined ? terminal : toLogIfAsked(options, chosen);
    shown.err(`${failure.text}\n`);
    if (words.includes("--json")) {
      terminal.out(toErrorDocument(failure, { command: chosen?.command.name, run }));
    }
    return failure.exit;
  }
}

/** Throws where the environment cannot be used; the self-check explains what is wrong with it. */
function assertUsable({ env, secretError }: ProgramOptions, { name }: Command): void {
  assertLang(env);
  if (name === SELF_CHECK) return;
  assertSilent(env);
  // A command that reads no secret runs with a wrong one, too.
  const needsSecrets = isOfStore(name) || name === "db";
  if (secretError !== undefined && needsSecrets) throw secretError;
}

/** Commands that run until they are stopped; what they do is a trace of its own. */
const LASTING: ReadonlySet<string> = new Set(["mcp", "sandbox", "web", "worker"]);

/** Prints help. Where the program has only a long path, its lines begin with the plain name. */
function showHelp(terminal: ProgramOptions["terminal"], text: string): void {
  if (isPathName(terminal.program ?? "catalog")) terminal.outFile(`${text}\n`);
  else terminal.out(`${text}\n`);
}

async function runCommand(options: ProgramOptions, session: Session): Promise<number> {
  const { command, flags } = session.chosen;
  const { env, version = "?" } = options;
  await using tracing = await openTracing(env, version);
  const context = await createContext(options, session, tracing);
  const run = (): Promise<number> => runOrGoOn(context, session);
  if (tracing === null || LASTING.has(command.name) || flags["every"] !== undefined) {
    return await run();
  }
  return await tracing.span(
    { name: `catalog ${command.name}`, toAttributes: (exit) => ({ "process.exit.code": exit }) },
    run,
  );
}

const TRACING_VARIABLE = "CATALOG_OTEL";

/** Opens tracing where the environment asks for it; its libraries are loaded only then. */
async function openTracing(env: Environment, version: string): Promise<OpenedTracing | null> {
  const text = env[TRACING_VARIABLE] ?? "";
  if (text === "" || text === "0") return null;
  if (text === "1") return (await import("./tracing.ts")).openTracing(env, version);
  throw new UsageError({
    tr: `${TRACING_VARIABLE} "${text}" anlaşılamadı. İzleri göndermek için 1 verin ya da kaldırın.`,
    en: `${TRACING_VARIABLE} "${text}" is not understood. Give 1 to send traces, or leave it out.`,
  });
}

/** Runs the command, and continues its run as often as a replica takes over the database. */
async function runOrGoOn(
  context: CommandContext,
  { chosen: { command, flags }, readRun }: Session,
): Promise<number> {
  let work = (): Promise<number> => command.run(context, flags);
  for (let before: unknown; ;) {
    try {
      return await work();
    } catch (error) {
      const run = readRun();
      if (error === before || run === undefined || command.goOn === undefined) throw error;
      const { TakenOverError } = await import("@catalog/connection");
      if (!(error instanceof TakenOverError)) throw error;
      before = error;
      const broken = { command: command.name, run, error };
      work = async () => (await command.goOn?.(context, flags, broken)) ?? EXIT.bug;
    }
  }
}

const findConfig = ({ cwd, env, logins, configLocations }: ProgramOptions): Promise<FoundConfig> =>
  findUsableConfig({ ...configLocations, cwd, env, logins });

/** Prints the completions of the last word, one a line. */
async function complete(options: ProgramOptions): Promise<number> {
  const { argv, commands, terminal, readRunIds, readStoreNames } = options;
  const answers = await completeWords(argv.slice(1), {
    commands,
    readStoreNames: async () => (await readStoreNames?.()) ?? [],
    readRunIds: async () => (await readRunIds?.((await findConfig(options)).config)) ?? [],
  });
  for (const answer of answers) terminal.out(`${answer}\n`);
  return EXIT.done;
}

interface Session {
  readonly found: FoundConfig;
  readonly lang: Lang;
  readonly chosen: ParsedCommand;
  /** Takes the id of the run that the command works on. */
  readonly onRun: (runId: string) => void;
  /** Returns that id; `undefined` for none. */
  readonly readRun: () => string | undefined;
}

async function createContext(
  options: ProgramOptions,
  { found, lang, chosen, onRun }: Session,
  tracing: OpenedTracing | null,
): Promise<CommandContext> {
  const { clock, cwd, env, stop } = options;
  const json = chosen.flags["json"] === true;
  const terminal = toLogIfAsked(options, chosen);
  const { trusted } = options.configLocations;
  const canAsk = terminal.canAsk && !json;
  const gate = createConfigCheck({ found, trusted, terminal, clock, lang, canAsk });
  const images = await readImageSettings(found, env);
  const opening = async (): Promise<OpeningSession> => {
    const { askOnce } = await import("./open-connection.ts");
    const { command, flags } = chosen;
    question ??= askOnce({ terminal, lang, canAsk });
    return { gate, lang, command, flags, tracing, onRun, ask: question };
  };
  let question: OpeningSession["ask"];
  const findStores: CommandContext["findStores"] = async (scope) => {
    const { findStoresOf } = await import("./open-connection.ts");
    return await findStoresOf(options, await opening(), scope);
  };
  const { openFeedLogins } = options;
  return {
    lang,
    json,
    quiet: chosen.flags["quiet"] === true,
    terminal,
    clock,
    stop,
    // Image settings may name a program to run, or an address for uploads.
    get images() {
      return gate.isOpen ? images : undefined;
    },
    get limits() {
      return gate.config.limits;
    },
    get fileTexts() {
      return gate.config;
    },
    openFeedLogins:
      openFeedLogins &&
      (async (named, hostKey) => {
        const [store] = env["CATALOG_STORES"] ? await findStores("one") : [];
        const listed = store?.environment["CATALOG_FEED_LOGINS"];
        return await openFeedLogins(named, hostKey, listed);
      }),
    openAlerts: options.openAlerts,
    openWebhooks: options.openWebhooks,
    user: options.user,
    onProgress: options.onProgress,
    hasParent: options.hasParent,
    resolve: (path) => resolve(cwd, path),
    async openConnection(overrides = {}) {
      const { openConnectionOf } = await import("./open-connection.ts");
      return await openConnectionOf({ ...options, terminal }, await opening(), overrides);
    },
    findStores,
  };
}

/** The terminal; of a command that keeps running without one, and where flags ask for it, a log. */
function toLogIfAsked(
  { terminal, clock }: ProgramOptions,
  { command, flags }: ParsedCommand,
): Terminal {
  const given = readFlag.word(flags, "log-format", ["text", "json"]);
  const isLasting = command.name === "worker" || flags["every"] !== undefined;
  const format = given ?? (isLasting && !terminal.isTerminal ? "text" : undefined);
  if (format === undefined) return terminal;
  return createLogTerminal(terminal, { format, clock, json: flags["json"] === true });
}

async function readImageSettings(
  { file }: FoundConfig,
  env: Environment,
): Promise<CommandContext["images"]> {
  if (file === undefined) return undefined;
  const { images, limits } = file.config;
  if (images === undefined) return limits && { limits };
  const { toImageOptions } = await import("./settings/config-schema.ts");
  return { ...toImageOptions(images, { env, folder: dirname(file.path) }), limits };
}
