/** What is stored of a value for a field that the file lacks. */

import type { ColumnsView } from "../../../src/api/index.ts";

/** A value for products whose cell is empty or missing. */
export interface GivenValue {
  readonly field: string;
  /** Empty for none. */
  readonly text: string;
  /** Whether only new products take it, as a default of the store. */
  readonly isForNew: boolean;
}

/** The texts of this file and the defaults of the store that a change stores. */
export interface GivenChange {
  readonly constants?: Record<string, string>;
  readonly defaults?: Record<string, string>;
}

/** Where a value is meant for other products than before, it is taken from where it stood. */
export function toGivenChange(
  { constants, defaults }: Pick<ColumnsView, "constants" | "defaults">,
  { field, text, isForNew }: GivenValue,
): GivenChange {
  const { [field]: before, ...others } = constants;
  // A text for all rows would come before the default.
  if (isForNew) {
    return { defaults: { [field]: text }, ...(before !== undefined && { constants: others }) };
  }
  if (text === "") return { constants: others };
  const isMoved = defaults[field] === text;
  return { constants: { ...others, [field]: text }, ...(isMoved && { defaults: { [field]: "" } }) };
}
