/** A kind of cell: what a workbook shows and what it stores are not the same. */

import { type Facts, type Kind } from "./kind.ts";
import { type BookCell } from "./make-workbook.ts";

export interface CellKind {
  readonly name: string;
  readonly header: string;
  readonly cell: BookCell;
  readonly reads: Partial<Facts>;
  readonly must: Kind["must"];
  readonly code?: RegExp;
  /** LibreOffice calculates what is missing, and has no other format for truth. */
  readonly isXlsxOnly?: boolean;
  /** Codes with zeros before them stand apart from other digits, which would look as if they lost theirs. */
  readonly isApart?: boolean;
}
