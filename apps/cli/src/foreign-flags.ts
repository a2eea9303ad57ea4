/** Finds the commands that take a flag which another command was given. */

import type { FlagDefinition } from "@catalog/console";

import type { Command } from "./context.ts";

/** A flag of other commands. */
export interface ForeignFlag {
  readonly flag: Pick<FlagDefinition, "type"> | undefined;
  /** The commands that take it, in the order of the help; none for a flag that is not known. */
  readonly commands: readonly string[];
}

/** Looks up a typed flag, such as `--set`, in the other commands. */
export type FindForeignFlag = (typed: string) => ForeignFlag;

/** Looks up flags that the given command does not have. */
export function createForeignFlags(
  commands: readonly Pick<Command, "name" | "flags">[],
): FindForeignFlag {
  return (typed) => {
    const name = typed.replace(/^--/u, "");
    const takers = commands.filter((command) => Object.hasOwn(command.flags, name));
    return { flag: takers[0]?.flags[name], commands: takers.map((command) => command.name) };
  };
}
