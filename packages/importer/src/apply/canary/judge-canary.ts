/** Counts the canary rows after they were read back, and decides whether the others may be sent. */

import type { Connection } from "@catalog/connection";
import type { Localized } from "@catalog/i18n";
import { readReported, type ReportedRow } from "@catalog/report";
import {
  type CanaryVerdict,
  countSentAttempts,
  readAllRows,
  findUnits,
  type RowRecord,
  type RowState,
  type RunRecord,
  type ListedProductRow,
} from "@catalog/runs";

import type { CanaryView } from "./canary-texts.ts";

/** States of a row of which a request may have been sent. */
const SENT_STATES: readonly RowState[] = [
  "sending",
  "ambiguous",
  "held",
  "done",
  "rejected",
  "cancelled",
];

/** Counts the rows of the run of which a request was sent. */
export async function countSent(connection: Connection, run: RunRecord): Promise<number> {
  let sent = 0;
  for await (const records of readAllRows(connection.journal, run.id, { states: SENT_STATES })) {
    for (const record of records) if (await hasLeft(connection, run, record)) sent += 1;
  }
  return sent;
}

/** Whether a request was sent; a row that was begun and taken back has none, by its events. */
async function hasLeft(
  { journal }: Connection,
  { id: runId }: RunRecord,
  { row, attempts }: RowRecord,
): Promise<boolean> {
  return attempts > 0 && countSentAttempts(await journal.readEvents({ runId, row })) > 0;
}

/** Differences that the verdict names one by one. */
const MAX_EXAMPLES = 3;

/** Counts the sent rows by their state; `undefined` where one of them could not be read back. */
export async function viewCanary(
  connection: Connection,
  run: RunRecord,
): Promise<CanaryView | undefined> {
  const view = { sent: 0, visible: 0, differing: 0, notVisible: 0, rejected: 0, unknown: 0 };
  const examples: Localized[] = [];
  for await (const rows of readReported(connection, run, { states: SENT_STATES })) {
    for (const row of rows) {
      if (!(await hasLeft(connection, run, row))) continue;
      view.sent += 1;
      const { at, text } = await readSample(connection, row);
      if (at === undefined) return undefined;
      view[at] += 1;
      if (text !== undefined) examples.push(withCode(row, text));
    }
  }
  return { ...view, examples: examples.slice(0, MAX_EXAMPLES) };
}

interface Sample {
  /** The count that the row belongs to; `undefined` where it was not read back. */
  readonly at: Exclude<keyof CanaryView, "sent" | "examples"> | undefined;
  readonly text?: Localized | undefined;
}

async function readSample(connection: Connection, row: ReportedRow): Promise<Sample> {
  const first = row.issues.find(({ code }) => code === "W_MISMATCH" || code === "E_REJECTED");
  const text = first?.message;
  if (row.state === "rejected") return { at: "rejected", text };
  if (row.state === "held" || row.verification === undefined) return { at: "unknown" };
  if (row.verification === "accepted") return { at: undefined };
  if (row.verification === "not-visible") return { at: "notVisible" };
  if (row.verification === "mismatch") return { at: "differing", text };
  const doubt = await findPriceProblem(connection, row);
  return doubt === undefined ? { at: "visible" } : { at: "differing", text: doubt };
}

/**
 * Describes a shown price that differs from the sent one in every unit. Reading back compares no
 * price while the unit is unknown; this check finds prices that are wrong whatever the unit is.
 */
async function findPriceProblem(
  { journal }: Connection,
  { payload, productId }: ReportedRow,
): Promise<Localized | undefined> {
  const sent = payload?.price;
  if (sent === undefined || productId === null) return undefined;
  const [seen]: readonly ListedProductRow[] = await journal.readSeenById([productId]);
  const shown = seen?.product.price;
  if (typeof shown !== "number" || findUnits(sent, shown).length > 0) return undefined;
  return {
    tr: `Fiyat: ${sent} (kuruş ya da sent) gönderildi, mağaza ${shown} gösteriyor; hiçbir birimle aynı değil.`,
    en: `Price: ${sent} (minor units) was sent, the store shows ${shown}, which is the same in no unit.`,
  };
}

const withCode = ({ code, row }: ReportedRow, message: Localized): Localized => ({
  tr: `${code ?? row}: ${message.tr}`,
  en: `${code ?? row}: ${message.en}`,
});

/**
 * Passes a canary of which the store shows at least one row as sent, and none with other values or
 * an unknown outcome.
 */
export function judgeCanary(view: CanaryView): CanaryVerdict {
  if (view.unknown > 0) return "unknown";
  if (view.differing > 0) return "differs";
  if (view.rejected === view.sent) return "refused";
  return view.visible === 0 ? "unseen" : "passed";
}
