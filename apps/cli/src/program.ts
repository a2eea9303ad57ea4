/** Parses a command line, runs the command and turns any error into text and exit code. */

import { dirname, resolve } from "node:path";

import type { Clock } from "@catalog/clock";
import type { ConnectionOverrides } from "@catalog/connection";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Connection, SpanAttributes, Tracing } from "@catalog/connection";
import {
  createLogTerminal,
  durationFlag,
  EXIT,
  LOG_FORMATS,
  readOrigin,
  type Terminal,
} from "@catalog/console";
import type { Lang, Localized } from "@catalog/i18n";

import { splitValues } from "./command-words.ts";
import { COMPLETE_FLAG, completeWords } from "./completion-words.ts";
import type { Command, CommandContext } from "./context.ts";
import { assertSilent } from "./debugging.ts";
import { readLoginSettings } from "./login/login-settings.ts";
import type { LoginStore } from "./login/login-store.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { ParsedCommand } from "./parse-command-line.ts";
import { isPathName } from "./program-name.ts";
import { type ConfigCheck, createConfigCheck } from "./settings/config-gate.ts";
import { resolveMarkFolder } from "./settings/mark-folder.ts";
import {
  assertLang,
  type Config,
  type Environment,
  NEEDED_SETTINGS,
  resolveLang,
  resolveSettings,
} from "./settings/settings.ts";
import { openTracingOf } from "./tracing/tracing-setting.ts";
import { type ConfigLocations, findUsableConfig, type FoundConfig } from "./trust/config-trust.ts";

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
  readonly configLocations: ConfigLocations;
  /** Name of the person. @default unknown */
  readonly user?: string | undefined;
  /** Version of the program; its first word is the version alone. @default ? */
  readonly version?: string;
  /** The stored login. @default none */
  readonly logins?: Pick<LoginStore, "read">;
  /** Ids of the store's runs, for completion. @default none */
  readonly readRunIds?: (config: Config) => Promise<readonly string[]>;
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
    const { parseCommandLine } = await import("./parse-command-line.ts");
    const parsed = await parseCommandLine(options.commands, argv, {
      lang,
      columns: terminal.outColumns,
    });
    if (parsed.kind === "help") {
      showHelp(terminal, parsed.text);
      return EXIT.done;
    }
    chosen = parsed;
    assertLang(env);
    if (parsed.command.name !== SELF_CHECK) assertSilent(env);
    return await runCommand(options, { found, lang, chosen, onRun, readRun: () => run });
  } catch (error) {
    // Code for failures is loaded only after one.
    const { describeFailure, nameRun } = await import("./failure.ts");
    const failure = nameRun(describeFailure(error, lang, options.stop.aborted), run);
    const shown = chosen === undefined ? terminal : toLogIfAsked(options, chosen);
    shown.err(`${failure.text}\n`);
    if (words.includes("--json")) {
      const { toErrorDocument } = await import("./error-document.ts");
      terminal.out(toErrorDocument(failure, { command: chosen?.command.name, run }));
    }
    return failure.exit;
  }
}

/** Commands that run until they are stopped; what they do is a trace of its own. */
const LASTING: ReadonlySet<string> = new Set(["sandbox", "web", "worker"]);

/** Prints help. Where the program has only a long path, its lines begin with the plain name. */
function showHelp(terminal: ProgramOptions["terminal"], text: string): void {
  if (isPathName(terminal.program ?? "catalog")) terminal.outFile(`${text}\n`);
  else terminal.out(`${text}\n`);
}

async function runCommand(options: ProgramOptions, session: UntracedSession): Promise<number> {
  const { command, flags } = session.chosen;
  const { env, version = "?" } = options;
  await using tracing = await openTracingOf({ env, version });
  const context = await createContext(options, { ...session, tracing });
  const run = (): Promise<number> => runOrGoOn(context, session);
  if (tracing === null || LASTING.has(command.name) || flags["every"] !== undefined) {
    return await run();
  }
  return await tracing.span({ name: `catalog ${command.name}`, toAttributes: toExitCode }, run);
}

/** Runs the command, and goes on with its run as often as a replica takes over the database. */
async function runOrGoOn(
  context: CommandContext,
  { chosen: { command, flags }, readRun }: UntracedSession,
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

const toExitCode = (exit: number): SpanAttributes => ({ "process.exit.code": exit });

const findConfig = ({ cwd, env, logins, configLocations }: ProgramOptions): Promise<FoundConfig> =>
  findUsableConfig({ ...configLocations, cwd, env, logins });

/** Prints the completions of the last word, one a line. */
async function complete(options: ProgramOptions): Promise<number> {
  const { argv, commands, terminal, readRunIds } = options;
  const answers = await completeWords(argv.slice(1), {
    commands,
    readRunIds: async () => (await readRunIds?.((await findConfig(options)).config)) ?? [],
  });
  for (const answer of answers) terminal.out(`${answer}\n`);
  return EXIT.done;
}

interface UntracedSession {
  readonly found: FoundConfig;
  readonly lang: Lang;
  readonly chosen: ParsedCommand;
  /** Takes the id of the run that the command works on. */
  readonly onRun: (runId: string) => void;
  /** Returns that id; `undefined` for none. */
  readonly readRun: () => string | undefined;
}

interface Session extends UntracedSession {
  readonly tracing: Tracing | null;
}

async function createContext(
  options: ProgramOptions,
  { found, lang, chosen, tracing, onRun }: Omit<Session, "readRun">,
): Promise<CommandContext> {
  const { clock, cwd, env, stop } = options;
  const json = chosen.flags["json"] === true;
  const terminal = toLogIfAsked(options, chosen);
  const { trusted } = options.configLocations;
  const canAsk = terminal.canAsk && !json;
  const gate = createConfigCheck({ found, trusted, terminal, clock, lang, canAsk });
  const images = await readImageSettings(found, env);
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
    user: options.user,
    onProgress: options.onProgress,
    resolve: (path) => resolve(cwd, path),
    openConnection: (overrides = {}) =>
      openConnectionOf({ ...options, terminal }, { gate, lang, chosen, tracing, onRun }, overrides),
  };
}

/** The terminal; of a command that keeps running without one, and where flags ask for it, a log. */
function toLogIfAsked(
  { terminal, clock }: ProgramOptions,
  { command, flags }: ParsedCommand,
): Terminal {
  const given = LOG_FORMATS.find((format) => format === flags["log-format"]);
  const isLasting = command.name === "worker" || flags["every"] !== undefined;
  const format = given ?? (isLasting && !terminal.isTerminal ? "text" : undefined);
  if (format === undefined) return terminal;
  return createLogTerminal(terminal, { format, clock, json: flags["json"] === true });
}

/** How long work waits for a database that is away, in milliseconds. */
const WAIT_MS = 30_000;
const LONG_WAIT_MS = 600_000;

const toWaitMs = ({ isPatient = false }: Command): number => (isPatient ? LONG_WAIT_MS : WAIT_MS);

async function openConnectionOf(
  { clock, random, env, logins, terminal, user, stop }: ProgramOptions,
  {
    gate,
    lang,
    chosen,
    tracing,
    onRun,
  }: Omit<Session, "found" | "readRun"> & { readonly gate: ConfigCheck },
  overrides: ConnectionOverrides,
): Promise<Connection> {
  const { given, ...rest } = overrides;
  // A command that brings its own store needs no configuration file.
  const isGiven = NEEDED_SETTINGS.every((name) => given?.[name]);
  const config = isGiven ? gate.config : await gate.open();
  const [{ openConnection }, { createOutageNotices, createWaitNotices }, { resolveVersions }] =
    await Promise.all([
      import("@catalog/connection"),
      import("./terminal/wait-notices.ts"),
      import("./settings/version-settings.ts"),
    ]);
  const all = { ...env, ...given };
  const login = logins && (await readLoginSettings({ env: all, config }, logins));
  const { clientKey, clientSecret, ...settings } = resolveSettings(all, config, login);
  const concurrency = rest.concurrency ?? settings.concurrency;
  const requestsPerHour = rest.requestsPerHour ?? settings.requestsPerHour;
  const credentials = { clientKey, clientSecret };
  const waitMs = durationFlag(chosen.flags, "wait");
  const onWait = (busy: Localized): void => terminal.err(`${describeLockWait(busy[lang], lang)}\n`);
  const connection = await openConnection({
    ...settings,
    markFolder: resolveMarkFolder(all, settings.home, process.platform),
    command: `catalog ${chosen.command.name}`,
    credentials,
    clock,
    random,
    concurrency,
    requestsPerHour,
    readPace: rest.readPace,
    priceUnit: rest.priceUnit ?? settings.priceUnit,
    freshToken: rest.freshToken,
    patienceMs: rest.patienceMs,
    retries: rest.retries,
    timeoutMs: rest.timeoutMs,
    versions: rest.versions ?? resolveVersions(all, config),
    databaseWait: {
      maxMs: settings.databaseWaitMs ?? toWaitMs(chosen.command),
      stop,
      onOutage: createOutageNotices({ terminal, lang }),
    },
    onRun,
    maker: { origin: rest.origin ?? readOrigin(env), user: user ?? null },
    tracing: tracing ?? undefined,
    lockWait: waitMs === undefined ? undefined : { maxMs: waitMs, stop, onWait },
  });
  createWaitNotices({ waits: connection.meters.waits, terminal, lang });
  return connection;
}

/** The first sentence of the refusal names the holder; the advice after it is for those who do not wait. */
function describeLockWait(busy: string, lang: Lang): string {
  const [holder = busy] = busy.split(/(?<=\.) /u);
  return lang === "tr"
    ? `${holder} Bitmesi bekleniyor; vazgeçmek için Ctrl-C.`
    : `${holder} Waiting until it ends; Ctrl-C gives up.`;
}

async function readImageSettings(
  { file }: FoundConfig,
  env: Environment,
): Promise<CommandContext["images"]> {
  if (file === undefined) return undefined;
  const { images, limits } = file.config;
  if (images === undefined) return limits && { limits };
  const { toImageOptions } = await import("./settings/image-settings.ts");
  return { ...toImageOptions(images, { env, folder: dirname(file.path) }), limits };
}
