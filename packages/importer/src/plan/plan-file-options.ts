/** What a person says about a file that is planned, and whom planning asks and tells. */

import { type Lang, type Localized } from "@catalog/i18n";
import { type PictureOptions } from "@catalog/images";
import { type PropertyPolicy } from "@catalog/mapping";
import { type AskPriceUnit, type RunMode, type RunSettings } from "@catalog/runs";
import { type OpenSheetOptions, type SheetLink } from "@catalog/sheets";

import { type AskColumn } from "../columns/resolve-columns.ts";
import { type AskEncoding } from "../file/open-table.ts";
import { type AskName } from "../names/ask-open-names.ts";

/** What to plan, and how its cells are to be read. */
export interface PlanFileOptions {
  /** Absolute, or a link to a shared table. */
  readonly path: string;
  /** Fetches the table behind a link into a file. @default links are refused */
  readonly download?: DownloadTable | undefined;
  /** Told how the file was read, before anything is made of it. */
  readonly onReading?: ((line: Localized) => void) | undefined;
  /** Which command plans, for the history. */
  readonly command: string;
  readonly lang: Lang;
  readonly mode: RunMode;
  /** Where result files will be written, absolute; `{run}` stands for the run's id. */
  readonly reportDir: string;
  readonly sheet?: Omit<OpenSheetOptions, "path" | "signal">;
  /** Notation of prices in text cells. @default decided per column */
  readonly decimal?: "comma" | "point" | undefined;
  /** Header in the file to field. */
  readonly columns?: ReadonlyMap<string, string>;
  /** Field to the text that every row gets where its own cell is empty or missing. */
  readonly constants?: ReadonlyMap<string, string>;
  /** @default pictures are neither looked at nor uploaded */
  readonly pictures?: PictureOptions | undefined;
  /** Uses the columns remembered under this name, and remembers them once the plan is accepted. */
  readonly profile?: string | undefined;
  /** Whether properties, which the API is only assumed to take, are sent. @default "send" */
  readonly properties?: PropertyPolicy | undefined;
  /** Codes that only look alike are two products. @default false, they are an error */
  readonly allowsSuspectCodes?: boolean | undefined;
  /** Asked about each column whose meaning is open. @default nobody is, and the file is refused */
  readonly askColumn?: AskColumn | undefined;
  /** Asked about each name that is not found, once. @default nobody is asked */
  readonly askName?: AskName | undefined;
  /** Asked where the letters of the file may be read in several ways. @default it is refused */
  readonly askEncoding?: AskEncoding | undefined;
  /** Asked for the unit of the listing's prices where nothing tells it. @default nobody is */
  readonly askPriceUnit?: AskPriceUnit | undefined;
  /** Unit of the listing's prices, where a person knows it; it is remembered. */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Kept with the run, for whoever applies it. */
  readonly settings?: RunSettings | undefined;
  /** Run whose rows are tried again. @default the rows of a file are planned */
  readonly retryOf?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told the run's id as soon as it has one. */
  readonly onRun?: ((runId: string) => void) | undefined;
  readonly onProgress?: (progress: PlanProgress) => void;
}

/** Fetches a table, within limits of its own, and returns the absolute path of the file. */
export type DownloadTable = (link: SheetLink, signal?: AbortSignal) => Promise<string>;

/** How far planning is, in rows. */
export interface PlanProgress {
  readonly step: "read" | "plan";
  readonly done: number;
  /** Unknown while the file is being read. */
  readonly total: number | undefined;
}
