/** The context of this app's command. */

import type { Connection, ConnectionOverrides, FoundStore } from "@catalog/connection";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command as ConsoleCommand, CommandContext as ConsoleContext } from "@catalog/console";
import type { Alerts } from "@catalog/jobs";

/** Everything that the command uses; it accesses nothing else of the process. */
export interface CommandContext extends ConsoleContext {
  /** Opens the alerts. @default nobody is told */
  readonly openAlerts?: (() => Promise<Alerts>) | undefined;
  /** Finds the store of the settings, or with `all` every stored one unless one is named. */
  findStores(scope: "one" | "all"): Promise<readonly FoundStore[]>;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openConnection(overrides?: ConnectionOverrides): Promise<Connection>;
}

export type Command = ConsoleCommand<CommandContext>;
