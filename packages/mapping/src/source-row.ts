/** Rows and cells as a file reader returns them. */

import { trimText } from "./text-keys.ts";

/** Stands in a command to paste for a text that a person has to write; it is never taken as one. */
export const PLACEHOLDER = "…";

/** Whether a text is such a mark, pasted as it stands. */
export const isPlaceholder = (text: string): boolean =>
  text.trim() === PLACEHOLDER || text.trim() === "...";

/** What a cell holds; `null` is an empty cell, a number is a number cell of a workbook. */
export type CellValue = string | number | boolean | null;

/** A fact that a reader knows of a cell beyond its value. */
export type CellTrait = "date" | "error" | "formula";

/** One row as a reader returns it. */
export interface SourceRow {
  /** As the spreadsheet program shows it, from 1. */
  readonly row: number;
  readonly cells: readonly CellValue[];
  /** By column index; a missing column has no trait. */
  readonly traits?: Readonly<Record<number, CellTrait>>;
  /** Number formats of cells that are not text, as Excel stores them, by column index. */
  readonly formats?: Readonly<Record<number, string>>;
  /** The line of the file on which a record of XML or JSON begins. It is only passed on. */
  readonly line?: number;
  /** What the row takes from other rows of its product. @default nothing */
  readonly joined?: JoinedCells;
  /** How its cells stand in the file, where columns of one store replace some. It is never stored. */
  readonly folded?: FoldedCells;
}

/** The cells of a row before those of its store's columns took the places of common ones. */
export interface FoldedCells extends Pick<SourceRow, "cells"> {
  readonly traits: SourceRow["traits"];
  readonly formats: SourceRow["formats"];
  /** Index of the column where a cell stands, by the index of the column that it is read as. */
  readonly places: Readonly<Record<number, number>>;
}

/** What a row takes from other rows of its product, and what it is among them. */
export interface JoinedCells {
  /**
   * `product`, `variant`: a row that is sent. `parent`, `image`: a row whose cells other rows take.
   * `lost`: a row whose product is not certain.
   */
  readonly role: "product" | "variant" | "parent" | "image" | "lost";
  /** By column index; they stand in place of the row's own cells. */
  readonly cells?: Readonly<Record<number, JoinedCell>>;
  /** All images of the row in their order, its own ones included. @default the row's own images */
  readonly images?: readonly JoinedImage[];
  /** Why the row is lost. */
  readonly reason?: LostReason;
  /** The first row of the product; of a lost row the one that may be it. */
  readonly parentRow?: number;
}

/**
 * `missing`: no row above is the parent. `apart`: other rows stand between. `ambiguous`: several rows
 * may be the parent. `broken`: the parent has too many or too few cells. `many`: the product has
 * more rows or images than are kept.
 */
export type LostReason = "missing" | "apart" | "ambiguous" | "broken" | "many";

/** A cell of another row. */
export interface JoinedCell {
  readonly row: number;
  /** Index of the column where it stands. @default that of the cell that it replaces */
  readonly index?: number | undefined;
  readonly value: CellValue;
  readonly trait?: CellTrait | undefined;
  readonly format?: string | undefined;
}

/** A cell with images. */
export interface JoinedImage {
  readonly row: number;
  readonly index: number;
  readonly value: CellValue;
}

/** The trimmed text of a cell; empty for an empty one. */
export function cellText(value: CellValue | undefined): string {
  if (typeof value === "string") return trimText(value);
  return value === null || value === undefined ? "" : String(value);
}

/** The letters of a column: 0 is A, 26 is AA. */
export function columnLetter(columnIndex: number): string {
  const rest = Math.floor(columnIndex / 26) - 1;
  const last = String.fromCodePoint(65 + (columnIndex % 26));
  return rest < 0 ? last : columnLetter(rest) + last;
}

/** The address of a cell as the spreadsheet program shows it: column 5 of row 12 is F12. */
export function cellAddress(columnIndex: number, row: number): string {
  return `${columnLetter(columnIndex)}${row}`;
}

/**
 * Error values that programs write as text, in English and in Turkish, and `#####`, which Excel
 * saves for a number that its column is too narrow for.
 */
const ERROR_TEXT: RegExp =
  /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|ERROR!|SPILL!|CALC!|FIELD!|BLOCKED!|CONNECT!|BUSY!|UNKNOWN!|GETTING_DATA|YOK|BAŞV!|DEĞER!|SAYI\/0!|AD\?|BOŞ!|SAYI!|TAŞMA!|#+)$/u;

/** Error values of LibreOffice that have no other name. */
const ERROR_NUMBER: RegExp = /^Err:\d{3}$/u;

/** Whether a text is the error value of a formula, such as `#N/A`, or of a lost number. */
export function isErrorText(text: string): boolean {
  if (text.startsWith("#")) return ERROR_TEXT.test(text);
  return text.startsWith("Err:") && ERROR_NUMBER.test(text);
}

/** Whether a cell is a formula in a CSV file, which holds no result. */
export function isOpenFormula(text: string, trait: CellTrait | undefined): boolean {
  return trait === "formula" && text.startsWith("=");
}
