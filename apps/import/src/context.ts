/** The context of this app's commands. */

import type { Toolkit, ToolkitOverrides } from "@catalog/connection";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { Command as ConsoleCommand, CommandContext as ConsoleContext } from "@catalog/console";
import type { PictureOptions } from "@catalog/images";

/** Everything that a command uses; it accesses nothing else of the process. */
export interface CommandContext extends ConsoleContext {
  /** Image settings of the configuration file. */
  readonly pictures?: PictureOptions | undefined;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openToolkit(overrides?: ToolkitOverrides): Promise<Toolkit>;
}

export type Command = ConsoleCommand<CommandContext>;
