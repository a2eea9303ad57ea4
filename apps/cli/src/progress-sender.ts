/** Tells the progress to the program that has started this one, as long as it listens. */

import type { CommandContext } from "./context.ts";

/** The channel to the parent process; Node has none where the parent asked for none. */
export type ParentChannel = Pick<NodeJS.Process, "connected" | "send">;

/**
 * Creates the function that takes progress; `undefined` where no program listens. A parent that
 * has ended is no error, as the command must go on.
 */
export function createProgressSender(channel: ParentChannel): CommandContext["onProgress"] {
  if (channel.send === undefined) return undefined;
  return (progress) => {
    if (channel.connected) channel.send?.(progress, undefined, {}, ignoreLoss);
  };
}

/** Without a function for it, a lost channel would be an uncaught error. */
const ignoreLoss = (): void => undefined;
