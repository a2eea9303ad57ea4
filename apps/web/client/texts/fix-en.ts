/** The words of the step of correcting, in English. */

import type { FixTexts } from "./fix-tr.ts";
import { countEn } from "./plural.ts";

const rows = countEn("row", "rows");
const cells = countEn("cell", "cells");

export const fixEn = {
  title: "Correct the errors",
  checking: "Checking the rows",
  ofTotal: (done: string, total: string) => `${done} / ${total}`,
  notReady: "Choose first what the columns are.",
  toColumns: "Back to the columns",
  all: "All",
  errors: "Errors",
  warnings: "Warnings",
  edited: "Edited by hand",
  excluded: "Left out",
  views: "Filter the rows",
  kinds: "Kind of problem",
  otherKinds: countEn("more kind of problem", "more kinds of problems"),
  error: "Error",
  warning: "Warning",
  search: "Search the table",
  clear: "Remove the filter",
  next: "Next error",
  previous: "Previous error",
  undo: "Undo",
  redo: "Redo",
  findReplace: "Find and replace",
  exclude: "Leave the row out",
  include: "Put the row back",
  excludeMany: (count: number) => `Leave out ${rows(count)}`,
  includeMany: (count: number) => `Put back ${rows(count)}`,
  refresh: "Refresh the list",
  stale:
    "What you corrected stays in place. Refreshing removes what the filter no longer covers, and sorts the rows again.",
  status: (errors: number, warnings: number, all: number) => {
    const warned = warnings === 0 ? "" : `, ${rows(warnings)} with warnings`;
    return errors === 0
      ? `No errors left: ${rows(all)}${warned}.`
      : `${rows(errors)} with errors${warned}.`;
  },
  statusOpen: (errors: number, warnings: number, all: number) => {
    const warned = warnings === 0 ? "" : `, ${rows(warnings)} with warnings`;
    return errors === 0
      ? `No errors in the cells of ${rows(all)}${warned}; the preview looks up which of them are new products.`
      : `${rows(errors)} with errors${warned}; the preview looks up which rows are new products.`;
  },
  noneSound: "A preview needs at least one row without errors.",
  noErrors: "No errors left; you can go to the preview.",
  leftErrors: (count: number) => `${rows(count)} with errors will not be sent; the others will.`,
  leftErrorsOpen: (count: number) => `${rows(count)} with errors will not be sent.`,
  downloadAll: "Download the table",
  downloadErrors: (count: number) =>
    count === 1 ? "Download the row with an error" : `Download the ${rows(count)} with errors`,
  lackedForNew: (fields: string) =>
    `Codes that the store does not have cannot be added as new products, as these fields have no value: ${fields}. The preview looks the codes up in the store again.`,
  lackedOpen: (fields: string) =>
    `Products that the store has are updated; others cannot be added, as these fields have no value: ${fields}.`,
  lackedInAdd: (fields: string) =>
    `No product can be added, as these fields have no value: ${fields}.`,
  giveLacked: "Complete the missing fields",
  missingTitle: "Fields that new products lack",
  missingIntro:
    "The file has no column for these fields. Where products differ, add a column and fill its cells; where they do not, type the value once on the step of columns.",
  addColumn: "Add a column",
  addColumnFor: (field: string) => `Add a column for ${field}`,
  columnAdded: "Column added",
  columnAddedFor: (field: string) => `${field}: column added`,
  giveValueFor: (field: string) => `Give ${field} a value on the step of columns`,
  giveAll: "One value for all rows",
  giveNew: "A default for new products",
  giveAny: "One value, or a default",
  mode: "What to do",
  modes: {
    upsert: "Add new products, update the others",
    update: "Only update products that are there",
    add: "Only add new products",
  },
  go: "Go to the preview",
  rowNumber: "Row",
  grid: "Rows of the file",
  noRows: "No row matches this filter.",
  loadingRows: "Getting the rows…",
  panel: "Selected cell",
  panelEmpty: "Select a cell; its problem and the remedy appear here.",
  cellName: (row: string, column: string) => `Row ${row} · ${column}`,
  cellFine: "This cell has no problem.",
  wholeRow: "whole row",
  fixInstead: (text: string) => `Instead of “${text}”:`,
  fixEmpty: "Into the empty cell:",
  fixTo: (text: string, value: string) =>
    text === "" ? `Into the empty cell: ${value}` : `Instead of “${text}”: ${value}`,
  makeEmpty: "empty the cell",
  keepAsText: (text: string) => `${text} (it is right)`,
  readAs: (text: string, target: string) =>
    `“${text}” goes to the store as “${target}”, as it is remembered.`,
  toRules: "Rules",
  excludedRow: "This row was left out and is not sent.",
  changed: "This draft was changed in another tab",
  changedText: "Its newest state is shown. Your change is not lost; apply it again if you wish.",
  applyAgain: "Apply my change",
  forget: "Not needed",
  tooMany: (max: number) => `At most ${cells(max)} can change at once. Select a smaller area.`,
  replaceTitle: "Find and replace",
  find: "Find",
  replace: "Replace with",
  inColumns: "Where",
  everywhere: "All columns",
  wholeCell: "Only where the whole cell is equal",
  replaceCount: (cellCount: number, rowCount: number) =>
    `${cells(cellCount)} in ${rows(rowCount)} will change.`,
  replaceNone: "No cell has this text.",
  replaceTooMany: "Too many cells. Choose a column to narrow it down.",
  replaceGo: "Replace all",
  before: "Before",
  after: "After",
  row: "Row",
  column: "Column",
  names: (count: number) => countEn("unknown name", "unknown names")(count),
  namesTitle: "Unknown names",
  namesIntro: "Each name is asked once; your answer is used in every row that has it.",
  nameRows: (count: number) => `in ${rows(count)}`,
  nameChoices: (value: string) => `Choices for ${value}`,
  nameOther: "If it is not listed, search in the cell.",
  nameSearch: "Search for another name",
  nameProduct: (row: string, product: string) => `Row ${row}: ${product}`,
  nameCategory: (path: string) => `It is looked up in this category: ${path}.`,
  nameAnswered: (path: string) =>
    `By your answer for the category, it is looked up in this one: ${path}.`,
  chooseCategory: "Choose the category…",
  otherCategory: "Choose another category",
  keepCategory: "Cancel",
  takeCategory: "Change the category",
  willMove: (count: number, path: string) =>
    `“${path}” is written to the category cell of ${rows(count)}; you can undo it.`,
  moved: (count: number, path: string) => `The category of ${rows(count)} is now “${path}”.`,
  nameCounts: (value: string, target: string) =>
    `“${value}” now counts as “${target}” in this store. The cells keep the text of the file; to take this back, delete it on the Rules page.`,
  nameWritten: (value: string, target: string) => `“${target}” was written in place of “${value}”.`,
  remember: "Remember this answer for later files too",
  willRead: (value: string, target: string) =>
    `The cell still says “${value}”; “${target}” is sent to the store.`,
  willWrite: (value: string, target: string, count: number) =>
    `“${target}” is written in place of “${value}” in ${rows(count)}; you can undo it.`,
  answer: "Apply",
  namesDone: "Every name is known.",
  lookup: "Search a name",
  lookupNone: "No name matches",
  keys: "F8: next error · Enter: edit · Ctrl+D: fill down · Ctrl+F: find and replace",
} satisfies FixTexts;
