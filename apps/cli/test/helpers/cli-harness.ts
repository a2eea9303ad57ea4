/** The whole program in a temporary folder, with or without a person. */

import { dirname, join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { type Sandbox, type SandboxOptions, startSandbox } from "@catalog/sandbox";
import { expect, onTestFinished } from "vitest";

import { createCommands } from "../../src/command-list.ts";
import { readLocalRuns } from "../../src/commands/completion/local-runs.ts";
import type { Runtime } from "../../src/commands/doctor/local-checks.ts";
import { runProgram } from "../../src/program.ts";
import { withStoreFlag } from "../../src/settings/choose-store.ts";
import { type ConfigLocations, createTrustStore } from "../../src/settings/config-trust.ts";
import { createFeedLoginStore, type FeedLoginStore } from "../../src/settings/feed-logins.ts";
import { createLoginStore, type LoginStore } from "../../src/settings/login-store.ts";
import { readSecretFiles } from "../../src/settings/secret-files.ts";
import type { Environment } from "../../src/settings/settings.ts";
import { createFakeKeyring, type FakeKeyring, type KeyringKind } from "./fake-keyring.ts";
import { createFakeTerminal } from "./fake-terminal.ts";
import { createFolder } from "./temporary-folder.ts";

export interface CliHarnessOptions {
  readonly keyring?: KeyringKind;
  /** Answers of a person, in order. @default no question can be asked */
  readonly answers?: readonly (string | undefined)[];
  /** Piped standard input. @default the standard input is a terminal */
  readonly input?: string;
  readonly env?: Environment;
  readonly files?: Readonly<Record<string, string>>;
  readonly runtime?: Partial<Runtime>;
  /** Time of the machine's clock. @default the real one */
  readonly nowMs?: number;
  readonly fetch?: typeof fetch;
}

export interface Ended {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

export interface CliHarness {
  readonly folder: string;
  readonly logins: LoginStore;
  readonly keyring: FakeKeyring;
  /** Questions asked so far; those for a secret begin with an asterisk. */
  readonly questions: readonly string[];
  readonly run: (...argv: readonly string[]) => Promise<Ended>;
}

/** Folders of these tests' configuration files and confirmations. */
export function createConfigLocations(folder: string): ConfigLocations {
  const userId = process.getuid?.();
  const trusted = createTrustStore({ folder: join(folder, "config"), ownerId: userId });
  return { homeFolder: dirname(folder), userId, trusted };
}

/** The prefixes of a sandbox's secrets, plain and encoded for an address. */
const SECRETS = /sandbox-(?:secret|token)(?::|%3A)/u;

export function createCliHarness(options: CliHarnessOptions = {}): CliHarness {
  const folder = createFolder(options.files);
  const keyring = createFakeKeyring(options.keyring);
  const givenEnv: Environment = { CATALOG_HOME: join(folder, "home"), ...options.env };
  const loginPlaces = {
    folder: join(folder, "config"),
    home: givenEnv["CATALOG_HOME"],
    keyring,
    ownerId: process.getuid?.(),
  };
  const logins = createLoginStore(loginPlaces);
  const openFeedLoginStore = async (): Promise<FeedLoginStore> => createFeedLoginStore(loginPlaces);
  const questions: string[] = [];
  const answers = [...(options.answers ?? [])];
  const prompts = {
    ask: async (question: string, initial: string) => {
      questions.push(`${question} [${initial}]`);
      return answers.shift();
    },
    askSecret: async (question: string) => {
      questions.push(`* ${question}`);
      return answers.shift();
    },
  };
  const ask = async (question: string): Promise<boolean | undefined> => {
    questions.push(question);
    const answer = answers.shift();
    return answer === undefined ? undefined : answer === "Evet" || answer === "Yes";
  };
  const clock = createFakeClock(options.nowMs ?? Date.now());
  const usual = { node: "24.21.0", tool: "1.2.3", execArgv: [], entry: "/none" };
  const runtime = { ...usual, ...options.runtime };
  const readInput = async (): Promise<string | undefined> => options.input;
  const { fetch = globalThis.fetch } = options;
  const configLocations = createConfigLocations(folder);
  const places = { cwd: folder, logins, configLocations, program: "catalog" };
  const parts = { ...places, openFeedLoginStore, prompts, readInput, fetch, runtime };
  const choose = async (
    question: string,
    choices: readonly { readonly value: string }[],
  ): Promise<string | undefined> => {
    questions.push(`${question} ${choices.map(({ value }) => value).join(" | ")}`);
    return answers.shift();
  };

  return {
    folder,
    logins,
    keyring,
    questions,
    async run(...argv) {
      const terminal = createFakeTerminal();
      const filed = readSecretFiles(givenEnv, folder);
      const env = withStoreFlag(filed.env, argv);
      const secrets = { givenEnv, secretError: filed.error };
      const exit = await runProgram({
        commands: createCommands({ ...parts, ...secrets, env, streams: process }),
        argv,
        env,
        cwd: folder,
        terminal: { ...terminal, canAsk: options.answers !== undefined, ask, choose },
        clock,
        random: () => 0,
        stop: new AbortController().signal,
        logins,
        secretError: filed.error,
        configLocations,
        readStoreNames: async () => (await logins.read()).stores.map(({ name }) => name),
        readRunIds: (config) => readLocalRuns({ env, config, logins, clock }),
      });
      const { out, err } = terminal.written;
      expect(out + err).not.toMatch(SECRETS);
      return { exit, ...terminal.written };
    },
  };
}

/**
 * Calls of login and doctor that the specification does not have: a separate token proves the
 * credentials, and the bare address shows whether the server answers.
 */
const EXPECTED: ReadonlySet<string> = new Set(["early-token", "unknown-path"]);

/**
 * Starts a marketplace that is closed when the test ends, after a check of the calls that it
 * received.
 */
export async function openSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox(options);
  onTestFinished(async () => {
    await sandbox.close();
    const broken = sandbox.inspect().violations.filter(({ rule }) => !EXPECTED.has(rule));
    expect(broken).toEqual([]);
  });
  return sandbox;
}

/** The settings of a sandbox, as environment variables. */
export const settingsOf = (sandbox: Sandbox): Environment => ({
  CATALOG_BASE_URL: sandbox.baseUrl,
  CATALOG_CLIENT_KEY: sandbox.clientKey,
  CATALOG_CLIENT_SECRET: sandbox.clientSecret,
  CATALOG_STORE_ID: sandbox.storeId,
});

/** Answers of a person who types the settings of a sandbox. */
export const answersOf = (
  sandbox: Sandbox,
  secret: string = sandbox.clientSecret,
): readonly string[] => [sandbox.baseUrl, sandbox.clientKey, sandbox.storeId, secret];
