import type { ProductId } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { RowRecord } from "../row/row-record.ts";
import type { RowState } from "../row/row-state.ts";
import type { SendVerdict } from "./classify-answer.ts";

/** The result of sending a row. */
export interface SentRow {
  readonly row: number;
  readonly code: string | null;
  readonly action: RowRecord["action"];
  readonly state: RowState;
  readonly next: SendVerdict["next"];
  readonly note: string | undefined;
  /** The note in both languages. @default the note */
  readonly words?: Localized | undefined;
  /** The id that the marketplace returned or confirmed. */
  readonly productId?: ProductId | undefined;
  /** The row was not sent for a reason outside of it, so it says nothing about the marketplace. */
  readonly isDeferred?: boolean | undefined;
  /** State that a refusal implies, which must be looked up before it is trusted. */
  readonly impliedState?: "rejected" | "ready" | undefined;
  /**
   * Set after a 429, with the wait in milliseconds that the marketplace asked for, where it did.
   */
  readonly limit?: { readonly askedMs: number | undefined } | undefined;
}
