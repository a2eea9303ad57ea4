/** Drafts and their rows as a page shows them. Types only, which a browser program may take as well. */

import type { Localized } from "@catalog/i18n/localized";

/**
 * `reading`: the file cannot be read without an answer (sheet, encoding). `columns`: its columns
 * need an answer. `checking`: rows are stored and checked. `ready`: every row is checked.
 */
type DraftState = "reading" | "columns" | "checking" | "ready";

/** A failure, with the next step. */
export interface DraftProblem {
  readonly code: string;
  readonly message: Localized;
}

/** A setting of the file, and whether it was guessed. */
interface DraftSetting<Value> {
  readonly value: Value;
  readonly isGuessed: boolean;
}

/** A sheet of a workbook to choose from. */
export interface DraftSheetChoice {
  readonly name: string;
  /** Number of filled rows; `null` where they were not counted. */
  readonly rows: number | null;
  /** Whether counting ended before the last row. */
  readonly hasMoreRows: boolean;
  /** Whether its headers are those of products; `null` where it was not looked at. */
  readonly hasProducts: boolean | null;
}

/** How the file of a draft is read. */
export interface DraftReadingView {
  readonly kind: "csv" | "xlsx" | "xls" | "ods" | "xml" | "json";
  readonly sheets: readonly DraftSheetChoice[];
  /** The sheets that are read; `null` where they must be chosen. */
  readonly sheet: DraftSetting<readonly string[]> | null;
  readonly encoding: DraftSetting<string> | null;
  /**
   * Encodings to choose from, each with words of the file as they read in it, where they differ.
   * Empty for workbooks, and for a file with the mark of UTF-8.
   */
  readonly encodings: readonly { readonly encoding: string; readonly sample: string }[];
  readonly delimiter: DraftSetting<string> | null;
  readonly headerRow: DraftSetting<number> | null;
  readonly decimal: "comma" | "point" | null;
  readonly preview: readonly {
    readonly row: number;
    readonly cells: readonly string[];
    /** Indexes of the cells that are numbers and no texts; missing in drafts of before. */
    readonly numbers?: readonly number[] | undefined;
  }[];
  /** Why the file cannot be read yet. */
  readonly problem: DraftProblem | null;
  /** Whether no setting can make it readable, as it is empty or no table. */
  readonly isUnusable: boolean;
}

/** A field that a column can be. */
export interface DraftField {
  readonly key: string;
  readonly label: Localized;
  readonly isRequired: boolean;
  /** Whether one text may hold for all rows. */
  readonly isForAll: boolean;
  /** Whether the store may keep a default for it, which only new products take. */
  readonly isForNew: boolean;
}

/** A column of the file, and what it is taken for. */
export interface DraftColumn {
  readonly index: number;
  readonly letter: string;
  readonly header: string;
  /**
   * Key of the field; `-` for a column that is left out; `store` for one that is used in one store
   * beside the common column of its field; `null` where nothing is known.
   */
  readonly field: string | null;
  readonly label: Localized;
  readonly reason: Localized;
  readonly confidence: "sure" | "likely" | "open";
  /** Key of the field that the cells of an unknown header may be; `null` for none. */
  readonly guess: string | null;
  /** Whether it is used though no field of it is sent; `label` says for what. */
  readonly isUsed: boolean;
  /** Whether a person chose the field for this draft. */
  readonly isChosen: boolean;
  /** Up to five different filled cells. */
  readonly samples: readonly string[];
  readonly problem: DraftProblem | null;
  /** Numbers that can be read in two ways, where only a person can tell which; `null` for none. */
  readonly unclear: DraftUnclearNumbers | null;
}

/** The question how the numbers of a column are read. */
interface DraftUnclearNumbers {
  readonly cells: number;
  /** The text of the first cell, and what it is with each decimal sign. */
  readonly example: string;
  readonly readings: Readonly<Record<"comma" | "point", Localized>>;
  /** What a person has answered for this draft. */
  readonly answer: "comma" | "point" | null;
}

/** The columns of a draft. */
export interface DraftColumnsView {
  readonly columns: readonly DraftColumn[];
  /** Every field that a column can be, in groups. */
  readonly fields: readonly DraftField[];
  /** Fields that new products need and no column has. */
  readonly missing: readonly DraftField[];
  /** Texts for all rows whose own cell is empty or missing, by field. */
  readonly constants: Readonly<Record<string, string>>;
  /** By field, what new products take where their cell is empty: given here, or by the store. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Those of them that a person gave for this draft alone. */
  readonly forNew: Readonly<Record<string, string>>;
  /** Sentence about the recognized platform. */
  readonly platform: Localized | null;
  /** Why the columns cannot be used yet; empty where they can. */
  readonly problems: readonly DraftProblem[];
  /** How columns were understood, such as from an earlier file. */
  readonly notes: readonly Localized[];
  /** Rows among the first ones that are no products, such as totals, with their first text. */
  readonly skipped: readonly { readonly row: number; readonly text: string }[];
}

/** Numbers of rows. */
export interface DraftCountsView {
  readonly rows: number;
  /** Rows without an error; those with warnings are among them. */
  readonly sound: number;
  readonly warnings: number;
  readonly errors: number;
  readonly excluded: number;
  readonly edited: number;
  /** Rows by kind of issue, the most frequent first. */
  readonly kinds: readonly {
    readonly code: string;
    readonly severity: DraftIssue["severity"];
    readonly label: Localized;
    readonly rows: number;
  }[];
}

/** Which rows a view shows. */
export interface DraftFilter {
  readonly show?: "errors" | "warnings" | "edited" | "excluded" | undefined;
  /** Code of an issue. */
  readonly code?: string | undefined;
  /** Text in any cell; case, accents and the Turkish i do not count. */
  readonly text?: string | undefined;
  /** @default the order of the sheet */
  readonly sort?: DraftSort | undefined;
}

/** The rows by the cells of a column. */
export interface DraftSort {
  /** Index of the column. */
  readonly column: number;
  readonly isDescending: boolean;
}

/** A number cell in words. */
export interface ShownNumber {
  /** Index of the column. */
  readonly column: number;
  /** As the preview writes it: 3.448,10 in Turkish. */
  readonly text: Localized;
  /** Without marks of thousands, so that a changed digit leaves only one reading. */
  readonly typed: Localized;
}

/** A row of a draft. */
export interface DraftRowView {
  /** Number of the row as the spreadsheet program shows it; its key. */
  readonly row: number;
  /** As people name the row, such as "12" or "Sayfa2 12". */
  readonly name: string;
  /** Texts of the cells, by column index. */
  readonly cells: readonly string[];
  /** Columns that a person has changed. */
  readonly edited: readonly number[];
  readonly isExcluded: boolean;
  /** What cells are read as because of a remembered answer. */
  readonly readAs: readonly { readonly column: number; readonly text: string }[];
  /** The number cells, as a person reads and types them. */
  readonly numbers: readonly ShownNumber[];
  readonly issues: readonly DraftIssue[];
}

/** Something that is wrong with a row of a draft. */
export interface DraftIssue {
  readonly code: string;
  readonly severity: "error" | "warning";
  /** Index of the column; `null` for the whole row. */
  readonly column: number | null;
  readonly message: Localized;
  readonly suggestion: Localized | null;
  /** Values that may stand in the cell instead; a word of the program stands in both languages. */
  readonly fixes: readonly (string | Localized)[];
}

/** Progress of a check. */
export interface DraftCheckProgress {
  readonly step: "read" | "check";
  readonly done: number;
  /** `null` where the number is not known. */
  readonly total: number | null;
}

/** A draft in a list. */
export interface DraftSummaryView extends Pick<
  DraftDetails,
  "id" | "name" | "state" | "createdAtMs" | "updatedAtMs"
> {
  /** Who has uploaded it, with the id at a server of several people. */
  readonly createdBy: { readonly name: string; readonly id?: number | undefined } | null;
  readonly rows: number | null;
  readonly errors: number | null;
  readonly run: string | null;
  /** Whether no setting can make its file readable. */
  readonly isUnusable: boolean;
  /** Whether it was made of products of the store. */
  readonly isOfStore: boolean;
}

/** A whole draft but for its rows. */
export interface DraftDetails {
  readonly id: string;
  /** Name of the file as its person knows it; only ever shown as text. */
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly state: DraftState;
  /** Rises with each change; a request that changes the draft names the version that it saw. */
  readonly version: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly reading: DraftReadingView;
  /** `null` until the file can be read. */
  readonly columns: DraftColumnsView | null;
  /** `null` until rows are checked. */
  readonly counts: DraftCountsView | null;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Names that match nothing or several things, in all rows. */
  readonly openNames: number;
  /**
   * Whether it was known which rows are new to the store when they were checked. Only looked up where
   * the file lacks fields that a new product needs.
   */
  readonly isStoreKnown: boolean;
  /** The latest run that was planned from the draft; `null` for none. */
  readonly run: { readonly id: string; readonly isCurrent: boolean } | null;
  /**
   * When the products that it was made of were read, the first of them; `null` for a draft of a
   * file.
   */
  readonly shownAtMs: number | null;
  /** When its run is to be sent and taken back; `null` for at once and never. */
  readonly period: DraftPeriod | null;
}

/** A wish for the run of a draft; times in milliseconds since 1970. */
interface DraftPeriod {
  readonly timeZone: string;
  /** @default it is sent at once */
  readonly startAtMs?: number | undefined;
  /** @default it stays */
  readonly endAtMs?: number | undefined;
  /** What the end takes back, by the marketplace's names. @default all that is changed */
  readonly fields?: readonly string[] | undefined;
}

/** The draft after a change. */
export interface DraftEditResult extends Pick<
  DraftDetails,
  "version" | "canUndo" | "canRedo" | "openNames" | "run"
> {
  readonly counts: DraftCountsView;
  /** Rows whose cells or issues may be new, at most 500. */
  readonly rows: readonly DraftRowView[];
  /** Whether no other row may have changed. */
  readonly isAll: boolean;
}

/** A name of the store that an open name may mean. */
export interface DraftNameChoice {
  /** Value to answer with. */
  readonly target: string;
  /** With the full path of a category, or the brand of a model. */
  readonly label: string;
  /** What speaks for the choice, or against it. */
  readonly hint?: Localized | undefined;
  /** Kind of what speaks for it; missing where it is the brand of the rows. */
  readonly reason?: "answer" | "market" | "store" | "words" | "titles" | undefined;
}

/** The category to which a brand, a model or a property belongs. */
interface DraftNameCategory {
  readonly path: string;
  /** Index of its column; `null` where no column has it. */
  readonly column: number | null;
  /** Whether a person's answer made it the row's category. */
  readonly isAnswered: boolean;
  /** Other categories that the text of the file may mean. */
  readonly choices: readonly DraftNameChoice[];
}

/** A text that is no name of the store, or was none until it was answered, once for all its rows. */
export interface DraftName {
  readonly field: string;
  readonly label: Localized;
  readonly value: string;
  readonly rows: number;
  /** The first row that has the name. */
  readonly row: number;
  /** Index of its column; `null` where no column has the name. */
  readonly column: number | null;
  /** The product of the first row, as its cells name it. */
  readonly product: { readonly code: string | null; readonly title: string | null };
  /** Titles of different rows that have the name, at most two. */
  readonly titles: readonly string[];
  readonly choices: readonly DraftNameChoice[];
  /** The category of the first row; `null` for names that belong to none. */
  readonly category: DraftNameCategory | null;
  /** What a person has answered in this draft; `null` while the name is open. */
  readonly answer: { readonly target: string; readonly isRemembered: boolean } | null;
}

/** The names of a draft, and what a search of the marketplace for them would cost. */
export interface DraftNames {
  readonly names: readonly DraftName[];
  /** Searches that would say more about the open ones, at most as many as are made at once. */
  readonly searches: number;
}

/** What a category of the file and one of the store give for the open names below the first. */
export interface DraftNamesBelow {
  /** Names that stand below the store's category as well, or all where it is a leaf. */
  readonly exact: readonly DraftNameTarget[];
  /** Others with the nearest name below the store's category. */
  readonly near: readonly DraftNameTarget[];
  /** Those with neither. */
  readonly left: number;
}

/** An open name, and what it may mean. */
export interface DraftNameTarget extends Pick<DraftName, "field" | "value"> {
  readonly target: string;
}

/** How a price is rounded after it was computed. */
interface BulkRounding {
  /** Decimals on which it ends, as `90`; `00` for a whole number. */
  readonly ending: string;
  readonly direction: "up" | "down" | "nearest";
}

/** One change of many cells. Columns are indexes; amounts are decimal texts with a point. */
export type BulkChange =
  | { readonly kind: "set"; readonly column: number; readonly value: string }
  | {
      readonly kind: "price";
      /** `list`: the price without the discount. `discounted`: the reduced price beside it. */
      readonly of: "list" | "discounted";
      readonly by: "amount" | "percent";
      /** A negative value lowers the price. */
      readonly value: string;
      readonly rounding?: BulkRounding | undefined;
    }
  | {
      readonly kind: "stock";
      readonly how: "set" | "add" | "take";
      readonly pieces: number;
    }
  | {
      readonly kind: "discount";
      /** `null` ends the discount. A rounded one is given as a discounted price. */
      readonly give: {
        readonly as: "percent" | "amount" | "price";
        readonly value: string;
        readonly rounding?: BulkRounding | undefined;
      } | null;
    }
  | {
      readonly kind: "replace";
      readonly find: string;
      readonly replace: string;
      /** @default every column */
      readonly columns?: readonly number[] | undefined;
      /** Whether a cell must equal the text. @default false */
      readonly isWholeCell?: boolean | undefined;
    }
  | {
      readonly kind: "affix";
      readonly column: number;
      readonly before: string;
      readonly after: string;
    }
  | { readonly kind: "copy"; readonly from: number; readonly to: number }
  | { readonly kind: "template"; readonly column: number; readonly template: string };

/** Which rows are changed; both parts hold together. Rows that are left out stay. */
interface BulkScope {
  readonly filter?: Omit<DraftFilter, "sort"> | undefined;
  /** @default all rows */
  readonly rows?: readonly number[] | undefined;
}

/** A change, and its rows. */
export interface BulkInput {
  readonly change: BulkChange;
  readonly scope: BulkScope;
}

/** A change of an amount in percent, and where. */
interface BulkExtreme {
  /** Negative for a fall. */
  readonly percent: number;
  readonly row: number;
  readonly name: string;
}

/** Rows that stay for one reason. */
interface BulkLeft {
  readonly reason: Localized;
  readonly rows: number;
  /** The first of them, with the text of the cell. */
  readonly examples: readonly { readonly name: string; readonly text: string }[];
}

/** What a bulk change would do. */
export interface BulkPreview {
  readonly cells: number;
  readonly rows: number;
  /** Whether there are more cells than one step may change. */
  readonly isTooMany: boolean;
  /** The first ones. */
  readonly samples: readonly {
    readonly row: number;
    readonly name: string;
    /** Code of the product; empty where there is none. */
    readonly code: string;
    readonly column: number;
    readonly before: Localized;
    readonly after: Localized;
  }[];
  readonly left: readonly BulkLeft[];
  /** Rows that have the value already. */
  readonly same: number;
  /** By how much prices change; `null` where none do. */
  readonly prices: {
    readonly fall: BulkExtreme | null;
    readonly rise: BulkExtreme | null;
  } | null;
  /** What the buyer pays by the rows; `null` where no price and no discount changes. */
  readonly paid: {
    readonly fall: BulkExtreme | null;
    readonly rise: BulkExtreme | null;
    /** Rows in which it stays, though a price changes. */
    readonly unchanged: number;
  } | null;
}

/** A bulk change as it is asked for, and what its preview answers. */
export interface BulkExchange {
  readonly asked: BulkInput;
  readonly answered: BulkPreview;
}
