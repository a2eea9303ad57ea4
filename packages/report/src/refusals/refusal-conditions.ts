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
  readonly allowsSuspectCodes: boolean;
  /** The rows were accepted before, and are read as they were then. */
  readonly isRetry: boolean;
}

/** What the row that comes back says. */
export interface RowNow {
  /** Whether the column is used below whose header the refused cell stands; of a row, none is asked. */
  readonly isColumnUsed: boolean | undefined;
  /** It asks for no update alone, by its action or its product id. */
  readonly mayBeAdded: boolean;
}

interface CodeJudgement {
  /** Whether a file remembers it; `away` where rows that it was compared with are not in the file. */
  readonly isRecorded: boolean | "away";
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

/** Guards look again where they can; see `heldBefore` of a candidate row. */
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
  isOpen: ({ mode }, { mayBeAdded }) => mode === "update" || !mayBeAdded,
};

/** Depends on rows with the same code. */
const SAME_CODE: CodeJudgement = { isRecorded: "away", isOfCell: false, isOpen: () => false };

/** Depends on rows with a similar code, or with zeros before theirs. */
const SIMILAR_CODE: CodeJudgement = {
  isRecorded: "away",
  isOfCell: true,
  isOpen: ({ allowsSuspectCodes }) => allowsSuspectCodes,
};

/** The row shows it again, wherever it stands and however it is read. */
const SEEN_AGAIN: CodeJudgement = { isRecorded: false, isOfCell: false, isOpen: () => true };

const KINDS: readonly (readonly [RegExp, CodeJudgement])[] = [
  [/^E_(?:REQUIRED|ROW_UNCHANGED)$/u, SEEN_AGAIN],
  [/^E_(?:CHANGED|APPEARED|CODE_REMOTE_TWICE|ID_CODE_MISMATCH)$/u, SEEN_AGAIN],
  [/^E_REFUSED_(?:BEFORE|OFTEN|OPEN)$/u, SEEN_AGAIN],
  [/^E_CODE_DUPLICATE$/u, SAME_CODE],
  [/^E_CODE_SUSPECT$/u, SIMILAR_CODE],
  [/^E_PRODUCT_UNKNOWN$/u, ONLY_UPDATE],
  [/^E_(?:BRAND|CATEGORY|MODEL|OPTION|PROPERTY|TEMPLATE)_|^E_(?:VALUE_UNKNOWN|RULE_)/u, LISTS],
  [/^E_NUMBER_(?:AMBIGUOUS|MIXED)$/u, NOTATION],
  [/^E_IMG_|^E_IMAGE_FILE$/u, PICTURES],
  [/^E_GUARD_/u, GUARD],
  [/^E_(?:COLUMN_COUNT|PRODUCT_TWICE|ADD_OPEN|OUTCOME_UNKNOWN|FOUND_)/u, CONTEXT],
];

/** Codes that are not named here depend on the row and on how it is read. */
export const judgeCode = (code: string): CodeJudgement =>
  KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? READING;
