/** The context of this app's commands. */

import type { Connection, ConnectionOverrides, FoundStore } from "@catalog/connection";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command as ConsoleCommand, CommandContext as ConsoleContext } from "@catalog/console";
import type { FileLimits, FindLogin, PlanFileOptions } from "@catalog/importer";
import type { Alerts } from "@catalog/jobs";

/** Everything that a command uses; it accesses nothing else of the process. */
export interface CommandContext extends ConsoleContext {
  /** Image settings of the configuration file. @default images are not checked */
  readonly images?: PlanFileOptions["images"];
  /** Limits of files in the configuration file. */
  readonly limits?: Partial<FileLimits> | undefined;
  /**
   * Finds the logins of feeds and links; `named` says where the login of all of them is, such as
   * `basic:env:NAME`, and `hostKey` by which key an SFTP server is known. @default none are known
   */
  readonly openFeedLogins?:
    | ((named: string | undefined, hostKey: string | undefined) => Promise<FindLogin>)
    | undefined;
  /** Opens the alerts. @default nobody is told */
  readonly openAlerts?: (() => Promise<Alerts>) | undefined;
  /**
   * Finds the stores of the settings: the one that is named, or with `all` every known one where none
   * is.
   */
  findStores(scope: "one" | "all"): Promise<readonly FoundStore[]>;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openConnection(overrides?: ConnectionOverrides): Promise<Connection>;
}

export type Command = ConsoleCommand<CommandContext>;
