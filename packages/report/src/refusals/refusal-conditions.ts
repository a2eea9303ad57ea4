/** What has to differ before an unchanged row that was refused may be sent. */

import { guardOf, type RunMode, type RunSettings } from "@catalog/runs";

/** How a file is read this time. */
export interface CurrentReading {
  readonly mode: RunMode;
  readonly decimal: "comma" | "point" | undefined;
  /** Columns were named, or values were given for all rows. */
  readonly hasColumns: boolean;
  readonly hasConstants: boolean;
  readonly checksImages: boolean;
  readonly allowed: RunSettings["allowed"];
  readonly allowsSuspectCodes: boolean;
  /** The rows were accepted before and are mapped as they were then. */
  readonly isRetry: boolean;
}

/** State of the row in the file that is imported now. */
export interface CurrentRow {
  /**
   * Whether the column of the refused cell is mapped; `undefined` for an issue of the whole row.
   */
  readonly isColumnUsed: boolean | undefined;
  /** Neither its action nor its product id limits the row to an update. */
  readonly mayBeAdded: boolean;
}

interface RefusalCondition {
  /**
   * Whether a result file records it; `away` where the rows that it was compared with are not in
   * the file.
   */
  readonly isRecorded: boolean | "away";
  /**
   * Only a change of the cell counts; otherwise any change of the row does, as the cause may be
   * anywhere.
   */
  readonly isOfCell: boolean;
  /** Whether the unchanged row may be read anew. */
  readonly isOpen: (reading: CurrentReading, row: CurrentRow, code: string) => boolean;
}

const RECORDED = { isRecorded: true, isOfCell: false } as const;

/** Depends on other rows or on past events, which the file does not show again. */
const CONTEXT: RefusalCondition = { ...RECORDED, isOpen: () => false };

/** Depends on the row and on how it is mapped: a new mapping allows a new reading. */
const READING: RefusalCondition = {
  ...RECORDED,
  isOpen: ({ decimal, hasColumns, hasConstants }) =>
    decimal !== undefined || hasColumns || hasConstants,
};

/** Depends on the column's other numbers. */
const NOTATION: RefusalCondition = {
  isRecorded: true,
  isOfCell: true,
  isOpen: ({ decimal }) => decimal !== undefined,
};

/**
 * Depends on lists, rules and the store, which may have changed, unless the column is no longer
 * mapped.
 */
const LISTS: RefusalCondition = {
  isRecorded: true,
  isOfCell: true,
  isOpen: ({ hasConstants }, { isColumnUsed }) => isColumnUsed ?? hasConstants,
};

const IMAGES: RefusalCondition = { ...RECORDED, isOpen: ({ checksImages }) => checksImages };

/** Guards decide again where they can; see `heldBefore` of a candidate row. */
const GUARD: RefusalCondition = {
  ...RECORDED,
  isOpen({ allowed = [] }, _row, code) {
    const guard = guardOf({ code });
    return guard !== undefined && allowed.includes(guard);
  },
};

/** In an import of updates only, a code without a product must not become an add. */
const ONLY_UPDATE: RefusalCondition = {
  ...RECORDED,
  isOpen: ({ mode }, { mayBeAdded }) => mode === "update" || !mayBeAdded,
};

/** Depends on rows with the same code. */
const SAME_CODE: RefusalCondition = { isRecorded: "away", isOfCell: false, isOpen: () => false };

/** Depends on rows with a similar code, or with the same code and leading zeros. */
const SIMILAR_CODE: RefusalCondition = {
  isRecorded: "away",
  isOfCell: true,
  isOpen: ({ allowsSuspectCodes }) => allowsSuspectCodes,
};

/** The row itself shows the issue again, in any file and mapping. */
const SEEN_AGAIN: RefusalCondition = { isRecorded: false, isOfCell: false, isOpen: () => true };

const KINDS: readonly (readonly [RegExp, RefusalCondition])[] = [
  [/^E_(?:REQUIRED|ROW_UNCHANGED)$/u, SEEN_AGAIN],
  [/^E_(?:CHANGED|APPEARED|CODE_REMOTE_TWICE|ID_CODE_MISMATCH)$/u, SEEN_AGAIN],
  [/^E_REFUSED_(?:BEFORE|OFTEN|OPEN)$/u, SEEN_AGAIN],
  [/^E_CODE_DUPLICATE$/u, SAME_CODE],
  [/^E_CODE_SUSPECT$/u, SIMILAR_CODE],
  [/^E_PRODUCT_UNKNOWN$/u, ONLY_UPDATE],
  [/^E_(?:BRAND|CATEGORY|MODEL|OPTION|PROPERTY|TEMPLATE)_|^E_(?:VALUE_UNKNOWN|RULE_)/u, LISTS],
  [/^E_NUMBER_(?:AMBIGUOUS|MIXED)$/u, NOTATION],
  [/^E_IMG_|^E_IMAGE_FILE$/u, IMAGES],
  [/^E_GUARD_/u, GUARD],
  [/^E_(?:COLUMN_COUNT|PRODUCT_TWICE|ADD_OPEN|OUTCOME_UNKNOWN|FOUND_)/u, CONTEXT],
];

/** Codes that are not named here depend on the row and on how it is read. */
export const refusalConditionOf = (code: string): RefusalCondition =>
  KINDS.find(([pattern]) => pattern.test(code))?.[1] ?? READING;
