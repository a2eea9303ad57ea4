/** What is stored of a value for a field that the file lacks. */

import type { ColumnsView } from "../../../src/api/index.ts";

/**
 * Which products a value is for: new ones of this file (`file`), new ones of this and later files
 * (`store`), or every row of this file (`all`).
 */
export type Scope = "file" | "store" | "all";

/** A value for products whose cell is empty or missing. */
export interface GivenValue {
  readonly field: string;
  /** Empty for none. */
  readonly text: string;
  readonly scope: Scope;
}

/** The texts of this file and the defaults of the store that a change stores. */
export interface GivenChange {
  readonly constants?: Record<string, string>;
  readonly forNew?: Record<string, string>;
  readonly defaults?: Record<string, string>;
}

type Given = Pick<ColumnsView, "constants" | "defaults" | "forNew">;

/** Which products the value that a field has now is for; `undefined` where it has none. */
export const scopeOf = (
  { constants, defaults, forNew }: Given,
  field: string,
): Scope | undefined => {
  if (field in constants) return "all";
  if (field in forNew) return "file";
  return field in defaults ? "store" : undefined;
};

/** Where a value is meant for other products than before, it is taken from where it stood. */
export function toGivenChange(view: Given, { field, text, scope }: GivenValue): GivenChange {
  const before = scopeOf(view, field);
  const { [field]: _constant, ...constants } = view.constants;
  const { [field]: _forNew, ...forNew } = view.forNew;
  const own = text === "" ? {} : { [field]: text };
  const isMoved = before === "store" && scope !== "store" && view.defaults[field] === text;
  return {
    ...(scope === "all" && { constants: { ...constants, ...own } }),
    // A text for all rows would come before the default.
    ...(scope !== "all" && before === "all" && { constants }),
    ...(scope === "file" && { forNew: { ...forNew, ...own } }),
    ...(scope !== "file" && field in view.forNew && { forNew }),
    ...(scope === "store" && { defaults: { [field]: text } }),
    ...(isMoved && { defaults: { [field]: "" } }),
  };
}
