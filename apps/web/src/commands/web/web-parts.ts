/** What the program gives to the command `catalog web`. */

import type { Connection, ConnectionOverrides } from "@catalog/connection";
import type { CommandContext as ConsoleContext } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

import type { StoreLogin } from "../../server/workplace.ts";

export interface WebContext extends ConsoleContext {
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openConnection(overrides?: ConnectionOverrides): Promise<Connection>;
}

/** A local marketplace in this process. */
export interface WebSandbox extends AsyncDisposable {
  readonly port: number;
  /** Settings by the names of their environment variables. */
  readonly settings: Readonly<Record<string, string>>;
}

export interface WebSandboxOptions {
  /** Port of the last time, which is part of the store's identity; 0 for any. */
  readonly port: number;
  /** File of its state, which is read where it exists and written at the end. */
  readonly statePath: string;
}

export interface WebParts {
  /** The words that start the program, before those of a command. */
  readonly program: readonly string[];
  /** The program as a person types it, such as `npx catalog-toolkit`. */
  readonly programName: string;
  readonly version: string;
  readonly cwd: string;
  /** Environment of the commands that the page starts. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** A table for the demo. */
  readonly sampleFile: string;
  /** Folder of the store's data. */
  readonly readHome: () => Promise<string>;
  /** Whether every setting of a store is there. */
  readonly hasLogin: () => Promise<boolean>;
  /** Tries the credentials with real calls and stores them; throws where they are refused. */
  readonly logIn: (context: WebContext, login: StoreLogin) => Promise<void>;
  /** Starts a local marketplace with products. */
  readonly startSandbox: (options: WebSandboxOptions) => Promise<WebSandbox>;
  /** Describes known errors; `undefined` for a bug. */
  readonly describeError: (
    error: unknown,
    lang: Lang,
  ) => { readonly code: string; readonly text: string; readonly isLogin: boolean } | undefined;
}
