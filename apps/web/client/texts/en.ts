/** The words of the frame and of the steps of the file, the columns and correcting, in English. */

import type { FixTexts, StartTexts } from "./tr.ts";

const rules = new Intl.PluralRules("en-GB");
const numbers = new Intl.NumberFormat("en-GB");

/** "1 row", "2,000 rows". */
export const countEn =
  (one: string, other: string): ((count: number) => string) =>
  (count) =>
    `${numbers.format(count)} ${rules.select(count) === "one" ? one : other}`;

const rows = countEn("row", "rows");
const n = (count: number): string => new Intl.NumberFormat("en-GB").format(count);

export const en = {
  app: {
    title: "Catalog",
    skip: "Skip to content",
    skipToAction: "Skip to the main button of the step",
    store: (id: string) => `Store ${id}`,
    sandbox: "Local marketplace (trial)",
    sandboxHint: "Nothing sent here reaches the real store.",
    local: "Local / trial address",
    live: "Live store",
    busy: "Working",
    busyHint: "Something is being sent, synced or previewed in this store now.",
    pages: {
      upload: "Upload",
      history: "History",
      exports: "Export",
      feeds: "Sync",
      rules: "Rules",
      templates: "Templates",
      settings: "Settings",
    },
    navigation: "Pages",
    help: "Help",
    language: "Language",
    loading: "Loading…",
    retry: "Try again",
    close: "Close",
    cancel: "Cancel",
    more: "Show more",
    failed: "Something went wrong",
    badAnswer:
      "The program did not answer as expected. Wait a moment and try again; if it does not help, stop the page with Ctrl-C in its terminal and run its command again.",
    slow: "This takes longer than expected. You can wait or try again.",
    offline: "The program cannot be reached. You go on where you were once it answers.",
    offlineUnsaved: (changes) =>
      `The program cannot be reached. ${countEn("change", "changes")(changes)} of yours ${changes === 1 ? "is" : "are"} not saved yet, and will be once it answers. Keep this tab open until then.`,
    notDone:
      "The database could not be reached, so this may not have been done. Once it is back, look and try again if needed.",
    unsavedWhile: (changes) =>
      `${countEn("change", "changes")(changes)} of yours ${changes === 1 ? "is" : "are"} not saved yet, and will be then. Keep this tab open.`,
    saving: (changes) =>
      `Saving… ${countEn("change", "changes")(changes)} of yours ${changes === 1 ? "is" : "are"} not saved yet. Keep this tab open until then.`,
    unknownPage: "There is no such page.",
    notFound: "Not found",
    goToHistory: "Open the history",
    goHome: "Back to the start",
  },
  help: {
    title: "Short help",
    intro:
      "Your file goes to the store in six steps. You can return to any step; nothing you typed is lost.",
    items: [
      "File: drop an Excel, CSV or ODS file, or paste copied cells.",
      "Columns: shows what each column is; change a wrong guess.",
      "Correct: cells with errors are marked. F8 goes to the next error.",
      "Preview: shows every change to the store. Nothing is sent in this step.",
      "Send: starts once you approve, and goes on even if you close the tab.",
      "Report: what was added, what was rejected and why. You can undo it if needed.",
    ],
    keysTitle: "Keyboard in the table",
    keys: [
      ["F8, Shift+F8", "next, previous error"],
      ["Enter, F2", "edit the cell"],
      ["Enter while typing", "keep it, go to the cell below"],
      ["Ctrl+C, Ctrl+V", "copy, paste"],
      ["Shift+arrows", "select several cells"],
      ["Ctrl+D", "fill the value above down"],
      ["Enter on a header", "sort by that column"],
      ["Ctrl+F", "find and replace"],
      ["Ctrl+Z, Ctrl+Y", "undo, redo"],
    ],
  },
  session: {
    title: "The page is not open in this browser",
    wanted: (changes) =>
      `Your session is over; ${changes === 1 ? "1 change waits" : `${n(changes)} changes wait`} in this tab and will be saved once a session is open. Do not close this tab.`,
    text: "A new link is needed. Leave the terminal that opened the page as it is, run this command again in another one and open the link that it prints in this browser:",
    why: "For your safety each link opens only once; the page then stays open in this browser for 8 hours after it was last used.",
  },
  login: {
    title: "Connect your store",
    intro:
      "Enter the API details from your marketplace panel. They are kept on this computer only.",
    baseUrl: "Address of the marketplace",
    baseUrlHint: "starts with https://",
    storeId: "Store number",
    clientKey: "API key",
    clientSecret: "API secret",
    submit: "Connect the store",
    submitting: "Connecting…",
    or: "Would you rather try it first?",
    sandbox: "Try with a local store",
    sandboxHint: "A small marketplace starts on this computer; your real store is not touched.",
    starting: "Starting the local store…",
  },
  steps: {
    label: "Steps",
    file: "File",
    columns: "Columns",
    fix: "Correct",
    preview: "Preview",
    send: "Send",
    report: "Report",
    current: "current step",
    done: "done",
    errors: "has errors",
    waiting: "not yet",
    working: "in progress",
  },
  upload: {
    title: "Upload your product file",
    intro: "We check it first. Nothing goes to the store before you approve it.",
    drop: "Drop the file here",
    dropNow: "Let go to upload",
    kinds: "Excel (.xlsx, .xls), CSV or ODS · up to 200 MB",
    choose: "Choose a file",
    paste: "Paste cells",
    pasteHint: "You can also press Ctrl+V on this page to paste cells that you copied.",
    pasteTitle: "Paste the cells",
    pasteLabel: "Cells with their header row",
    pasteGo: "Start with these cells",
    pasteName: "Pasted cells",
    link: "Take from a link",
    linkTitle: "Take from a link",
    linkLabel: "Link of the file or Google Sheet",
    linkHint: "Anyone with the link must be able to see it.",
    linkGo: "Take the file",
    sending: (name: string) => `Uploading ${name}`,
    reading: "Reading the file…",
    stop: "Stop the upload",
    drafts: "Files in progress",
    sentDrafts: "Files that were sent",
    sent: "Sent",
    undone: "Undone",
    undonePartly: (restored, sent) => `Partly undone (${n(restored)} of ${n(sent)})`,
    nothingPlanned: "No row to send",
    beingSent: "Being sent",
    halfSent: "Half sent",
    rest: {
      waiting: (count: number) => `${n(count)} unsent`,
      held: (count: number) => `${n(count)} to approve`,
      wrong: (count: number) => `${n(count)} wrong`,
      cancelled: (count: number) => `${n(count)} given up`,
    },
    noDrafts: "No file in progress. Drop one above.",
    rows: (count: number) => rows(count),
    errors: (count: number) => `${rows(count)} with errors`,
    noErrors: "No errors",
    planned: "Planned",
    remove: "Delete",
    removeTitle: "Delete the draft?",
    removeText: (name: string) =>
      `${name} and your corrections are deleted. What was sent to the store stays as it is.`,
    unusable: "Cannot be read",
    states: {
      reading: "Choose how to read it",
      columns: "Choose the columns",
      checking: "Being checked",
      ready: "Ready",
    },
  },
  file: {
    title: "Was the file read correctly?",
    sentBefore: (ago: string) => `This file was sent ${ago}.`,
    showRun: "Report of that run",
    guessed: "guessed",
    chosen: "chosen",
    open: "choose",
    settings: "How the file is read",
    byItself: "Find out by itself",
    otherEncoding:
      "The file cannot be read in the text encoding that you chose. Under “Text encoding”, choose “Find out by itself” or another encoding.",
    sheetsRead: (count: number, names: string) =>
      `${count === 1 ? "Sheet that is read" : "Sheets that are read"}: ${names}`,
    sheets: "Sheets",
    sheetsHint: "Several sheets can be read together if their headers are the same.",
    allSheets: "Read all sheets with the same headers",
    sheetRows: (count: number, hasMore: boolean) =>
      hasMore ? `${new Intl.NumberFormat("en").format(count)}+ rows` : rows(count),
    readSheets: (count: number) =>
      count < 2 ? "Read the ticked sheet" : `Read the ${count} ticked sheets`,
    chooseSheets: "Several sheets of the file have data. Tick those to be read.",
    encoding: "Text encoding",
    encodingHint: "Choose the one whose letters look right.",
    encodings: {
      "utf-8": "UTF-8",
      "windows-1254": "Windows Turkish (1254)",
      "iso-8859-9": "ISO 8859-9 (Latin-5)",
      cp857: "DOS Turkish (857)",
      macturkish: "Mac Turkish",
    },
    unusableTitle: "This file cannot be used",
    removeFile: "Remove",
    otherFile: "Upload another file",
    delimiter: "Column separator",
    delimiters: {
      ";": "Semicolon ( ; )",
      ",": "Comma ( , )",
      "\t": "Tab",
      "|": "Vertical bar ( | )",
    },
    header: "Header row",
    headerHint: "Click the row that has the headers.",
    headerRow: (row: number) => `Row ${row}`,
    useHeader: (row: number) => `Row ${row} is the header`,
    decimal: "Decimal sign",
    decimals: { auto: "Find out per column", comma: "Comma: 1.299,90", point: "Point: 1,299.90" },
    preview: "First rows of the file",
    go: "Go to the columns",
    busy: "Reading again…",
  },
  columns: {
    title: "What do the columns mean?",
    intro: "We filled in what we are sure of. What needs a look comes first.",
    header: "Column in the file",
    samples: "Samples",
    field: "Field in the store",
    reason: "Why",
    confidence: { sure: "sure", likely: "likely", open: "choose" },
    unclearNumbers: (example: string, cells: number) =>
      `${n(cells)} ${cells === 1 ? "cell" : "cells"} like “${example}” can be read in two ways. What is “${example}” in this column?`,
    readNumbers: (example: string, read: string, cells: number) =>
      `“${example}” is read as ${read}, and so ${cells === 1 ? "is the cell" : `are all ${n(cells)} cells`}.`,
    readNumberAs: (example: string, read: string) => `Read “${example}” as ${read}`,
    leaveOut: "Leave this column out",
    notUsed: "not used",
    choose: "Choose a field",
    required: "required",
    openCount: (count: number) =>
      count === 0
        ? "Every column is known."
        : `${countEn("column needs", "columns need")(count)} a decision.`,
    showAll: (count: number) => (count === 1 ? "Show the column" : `Show all ${count} columns`),
    showOpen: "Show only those that need a decision",
    acceptAll: (count: number) =>
      count === 1 ? "Accept the guess" : `Accept all ${count} guesses`,
    accept: (field: string) => `Take it as “${field}”`,
    take: (letter: string) => `Use column ${letter}`,
    missingOwn: (labels: string) =>
      `The file lacks these fields, in which products differ: ${labels}.`,
    missingOwnUpdates:
      "As it is, it updates products of the store; to add new ones, add these columns to the file.",
    others: (count: number) =>
      `${countEn("more field", "more fields")(count)} that updates do not need`,
    missing: "Required fields that the file does not have",
    missingIntro:
      "New products need them; leave them empty where you only update products of the store. In a file with new products, what you leave empty is asked for in its rows.",
    onlyUpdates: "You chose to only update products of the store with this file.",
    constants: "Values that the file does not have",
    scopeNotes: {
      file: "Written to new products of this file; those of the store stay as they are, and later files do not take it.",
      store:
        "Written to new products only; those of the store stay as they are. It is kept as the store's default and holds for later files too; emptying the box removes it.",
      all: "Written to every row of the file; products of the store are changed as well.",
    },
    scope: (label: string) => `${label}: for which products`,
    scopes: {
      file: "new products of this file",
      store: "new products of this and later files",
      all: "every row of this file",
    },
    go: "Go to correcting",
    saving: "Saving…",
    empty: "empty",
    letter: (letter: string) => `Column ${letter}`,
    noColumns: "Choose first how the file is read.",
    otherSheets: "Change the sheets",
    toFile: "Back to the file",
  },
} satisfies StartTexts;

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
