/** The plan's decision on one row. */

import type { ProductAdd, ProductId, ProductUpdate } from "@catalog/contract";

import type { WriteAction } from "./counts.ts";
import type { RowIssue } from "./issue.ts";
import type { RowState } from "./row-state.ts";

/** Body of the request that a row sends. */
export type Payload = ProductAdd | ProductUpdate;

/** One field of an update: the listed value, and the value that will be sent. */
export interface FieldChange {
  readonly field: string;
  /** `undefined` when the listing does not show the field. */
  readonly old?: unknown;
  readonly new: unknown;
  /**
   * Of an update that goes in two requests: whether the field waits for the second one, or was sent
   * with the first. @default it is sent with the next request
   */
  readonly part?: "waiting" | "sent" | undefined;
}

/** A value from a short list, which many products share, such as a discount or a brand. */
export interface Choice {
  readonly field:
    | "category_id"
    | "brand_id"
    | "discount_value"
    | "warranty_type"
    | "warranty_period"
    | "shipping_template_id"
    | "properties"
    | "images";
  /** The field, and which property or image it is. */
  readonly key: string;
  /** The column of the sheet, where it is not that of the field. */
  readonly column?: `image_${2 | 3 | 4 | 5 | 6 | 7 | 8}` | undefined;
  /** As the store shows it; `undefined` where it does not. */
  readonly old: string | undefined;
  /** As the row names it; `undefined` where it leaves it as it is. */
  readonly new: string | undefined;
}

/** What the plan decided for a row. */
export interface RowDecision {
  readonly row: number;
  readonly state: Exclude<
    RowState,
    "parsed" | "sending" | "ambiguous" | "done" | "rejected" | "cancelled"
  >;
  readonly action: WriteAction | null;
  readonly productId: ProductId | null;
  readonly payload: Payload | null;
  readonly changes: readonly FieldChange[];
  readonly issues: readonly RowIssue[];
  /**
   * Fields that differ and that updates leave out; reported in `issues`, and not stored. @default
   * none
   */
  readonly unsent?: readonly string[];
  /** Values from short lists, also those that stay, for the guards over all rows; not stored. */
  readonly choices?: readonly Choice[];
}
