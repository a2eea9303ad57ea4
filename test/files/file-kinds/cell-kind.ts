/** A kind of cell whose displayed text differs from its stored value. */

import type { Facts, Kind } from "./kind.ts";
import type { WorkbookCell } from "./make-workbook.ts";

export interface CellKind {
  readonly name: string;
  readonly header: string;
  readonly cell: WorkbookCell;
  readonly reads: Partial<Facts>;
  readonly must: Kind["must"];
  readonly code?: RegExp;
  /** Not for LibreOffice, which calculates missing results and has only one format of booleans. */
  readonly isXlsxOnly?: boolean;
  /**
   * In a sheet of its own: among codes with leading zeros, other digits would look as if they had
   * lost theirs.
   */
  readonly isApart?: boolean;
}
