/** Numbers the formats of a workbook, so that a cell can name one in a few bytes. */

/** Number that stands for no format. */
export const NO_FORMAT = 0;

export interface FormatTable {
  /** The number of a code, from 1; `NO_FORMAT` for no code. */
  idOf(code: string | undefined): number;
  /** In the order of their numbers. */
  codes(): readonly string[];
}

export function createFormatTable(): FormatTable {
  const ids = new Map<string, number>();
  return {
    idOf(code) {
      if (code === undefined) return NO_FORMAT;
      const known = ids.get(code);
      if (known !== undefined) return known;
      ids.set(code, ids.size + 1);
      return ids.size;
    },
    codes: () => [...ids.keys()],
  };
}
