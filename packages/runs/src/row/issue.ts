import type { Localized } from "@catalog/i18n";

import type { GuardFinding } from "../guards/row-guards.ts";

/** One thing wrong with one cell. Collected, stored with its row, never thrown. */
export interface RowIssue {
  /** Stable: `E_…` blocks the row, `W_…` does not. */
  readonly code: string;
  readonly sheet: string;
  /** Row number as the spreadsheet program shows it. */
  readonly row: number;
  /** Header as in the file. */
  readonly column: string;
  /** Cell reference, such as `F12`. */
  readonly cell: string;
  readonly value: string;
  readonly message: Localized;
  readonly suggestion?: Localized | undefined;
  /** The values that a guard compared, where a guard holds the row. */
  readonly guard?: GuardFinding | undefined;
}
