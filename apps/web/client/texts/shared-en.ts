/** The words of files for several stores, in English. */

import { countEn } from "./en.ts";
import type { SharedTexts } from "./shared-tr.ts";

const n = (count: number): string => new Intl.NumberFormat("en-GB").format(count);
const stores = countEn("store", "stores");
const rows = countEn("row", "rows");
const names = countEn("name", "names");
const calls = countEn("call", "calls");
const fields = countEn("field", "fields");
const products = countEn("product", "products");
const newProducts = countEn("new product", "new products");

export const sharedEn: SharedTexts = {
  upload: {
    legend: "Stores",
    hint: "The file is uploaded once; each store gets a draft and a preview of its own.",
    chosen: (count) => `The file will be uploaded for ${stores(count)}.`,
    current: "this store",
    refusedTitle: "Some stores have not taken the file",
    noneTaken: "The file is in this store only.",
    toShared: "See the stores side by side",
    toDraft: "Go on in this store",
  },
  list: "Uploaded for several stores",
  title: "Stores side by side",
  by: (name, ago) => `Uploaded by ${name}, ${ago}`,
  back: "Upload",
  allStores: "All stores",
  partOf: (count) => `This file was uploaded for ${stores(count)}.`,
  stores: "Stores",
  store: "Store",
  state: "State",
  columns: {
    add: "To add",
    update: "To update",
    unchanged: "Unchanged",
    held: "Held",
    failed: "Cannot be sent",
    calls: "Calls",
  },
  callsTake: (count, duration) => (duration === null ? n(count) : `${n(count)}, about ${duration}`),
  total: (count, duration) =>
    duration === null
      ? `${calls(count)} in all.`
      : `${calls(count)} in all; the store that takes longest needs about ${duration}.`,
  steps: {
    working: "Working",
    file: "Asks how to read the file",
    columns: "Asks about columns",
    ready: "Has no preview yet",
    stale: "Its preview is out of date",
    away: "The store cannot be reached now",
    planned: "Ready to approve",
    held: "Some rows are held",
    nothing: "Nothing to send",
    queued: "In the queue",
    sending: "Being sent",
    stopped: "Interrupted",
    finished: "Sent",
  },
  errors: (count) => `${rows(count)} with errors`,
  names: (count) => `${names(count)} to answer`,
  go: {
    file: "Answer",
    columns: "Answer",
    fix: "Correct",
    preview: "Preview",
    send: "Watch",
    report: "Report",
  },
  plan: "Make the preview",
  planOf: (store) => `Make the preview for ${store}`,
  planAll: (count) => `Make the previews of ${stores(count)}`,
  notPlanned:
    "The rows appear here side by side once a store has its preview. Nothing changes in the stores.",
  comparing: "Comparing the rows of the stores…",
  sheets:
    "The stores read different sheets of this file; a row number may not mean the same row in each.",
  views: "Filter the rows",
  view: {
    differs: "Only those that differ",
    held: "Held",
    failed: "Cannot be sent",
    all: "All",
  },
  rows: "Rows",
  row: "Row",
  code: "Code",
  product: "Product",
  noRows: "No row matches this filter.",
  same: "The same will happen in all stores.",
  kinds: {
    add: "Will be added",
    update: "Will be updated",
    unchanged: "Unchanged",
    held: "Held",
    failed: "Cannot be sent",
    cancelled: "Given up",
  },
  missing: "Not in this store",
  more: (count) => `+${fields(count)}`,
  rowTitle: (name) => `Row ${name}`,
  correct: "Correct",
  approve: "Approve sending…",
  approveNothing: "There is no preview that you may approve.",
  confirmTitle: "Send to these stores?",
  confirmStore: (updates, adds, stock) =>
    [
      ...(updates === 0 ? [] : [`${products(updates)} will be updated`]),
      ...(adds === 0 ? [] : [`${newProducts(adds)} will be added`]),
      ...(stock === 0 ? [] : [`only the stock of ${rows(stock)} will be sent`]),
    ].join(", "),
  confirmHeld: (count) => `${rows(count)} held; decide on them in the store`,
  confirmText:
    "Each preview is approved on its own, by the rules of its store; where one cannot be approved, the others are sent all the same. Your customers see the changes at once.",
  confirmType: (count) =>
    `To approve, type the number of rows that will go to the chosen stores in all: ${count}`,
  confirm: "Send now",
  refusals: {
    role: "Your role in this store does not allow approving.",
    "four-eyes": "You have prepared this; in this store somebody else must approve it.",
    period: "It has a beginning or an end; approve it in its store.",
    nothing: "There is no row to send.",
    stale: "The preview is out of date, or not ready.",
    done: "It was approved before.",
    none: "It has no preview yet.",
  },
  results: "Result of the approval",
  sent: "Sending has begun.",
  notSent: "Some rows could not be decided; nothing was sent. Look at it in its store.",
};
