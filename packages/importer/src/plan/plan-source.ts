import type { Localized } from "@catalog/i18n";
import type { NumberNotations } from "@catalog/mapping";
import type { RunFile, RunProgress, RunWarning } from "@catalog/runs";
import type { OpenedSheet } from "@catalog/sheets";

import type { SentImages } from "../images/row-images.ts";

/** A sheet of a file, or the stored rows of an earlier run. */
export type PlanSheet = Pick<OpenedSheet, "sheet" | "header" | "rows"> &
  Partial<Pick<OpenedSheet, "batches" | "width" | "notices" | "meta" | "sheets">> & {
    /** Columns at the end of the header that a person added to those of the file. @default 0 */
    readonly added?: number | undefined;
  };

/** Rows to plan, from any source. */
export interface PlanSource {
  readonly sheet: PlanSheet;
  readonly file: RunFile;
  /** How the file was read; `undefined` for stored rows. */
  readonly reading?: Localized | undefined;
  /** Whether the rows hold already what they take from other rows. @default false */
  readonly isJoined?: boolean | undefined;
  /** Throws when the source has changed. @default it cannot change */
  readonly assertUnchanged?: () => Promise<void>;
  /** Notation of numbers, where it is known. @default decided by the cells */
  readonly notations?: NumberNotations | undefined;
  /** Warnings about the source itself. @default none */
  readonly warnings?: readonly RunWarning[] | undefined;
  /** The draft that the rows are taken from, and its version. @default they are of a file */
  readonly draft?: RunProgress["draft"];
  /** Requests that were sent for rows of a retry. @default no row is retried */
  readonly sentImages?: SentImages | undefined;
}
