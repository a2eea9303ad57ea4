import { exportCommand } from "./commands/export/index.ts";
import type { Command } from "./context.ts";

export { createShippingCommand } from "./commands/shipping/index.ts";

/** The commands that read lists of the store into files, in the order of the help. */
export const EXPORT_COMMANDS: readonly Command[] = [exportCommand];
