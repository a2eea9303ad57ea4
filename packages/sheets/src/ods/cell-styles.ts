/** The number formats of an OpenDocument file by the names of its cell styles. */

import { type NumberFormat, parseNumberFormat } from "../xlsx/read/number-formats.ts";
import { parseAttributes } from "../xlsx/read/xml/xml-scanner.ts";
import { createNumberCode, type NumberCodeBuilder } from "./number-code.ts";

const NUMBER_STYLES: ReadonlySet<string> = new Set([
  "number-style",
  "currency-style",
  "percentage-style",
  "date-style",
  "time-style",
  "boolean-style",
  "text-style",
]);

interface CellStyle {
  readonly parent: string | undefined;
  readonly code: string | undefined;
}

/** Collects styles in the order of the document. */
export interface CellStyles {
  open(name: string, source: string): void;
  text(text: string): void;
  close(name: string): void;
  /** Undefined for a style without a number format. */
  find(style: string): NumberFormat | undefined;
  /** Whether tables of this style are hidden. */
  hidesTable(style: string): boolean;
}

/** Maximum depth of parent styles, which also ends a cycle. */
const MAX_PARENTS = 20;

/** Makes the styles of a document; those of `common` are included. */
export function createCellStyles(common?: CellStyleSource): CellStyles & CellStyleSource {
  const codes = new Map(common?.codes);
  const styles = new Map(common?.styles);
  const hiddenTables = new Set<string>();
  const formats = new Map<string, NumberFormat | undefined>();
  let number: { readonly name: string; readonly builder: NumberCodeBuilder } | undefined;
  let current = "";

  const open = (name: string, source: string): void => {
    if (NUMBER_STYLES.has(name)) {
      const style = parseAttributes(source).get("name") ?? "";
      number = { name: style, builder: createNumberCode(name) };
    } else if (number !== undefined) number.builder.open(name, source);
    else if (name === "style") {
      const attributes = parseAttributes(source);
      current = attributes.get("name") ?? "";
      const data = attributes.get("data-style-name");
      if (attributes.get("family") !== "table-cell") return;
      const code = data === undefined ? undefined : codes.get(data);
      styles.set(current, { parent: attributes.get("parent-style-name"), code });
    } else if (name === "table-properties") {
      if (parseAttributes(source).get("display") === "false") hiddenTables.add(current);
    }
  };
  return {
    codes,
    styles,
    open,
    text: (text) => number?.builder.text(text),
    close(name) {
      if (number === undefined) return;
      number.builder.close(name);
      if (!NUMBER_STYLES.has(name)) return;
      codes.set(
        number.name,
        number.builder.code((style) => codes.get(style)),
      );
      number = undefined;
    },
    find(style) {
      if (!formats.has(style)) formats.set(style, findFormat(styles, style));
      return formats.get(style);
    },
    hidesTable: (style) => hiddenTables.has(style),
  };
}

function findFormat(
  styles: ReadonlyMap<string, CellStyle>,
  style: string,
): NumberFormat | undefined {
  let at: string | undefined = style;
  for (let steps = 0; at !== undefined && steps < MAX_PARENTS; steps += 1) {
    const found = styles.get(at);
    if (found?.code !== undefined) return parseNumberFormat(found.code);
    at = found?.parent;
  }
  return undefined;
}

/** The styles of one document as another one uses them. */
export interface CellStyleSource {
  readonly codes: ReadonlyMap<string, string>;
  readonly styles: ReadonlyMap<string, CellStyle>;
}
