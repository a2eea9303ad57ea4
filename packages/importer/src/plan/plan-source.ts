import { type Localized } from "@catalog/i18n";
import { type NumberNotations } from "@catalog/mapping";
import { type RunFile } from "@catalog/runs";
import { type OpenedSheet } from "@catalog/sheets";

import { type SentImages } from "../images/open-images.ts";

/** A sheet of a file, or the stored rows of an earlier run. */
export type PlanSheet = Pick<OpenedSheet, "sheet" | "header" | "rows"> &
  Partial<Pick<OpenedSheet, "width" | "notices" | "meta">>;

/** Rows to plan, wherever they come from. */
export interface PlanSource {
  readonly sheet: PlanSheet;
  readonly file: RunFile;
  /** How the file was read, where it was read now. */
  readonly reading?: Localized | undefined;
  /** Throws once the rows are not those of the file any more. @default they cannot change */
  readonly assertUnchanged?: () => Promise<void>;
  /** How numbers are written, where that is known. @default decided by the cells */
  readonly notations?: NumberNotations | undefined;
  /** What was sent for rows that are tried again. @default no row is */
  readonly sentImages?: SentImages | undefined;
}
