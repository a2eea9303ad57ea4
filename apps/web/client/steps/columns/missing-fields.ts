/** Which fields are asked for because no column has them. */

import type { ColumnsView, FieldView } from "../../../src/api/index.ts";

/** Fields that new products need and no column has, and those given before. */
export interface MissingFields {
  /** Fields in which products differ; without their columns the file can add no product. */
  readonly own: readonly FieldView[];
  /** Fields that may have one value for all, or for new products. */
  readonly givable: readonly FieldView[];
  /** Whether the file only updates products, so that the others are not asked for. */
  readonly isFolded: boolean;
}

/** `isUpdate` is whether a person chose that the file adds no product. */
export function listMissing(
  view: Pick<ColumnsView, "fields" | "missing" | "constants">,
  isUpdate: boolean,
): MissingFields {
  const missing = new Set(view.missing.map(({ key }) => key));
  const shown = view.fields.filter(({ key }) => missing.has(key) || key in view.constants);
  const givable = shown.filter(
    ({ key, isForAll, isForNew }) => isForAll || isForNew || key in view.constants,
  );
  const own = shown.filter((field) => !givable.includes(field));
  return { own, givable, isFolded: isUpdate || own.length > 0 };
}
