/** How the texts of a file are sent: the flags, else the configuration file. */

import { type Flags, textFlag } from "@catalog/console";
import { parseVariantTitle } from "@catalog/importer";

import type { CommandContext, FileTexts } from "../context.ts";

/** Flags override the configuration file. */
export function toFileTexts(
  { fileTexts = {} }: Pick<CommandContext, "fileTexts">,
  flags: Flags,
): FileTexts {
  const given = textFlag(flags, "descriptions");
  const isKnown = given === "html" || given === "text";
  return {
    descriptions: isKnown ? given : fileTexts.descriptions,
    variantTitle: parseVariantTitle(textFlag(flags, "variant-title") ?? fileTexts.variantTitle),
  };
}
