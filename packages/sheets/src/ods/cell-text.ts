/** Joins the paragraphs of a cell to one text, with the blanks that OpenDocument counts. */

import { parseAttributes } from "../xlsx/read/xml/xml-scanner.ts";

/** Receives the elements in a cell. */
export interface CellText {
  begin(): void;
  open(name: string, source: string): void;
  text(text: string): void;
  close(name: string): void;
  /** Undefined where there was no paragraph. */
  end(): string | undefined;
}

/** Maximum number of repeated blanks; the text is cut there and refused for its length. */
const MAX_BLANKS = 40_000;

export function createCellText(): CellText {
  let paragraphs: string[] = [];
  let current: string | undefined;
  let inner = 0;

  const add = (piece: string): void => {
    if (current !== undefined) current += piece;
  };
  const openers: Readonly<Record<string, (source: string) => void>> = {
    s(source) {
      const blanks = Number(parseAttributes(source).get("c") ?? 1);
      add(KEPT_BLANK.repeat(Math.min(Math.max(blanks || 1, 1), MAX_BLANKS)));
    },
    tab: () => add("\t"),
    "line-break": () => add("\n"),
  };
  return {
    begin() {
      paragraphs = [];
      current = undefined;
      inner = 0;
    },
    open(name, source) {
      if (name === "p" || name === "h") {
        inner += 1;
        if (inner === 1) current = "";
      } else openers[name]?.(source);
    },
    // Line ends and tabs belong to the layout of the XML; real ones are elements. Runs of blanks are
    // kept as LibreOffice keeps them, although OpenDocument joins them.
    text: (piece) =>
      add(LINE.test(piece) ? piece.replaceAll(/(?:(?<! ) +)?[\t\r\n][ \t\r\n]*/g, LAYOUT) : piece),
    close(name) {
      if (name !== "p" && name !== "h") return;
      inner -= 1;
      if (inner > 0 || current === undefined) return;
      paragraphs.push(withoutLayout(current));
      current = undefined;
    },
    end: () => (paragraphs.length === 0 ? undefined : paragraphs.join("\n")),
  };
}

/**
 * Placeholder for a blank of an element until those of the layout are removed; XML cannot contain
 * it.
 */
const KEPT_BLANK = "\uffff";
/** Placeholder for a line end of the layout. */
const LAYOUT = "\ufffe";

const LINE = /[\t\r\n]/;

/** Most texts have neither; the patterns that look behind them take most of the time otherwise. */
const HAS_LAYOUT = /[\ufffe\uffff]|^ | $/;

const withoutLayout = (text: string): string =>
  HAS_LAYOUT.test(text)
    ? text
        .replaceAll(/(?:(?<! ) +)?\ufffe[ \ufffe]*/g, " ")
        .replaceAll(/^ +|(?<! ) +$/g, "")
        .replaceAll(KEPT_BLANK, " ")
    : text;
