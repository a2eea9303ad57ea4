/** Reads text cells, which can display more or less than they hold. */

import type { Problem, Reading } from "../issues/issue.ts";
import { type CellValue, cellText } from "../rows/source-row.ts";
import { type CellDisplay, type CellDisplays, isSameAmount } from "./cell-display.ts";
import { refuseDisplay } from "./shown-number.ts";

/**
 * How a text is used: a `code` is sent digit by digit, a `text` as it is read, and of a `list` only
 * the meaning is sent, so that several spellings may be tried.
 */
export type TextUse = "code" | "text" | "list";

/** How the content of a cell is spelled. */
export interface Spelling {
  readonly text: string;
  /** Further spellings, less likely ones last. */
  readonly others: readonly string[];
  /** Why the content of the cell is not certain. */
  readonly problem?: Problem | undefined;
}

/** The cell as its sheet has it. */
export interface TextCell {
  readonly value: CellValue;
  readonly format: string | undefined;
  readonly use: TextUse;
}

/** Reads the text of a cell. */
export function spellCell(cell: TextCell, displays: CellDisplays): Spelling {
  const { value, format, use } = cell;
  if (typeof value === "boolean") return spellBoolean(value, use);
  if (value === null) return plain("");
  const display = displays.displayOf(value, format);
  if (display === undefined)
    return typeof value === "number" ? spellNumber(value, use) : ownText(value);
  if (display === "unknown") return broken(value, refuseDisplay(display, format));
  if (typeof value === "string") return spellShownText(value, display, use);
  return use === "list" ? spellListed(value, display) : spellShownNumber(value, display, use);
}

const plain = (text: string): Spelling => ({ text, others: [] });

const ownText = (value: string): Spelling => plain(cellText(value));

const broken = (value: CellValue, reading: Reading<never>): Spelling => ({
  ...plain(cellText(value)),
  problem: reading.ok ? undefined : reading.problem,
});

/** Spells a truth value; a product code has its own issue for it. */
function spellBoolean(value: boolean, use: TextUse): Spelling {
  const problem = use === "text" ? ({ text: "E_CELL_FORMAT.boolean" } as const) : undefined;
  return { ...plain(String(value)), problem };
}

/** Number of significant digits that Excel keeps. */
const EXACT_DIGITS = 15;
const MAX_EXACT = 1e15;

/** Spells a number in the general format; a product code has a rule of its own for it. */
function spellNumber(value: number, use: TextUse): Spelling {
  if (use !== "text") return plain(String(value));
  const text = String(Number(value.toPrecision(EXACT_DIGITS)));
  const isShownOtherwise = Math.abs(value) >= MAX_EXACT || text.includes("e");
  if (!isShownOtherwise) return plain(text);
  const shown = value.toExponential().toUpperCase();
  return { ...plain(text), problem: { text: "E_CELL_FORMAT", params: { shown } } };
}

/** Spells a text whose format adds something before or behind it, or hides it. */
function spellShownText(value: string, display: CellDisplay, use: TextUse): Spelling {
  const text = cellText(value);
  if (display.shown.en === text) return plain(text);
  return use === "list" && display.shown.en !== ""
    ? plain(display.shown.en)
    : broken(value, refuseDisplay(display));
}

/**
 * Spells a displayed number: leading or trailing zeros are read as displayed; any other difference
 * is ambiguous.
 */
function spellShownNumber(value: number, display: CellDisplay, use: TextUse): Spelling {
  const { number } = display;
  const isBare =
    number !== undefined && !number.isGrouped && number.before === "" && number.after === "";
  const isWhole = use === "text" || number?.digits.includes(".") === false;
  return isBare && isWhole && isSameAmount(number.amount, value)
    ? plain(number.digits)
    : broken(value, refuseDisplay(display));
}

/**
 * The displayed spelling comes first; a number without words around it may be listed with fewer
 * signs.
 */
function spellListed(value: number, display: CellDisplay): Spelling {
  const { number, shown } = display;
  if (shown.tr === "") return broken(value, refuseDisplay(display));
  if (number === undefined) return { text: shown.en, others: [shown.tr] };
  const words = `${number.before}${number.after}`;
  const isSame = isSameAmount(number.amount, value);
  if (words === "") {
    return isSame
      ? { text: number.digits, others: [String(value)] }
      : broken(value, refuseDisplay(display));
  }
  const isPercent = words === "%" && isSameAmount(number.amount / 100, value);
  if (!isSame && !isPercent) return broken(value, refuseDisplay(display));
  return { text: shown.en, others: [shown.tr] };
}
