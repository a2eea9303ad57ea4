import { type ProductId } from "@catalog/contract";
import { type Localized } from "@catalog/i18n";

import { type RowRecord } from "../row/row-record.ts";
import { type RowState } from "../row/row-state.ts";
import { type Verdict } from "./classify-answer.ts";

/** What became of a row that was sent. */
export interface SentRow {
  readonly row: number;
  readonly code: string | null;
  readonly action: RowRecord["action"];
  readonly state: RowState;
  readonly next: Verdict["next"];
  readonly note: string | undefined;
  /** The note for people. @default the note */
  readonly words?: Localized | undefined;
  /** The id that the marketplace gave or confirmed. */
  readonly productId?: ProductId | undefined;
  /** Nothing of it left, for no reason of its own: it tells nothing of the marketplace. */
  readonly isDeferred?: boolean | undefined;
  /** What its refusal says, which must be looked up before it is believed. */
  readonly claim?: "rejected" | "ready" | undefined;
  /** It was refused for too many calls; how long the marketplace asked us to wait, when it did. */
  readonly limit?: { readonly askedMs: number | undefined } | undefined;
}
