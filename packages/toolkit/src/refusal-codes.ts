/** What has to be different before a refused row that has not changed may be sent. */

import { guardOf, type RunMode, type RunSettings } from "@catalog/runs";

/** How a file is read this time. */
export interface ReadingNow {
  readonly mode: RunMode;
  readonly decimal: "comma" | "point" | undefined;
  /** Columns that were named, and values that were given for all rows. */
  readonly hasColumns: boolean;
  readonly hasConstants: boolean;
  readonly looksAtPictures: boolean;
  readonly allowed: RunSettings["allowed"];
  /** The rows were accepted before, and are read as they were then. */
  readonly isRetry: boolean;
}

/** What the row that comes back says. */
export interface RowNow {
  /** Whether the column is used below whose header the refused cell stands; of a row, none is asked. */
  readonly isColumnUsed: boolean | undefined;
  readonly hasProductId: boolean;
}

interface CodeJudgement {
  /** Whether a file has to remember it; what all rows of the file show again is not remembered. */
  readonly isRecorded: boolean;
  /** The cell alone has to change; else any change of the row counts, for the cause may be anywhere. */
  readonly isOfCell: boolean;
  /** Whether the row, though unchanged, may be read afresh. */
  readonly isOpen: (reading: ReadingNow, row: RowNow, code: string) => boolean;
}

const RECORDED = { isRecorded: true, isOfCell: false } as const;

/** Depends on other rows, or on what happened: nothing that the file says can show it again. */
const CONTEXT: CodeJudgement = { ...RECORDED, isOpen: () => false };

/** Depends on the row and on how it is read: who says anew how it is to be read has it read. */
const READING: CodeJudgement = {
  ...RECORDED,
  isOpen: ({ decimal, hasColumns, hasConstants }) =>
    decimal !== undefined || hasColumns || hasConstants,
};

/** Depends on the column's other numbers. */
const NOTATION: CodeJudgement = {
  isRecorded: true,
  isOfCell: true,
  isOpen: ({ decimal }) => decimal !== undefined,
};

/** Depends on lists, rules and the store, which may have changed; a column that is not read does not. */
const LISTS: CodeJudgement = {
  isRecorded: true,
  isOfCell: true,
  isOpen: ({ hasConstants }, { isColumnUsed }) => isColumnUsed ?? hasConstants,
};

const PICTURES: CodeJudgement = { ...RECORDED, isOpen: ({ looksAtPictures }) => looksAtPictures };

const GUARD: CodeJudgement = {
  ...RECORDED,
  isOpen({ allowed = [] }, _row, code) {
    const guard = guardOf({ code });
    return guard !== undefined && allowed.includes(guard);
  },
};

/** A code without a product would be added where updates alone were asked for. */
const ONLY_UPDATE: CodeJudgement = {
  ...RECORDED,
  isOpen: ({ mode }, { hasProductId }) => mode === "update" || hasProductId,
};

/** All rows that it takes to find it are in the file, or the row shows it again wherever it stands. */
const SEEN_AGAIN: CodeJudgement = { isRecorded: false, isOfCell: false, isOpen: () => true };

const KINDS: readonly (readonly [RegExp, CodeJudgement])[] = [
  [/^E_(?:REQUIRED|CODE_SUSPECT|ROW_UNCHANGED)$/u, SEEN_AGAIN],
  [/^E_(?:CHANGED|APPEARED|CODE_REMOTE_TWICE|ID_CODE_MISMATCH)$/u, SEEN_AGAIN],
  [/^E_PRODUCT_UNKNOWN$/u, ONLY_UPDATE],
  [/^E_(?:BRAND|CATEGORY|MODEL|OPTION|PROPERTY|TEMPLATE)_|^E_(?:VALUE_UNKNOWN|RULE_)/u, LISTS],
  [/^E_NUMBER_(?:AMBIGUOUS|MIXED)$/u, NOTATION],
  [/^E_IMG_|^E_IMAGE_FILE$/u, PICTURES],
  [/^E_GUARD_/u, GUARD],
  [/^E_(?:COLUMN_COUNT|CODE_DUPLICATE|PRODUCT_TWICE|ADD_OPEN|OUTCOME_UNKNOWN|FOUND_)/u, CONTEXT],
];

/** Codes that are not named here depend on the row and on how it is read. */
export const judgeCode = (code: string): CodeJudgement =>
  KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? READING;
