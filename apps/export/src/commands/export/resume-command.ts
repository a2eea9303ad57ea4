/** The command line that resumes an export: the one that was typed. */

import type { FlagDefinition, Flags } from "@catalog/console";
import { quoteWord } from "@catalog/i18n";

/** Words of the command line, quoted where a shell would split them. */
export function formatResumeCommand(
  flags: Flags,
  definitions: Readonly<Record<string, FlagDefinition>>,
): string {
  const words = Object.entries(definitions).flatMap(([name, definition]) => {
    const value = flags[name];
    const isDefault = value === undefined || value === definition.default || name === "fresh";
    if (isDefault || value === false || value === "") return [];
    if (value === true) return [`--${name}`];
    return typeof value === "string" || typeof value === "number"
      ? [`--${name}`, quoteWord(`${value}`)]
      : [];
  });
  return ["catalog", "export", String(flags["kind"]), ...words].join(" ");
}
