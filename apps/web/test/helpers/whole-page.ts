/** The server with all routes of `catalog web`, and a program that does nothing. */

import { existsSync } from "node:fs";
import { join } from "node:path";

import { createFakeClock } from "@catalog/clock/testing";
import { type Connection, openConnection } from "@catalog/connection";
import { createFakeTerminal } from "@catalog/console/testing";
import { LocalizedError } from "@catalog/i18n";
import { onTestFinished } from "vitest";

import { openSite, type WebParts } from "../../src/commands/web/open-site.ts";
import type { DescribeError } from "../../src/server/failures.ts";
import { type PageServer, startPageServer } from "./page-server.ts";
import { createFolder } from "./temporary-folder.ts";

export interface WholePage extends PageServer {
  /** Whether a command, a sandbox or a login was started. */
  readonly hasStarted: () => boolean;
  /** Opens the store of the page. */
  readonly openConnection: () => Promise<Connection>;
}

const describeError: DescribeError = (error, lang) =>
  error instanceof LocalizedError
    ? { code: error.code, text: error.localized[lang], isLogin: false }
    : undefined;

interface WholePageOptions {
  /** Stores the login of a feed. @default none can be stored */
  readonly saveLogin?: WebParts["feedLogins"]["save"];
}

/** Starts the server; it is closed when the test ends. */
export async function startWholePage({ saveLogin }: WholePageOptions = {}): Promise<WholePage> {
  const home = createFolder();
  const clock = createFakeClock(Date.UTC(2026, 0, 1));
  const bugs: unknown[] = [];
  let calls = 0;
  const refuse = async (): Promise<never> => {
    calls += 1;
    throw new Error("nothing is started");
  };
  const context = {
    lang: "en",
    json: false,
    quiet: true,
    terminal: createFakeTerminal(),
    clock,
    resolve: (path: string) => path,
    stop: new AbortController().signal,
    findStores: async () => [{ name: "mutfak", environment: {} }],
    openConnection: () =>
      openConnection({
        home,
        baseUrl: "http://127.0.0.1:9",
        storeId: "0123456789abcdef01234567",
        credentials: { clientKey: "key", clientSecret: "secret" },
        clock,
        random: () => 0,
      }),
  } as const;
  const parts = {
    program: [process.execPath, "--version"],
    programName: "catalog",
    version: "1.0.0",
    cwd: home,
    env: {},
    sampleFile: "",
    readHome: async () => home,
    logIn: refuse,
    feedLogins: { open: async () => async () => undefined, save: saveLogin ?? refuse },
    openFeedLogins: () => ({ open: async () => async () => undefined, save: refuse }),
    openTeam: refuse,
    readSeparation: refuse,
    tryCredentials: refuse,
    readOpenId: () => undefined,
    startSandbox: refuse,
    readIcon: refuse,
    fetch: refuse,
    readInstalled: async () => undefined,
    describeError,
  };
  const options = {
    isDemo: false,
    command: "catalog web",
    onBug: (error: unknown) => void bugs.push(error),
  };
  const { site, routes, topics, ...opened } = await openSite(context, parts, options);
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const server = await startPageServer({ site, routes, topics, describeError });
  const hasStarted = (): boolean => calls > 0 || existsSync(join(site.folder, "commands"));
  return { ...server, hasStarted, openConnection: context.openConnection };
}
