/** What is planned: the rows of a sheet, and the settings, questions and progress of planning. */

import type { Lang, Localized } from "@catalog/i18n";
import type { ImageOptions } from "@catalog/images";
import type { NumberNotations } from "@catalog/mapping";
import type {
  CandidateRow,
  RunFile,
  RunSettings,
  RunWarning,
  planRun,
  RunRecord,
} from "@catalog/runs";
import type { OpenedSheet, OpenSheetOptions } from "@catalog/sheets";

import type { AskColumn } from "../columns/resolve-columns.ts";
import type { AskEncoding, AskSheet, DownloadTable } from "../file/open-table.ts";
import type { SentImages } from "../images/open-images.ts";
import type { AskName } from "../names/open-names.ts";

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
  /** Names of the source for price rules. */
  readonly suppliers: readonly string[];
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
  readonly draft?: RunRecord["progress"]["draft"];
  /** Reads the products that rows were made of. @default the rows are of a file */
  readonly readBasis?: ReadBasis | undefined;
  /** The draft with those products. @default the rows are of a file */
  readonly basisOf?: string | undefined;
  /** Requests that were sent for rows of a retry. @default no row is retried */
  readonly sentImages?: SentImages | undefined;
}

/** The product that a row was made of. */
export type RowBasis = NonNullable<CandidateRow["basis"]>;

/** The product that a row was made of, and the columns in which the row was edited since. */
export interface EditedBasis extends RowBasis {
  /** Indexes of the columns. @default not known */
  readonly edited?: ReadonlySet<number> | undefined;
}

/** Reads the products that rows were made of, by the number of the row. */
export type ReadBasis = (rows: readonly number[]) => Promise<ReadonlyMap<number, EditedBasis>>;

/** What a person is asked while a plan is made. */
export interface PlanQuestions {
  /** Asked about each ambiguous column. @default the file is refused */
  readonly askColumn?: AskColumn | undefined;
  /** Asked once about each name that is not found. @default no question is asked */
  readonly askName?: AskName | undefined;
  /** Asked where the encoding is ambiguous. @default the file is refused */
  readonly askEncoding?: AskEncoding | undefined;
  /** Asked where several sheets may hold the products. @default the file is refused */
  readonly askSheet?: AskSheet | undefined;
  /**
   * Asked for the unit of the listing's prices where it is not known. @default no question is asked
   */
  readonly askPriceUnit?: Parameters<typeof planRun>[0]["askPriceUnit"];
}

/** The file to plan, and settings for reading it. */
export interface PlanFileOptions extends PlanQuestions {
  /** Absolute path, or a link to a shared table. */
  readonly path: string;
  /** Downloads the table behind a link. @default links are refused */
  readonly download?: DownloadTable | undefined;
  /**
   * Called with a description of how the file was read, before its rows are stored; once more, with
   * the platform, where its columns cannot be used.
   */
  readonly onReading?: ((line: Localized) => void) | undefined;
  /** Name of the planning command, for the history. */
  readonly command: string;
  readonly lang: Lang;
  readonly mode: RunRecord["mode"];
  /** Absolute folder of the result files; `{run}` stands for the run's id. */
  readonly reportDir: string;
  readonly sheet?: Omit<OpenSheetOptions, "path" | "signal">;
  /** Notation of prices in text cells. @default decided per column */
  readonly decimal?: "comma" | "point" | undefined;
  /** Field by header of the file. */
  readonly columns?: ReadonlyMap<string, string>;
  /** Field to the text for rows whose own cell is empty or missing. */
  readonly constants?: ReadonlyMap<string, string>;
  /** Field to the value of new products that have none. @default those of the store */
  readonly defaults?: ReadonlyMap<string, string> | undefined;
  /** Platform that wrote the file; one of `platforms.names`. @default recognised by the headers */
  readonly platform?: string | undefined;
  /** @default "html" */
  readonly descriptions?: "html" | "text" | undefined;
  /** Pattern for the titles of variants. @default the product's title and its options */
  readonly variantTitle?: string | undefined;
  /** Whether the pattern was given for this file, not by a setting for all. @default false */
  readonly isVariantTitleGiven?: boolean | undefined;
  /** @default images are neither checked nor uploaded */
  readonly images?: ImageOptions | undefined;
  /** Id of the run, where whoever asks for the plan has chosen it; one that is taken is refused. */
  readonly newRunId?: string | undefined;
  /** Uses the columns stored under this name, and stores them once the plan is accepted. */
  readonly profile?: string | undefined;
  /**
   * Maximum number of searches on the marketplace for what open names may mean; what earlier ones
   * found is used in any case. @default 0
   */
  readonly searches?: number | undefined;
  /** Whether properties, which the API is only assumed to take, are sent. @default "send" */
  readonly properties?: "send" | "skip" | undefined;
  /** Accepts codes that only look alike as different products. @default false, they are an error */
  readonly allowsSuspectCodes?: boolean | undefined;
  /** Unit of the listing's prices, where a person states it; it is stored. */
  readonly priceUnit?: "minor" | "major" | undefined;
  /** Settings stored with the run, for applying it. */
  readonly settings?: RunSettings | undefined;
  /** Run whose rows are retried. @default the rows of a file are planned */
  readonly retryOf?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the run's id as soon as it has one. */
  readonly onRun?: ((runId: string) => Promise<void>) | undefined;
  readonly onProgress?: (progress: PlanProgress) => void;
}

/**
 * Progress of planning. Rows of the file are read and later planned; names are looked up, and the
 * marketplace is searched for those that are open; pages of the store are read, or product codes
 * looked up.
 */
interface PlanProgress {
  readonly step: "read" | "names" | "search" | "store" | "codes" | "plan";
  /** Rows, searches, pages or codes; 0 where nothing is counted. */
  readonly done: number;
  /** `undefined` where the number is not known, as while the file is being read. */
  readonly total: number | undefined;
}
