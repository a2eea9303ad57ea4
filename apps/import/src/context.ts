/** What the commands of this app work with. */

import type { Toolkit, ToolkitOverrides } from "@catalog/connection";
// Nothing of these remains at run time; with "type" inside the braces the toolkit would be loaded.
import type { Command as ConsoleCommand, CommandContext as ConsoleContext } from "@catalog/console";
import type { PictureOptions } from "@catalog/images";

/** Everything a command works with; it reaches for nothing else. */
export interface CommandContext extends ConsoleContext {
  /** What the configuration file says about pictures. */
  readonly pictures?: PictureOptions | undefined;
  /** Opens the store of the settings; throws `UsageError` when a setting is missing. */
  openToolkit(overrides?: ToolkitOverrides): Promise<Toolkit>;
}

export type Command = ConsoleCommand<CommandContext>;
