/** The context of this app's commands. */

import type { Connection, ConnectionOverrides, FoundStore } from "@catalog/connection";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command as ConsoleCommand, CommandContext as ConsoleContext } from "@catalog/console";
import type { FindLogin, ImageOptions } from "@catalog/images";
import type { Alerts, Webhooks } from "@catalog/jobs";

import type { LimitSettings } from "./settings/config-schema.ts";
import type { Config } from "./settings/config-schema.ts";

/** Everything that a command uses; it accesses nothing else of the process. */
export interface CommandContext extends ConsoleContext {
  /** Image settings of the configuration file. */
  readonly images?: ImageOptions | undefined;
  /** Limits of files in the configuration file. */
  readonly limits?: Partial<LimitSettings> | undefined;
  /** How texts of files are sent, in the configuration file. */
  readonly fileTexts?: Pick<Config, "descriptions" | "variantTitle"> | undefined;
  /**
   * Finds the logins of feeds and links; `named` says where the login of all of them is, such as
   * `basic:env:NAME`, and `hostKey` by which key an SFTP server is known. @default none are known
   */
  readonly openFeedLogins?:
    | ((named: string | undefined, hostKey: string | undefined) => Promise<FindLogin>)
    | undefined;
  /** Opens the alerts. @default nobody is told */
  readonly openAlerts?: (() => Promise<Alerts>) | undefined;
  /** Opens the webhooks; `allowHosts` are servers in a private network. @default none are told */
  readonly openWebhooks?: ((allowHosts: readonly string[]) => Promise<Webhooks>) | undefined;
  /**
   * Finds the store of the settings, or with `all` every stored one unless one is named; none where a
   * setting is missing. Asks a person where several could be meant, and throws `UsageError` where
   * nobody can be asked.
   */
  findStores(scope: "one" | "all"): Promise<readonly FoundStore[]>;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openConnection(overrides?: ConnectionOverrides): Promise<Connection>;
}

export type Command = ConsoleCommand<CommandContext>;
