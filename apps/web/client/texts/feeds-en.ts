/** The words of syncs, in English. */

import type { FeedTexts } from "./feeds-tr.ts";
import { countEn } from "./plural.ts";

const stuckSyncs = countEn("sync does", "syncs do");
const failedSyncs = countEn("sync", "syncs");
const questionsEn = countEn("question", "questions");
const waitingRows = countEn("row waits", "rows wait");

export const feedsEn: FeedTexts = {
  title: "Sync",
  intro: "Keep stock and prices of the store as a file or a link says.",
  add: "Add a source",
  empty: "No source is synced yet. Add your stock file or its link.",
  served:
    "Syncs run only while the program that opened this page, or a background worker, is running; while both are closed they do not start at their times. You may close the browser. To keep them without opening the page, see “Continuous sync” in the manual.",
  alarm: (count) => `${stuckSyncs(count)} not do their job`,
  health: {
    healthy: "Healthy",
    unhealthy: (since) => `Unhealthy (since ${since})`,
    outdated: "Stock and prices of the store may not be up to date with this source.",
    lastSuccess: (time) => `Last successful sync: ${time}.`,
    neverSucceeded: "No sync has succeeded so far.",
    failures: (count) =>
      count === 1
        ? "The latest sync did not do its job."
        : `${failedSyncs(count)} in a row did not do their job.`,
  },
  answer: "Answer the questions",
  answerName: (name) => `${name}: answer the questions`,
  states: {
    running: "Syncing",
    paused: "Paused",
    asking: "Waits for your answer",
    failing: "Not synced",
    waiting: "Waiting for its time",
    unserved: "Not running",
    manual: "Synced from the command line",
  },
  ofCommand: "From the command line",
  unserved: "The command that runs this sync is closed; it does not start at its times.",
  next: (time) => `Next: ${time}`,
  inZone: (zone) => `(${zone} time)`,
  taken: (ago) => `Last taken: ${ago}`,
  neverTaken: "Not taken as a whole yet",
  changed: (ago) => `File last changed: ${ago}`,
  last: "Latest result",
  results: { updated: "updated", held: "waiting for approval", failed: "failed" },
  report: "Open the report",
  reportName: (name) => `${name}: open the report of the latest sync`,
  heldRows: (count) => `${waitingRows(count)} for your approval`,
  problem: (time) => `The try of ${time} failed:`,
  run: "Sync now",
  runName: (name) => `${name}: sync now`,
  allow: "Take it this once",
  allowName: (name) => `${name}: take it this once`,
  allowTitle: "Take this file all the same?",
  allowQuestion: {
    "few-rows":
      "Take it if the file is right as it is: its rows are sent, products that it lacks stay as they are in the store, and later files are compared with its number of rows.",
    "zero-stock":
      "Take it if these products are really sold out: their stock becomes 0 and they are no longer on sale. Later files are checked as before.",
    "moved-values":
      "Look at some products of the file first: if these are their own stocks and prices, take it, and they are sent as the file has them. Later files are checked as before.",
  },
  pause: "Pause",
  pauseName: (name) => `${name}: pause`,
  resume: "Resume",
  resumeName: (name) => `${name}: resume`,
  change: "Change",
  changeName: (name) => `${name}: change times and settings`,
  remove: "Remove",
  removeName: (name) => `${name}: remove from the list`,
  removeTitle: "Remove this source?",
  removeQuestion: (name) =>
    `${name} is not synced any more. Your file, the products of the store and the results in the history stay as they are.`,
  chooser: {
    open: "Choose a file or folder…",
    close: "Close the choice",
    recent: "Used before:",
    parent: "Folder above",
    takeFolder: "Take the newest file of this folder",
    empty: "This folder has no file that can be taken (.csv, .xlsx, .json).",
    list: (folder) => `What is in ${folder}`,
  },
  form: {
    addTitle: "Add a source",
    changeTitle: "Change the sync",
    feed: "Path or link of the file",
    feedHint:
      "The whole path of a file or folder on this computer (of a folder the newest file is taken), or a link that starts with https://.",
    times: "When?",
    choices: {
      quarter: "Every 15 minutes",
      half: "Every 30 minutes",
      hour: "Every hour",
      day: "Every day",
      own: "Own pattern (cron)",
    },
    at: "Time",
    own: "Cron pattern",
    ownHint: "Minute hour day month weekday; for example Monday to Friday at 08:00: 0 8 * * 1-5",
    zone: "Time zone",
    first: (times) => `First times: ${times}`,
    spread:
      "A sync may start some minutes after the time that you chose, so that not every store asks the marketplace in the same minute.",
    options: "Reading settings",
    sheet: "Name of the sheet (Excel)",
    sheetHint:
      "If it is left empty, the only sheet with data is taken. For several sheets with the same headers: Stock / Price",
    decimal: "Decimal sign of numbers in the file",
    decimals: { "": "Find it out", comma: "Comma: 1.234,50", point: "Point: 1,234.50" },
    priceUnit: "Unit of prices in the store",
    priceUnits: {
      "": "Learn it from the store",
      minor: "Minor units (kuruş)",
      major: "Lira (major units)",
    },
    maxAge: "How many hours old may the file be?",
    maxAgeHint: "An older file is not taken. 0: any age.",
    host: "Server in your own network",
    hostHint:
      "If the link leads to a server of your own network, write its address: erp.local or 10.0.0.5:8080",
    check: "Read and show",
    checking: "Reading…",
    checkFirst: "Let the file be read and shown before it is added.",
    checkAgain: "Let the file be read to answer or change its columns.",
    sample: "First values",
    column: "Column",
    taken: "Taken as",
    columnIs: (header) => `${header}: taken as`,
    choose: "Choose…",
    answers: {
      given: "You have chosen it.",
      remembered: "You accepted it so in an earlier file with these headers (Rules).",
    },
    otherColumns: countEn("column is not taken", "columns are not taken"),
    sampleOf: (name) => `${name} was read like this. Columns that are left out are not touched.`,
    questions: (name, count) =>
      `${name} was read; before it can be synced, please answer ${questionsEn(count)}.`,
    gone: (headers) => `A column that you answered before is no longer in the file: ${headers}.`,
    lostTitle: "Fields of the file before are missing",
    lost: (fields) =>
      `${fields}: not found in this file. If the column was renamed, choose the new one below. If it was removed on purpose, tick it; the values in the store stay as they are.`,
    drop: (label) => `${label} was removed from the file on purpose and does not come any more`,
    decimalQuestion: (headers) =>
      `The numbers in these columns can be read in two ways: ${headers}. Do their signs separate thousands or decimals?`,
    unitQuestion:
      "The unit of the store's prices is not known yet. Until it is learnt, prices wait and stock is sent. Choose it if you know it.",
    unitLabel: "Unit of the prices",
    unused: "not taken",
    save: "Add",
    saving: "Adding…",
    saveChange: "Save",
    savingChange: "Saving…",
  },
};
