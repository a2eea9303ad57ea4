/** The context of this app's commands. */

import type { Connection, ConnectionOverrides } from "@catalog/connection";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command as ConsoleCommand, CommandContext as ConsoleContext } from "@catalog/console";
import type { ImageOptions } from "@catalog/images";
import type { FileLimits, FindLogin, PlanFileOptions } from "@catalog/importer";

/** How the texts of a file are sent. */
export type FileTexts = Pick<
  PlanFileOptions,
  "descriptions" | "variantTitle" | "isVariantTitleGiven"
>;

/** Everything that a command uses; it accesses nothing else of the process. */
export interface CommandContext extends ConsoleContext {
  /** Image settings of the configuration file. */
  readonly images?: ImageOptions | undefined;
  /** Limits of files in the configuration file. */
  readonly limits?: Partial<FileLimits> | undefined;
  /** How texts of files are sent, in the configuration file. */
  readonly fileTexts?: FileTexts | undefined;
  /**
   * Finds the logins of feeds and links; `named` says where the login of all of them is, such as
   * `basic:env:NAME`, and `hostKey` by which key an SFTP server is known. @default none are known
   */
  readonly openFeedLogins?:
    | ((named: string | undefined, hostKey: string | undefined) => Promise<FindLogin>)
    | undefined;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openConnection(overrides?: ConnectionOverrides): Promise<Connection>;
}

export type Command = ConsoleCommand<CommandContext>;
