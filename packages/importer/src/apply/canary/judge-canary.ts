/** Looks at the rows that went first, once they were read back, and says whether the rest may go. */

import { type Connection } from "@catalog/connection";
import { type Localized } from "@catalog/i18n";
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

import { type CanaryView } from "./canary-texts.ts";

/** Where a row can be of which a request has left. */
const SENT_STATES: readonly RowState[] = [
  "sending",
  "ambiguous",
  "held",
  "done",
  "rejected",
  "cancelled",
];

/** How many rows of the run a request has left for. */
export async function countSent(connection: Connection, run: RunRecord): Promise<number> {
  let sent = 0;
  for await (const records of readAllRows(connection.journal, run.id, { states: SENT_STATES })) {
    for (const record of records) if (await hasLeft(connection, run, record)) sent += 1;
  }
  return sent;
}

/** A row that was begun and taken back has not left, and its events tell. */
async function hasLeft(
  { journal }: Connection,
  { id: runId }: RunRecord,
  { row, attempts }: RowRecord,
): Promise<boolean> {
  return attempts > 0 && countSentAttempts(await journal.readEvents({ runId, row })) > 0;
}

/** Differences that are told one by one. */
const MAX_EXAMPLES = 3;

/** Counts how the rows that were sent stand; `undefined` where one could not be looked at. */
export async function viewCanary(
  connection: Connection,
  run: RunRecord,
): Promise<CanaryView | undefined> {
  const view = { sent: 0, visible: 0, differing: 0, notVisible: 0, rejected: 0, unknown: 0 };
  const examples: Localized[] = [];
  for await (const rows of readReported(connection, run, SENT_STATES)) {
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
  /** The count that the row belongs to; `undefined` where nobody has looked at it. */
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
 * As long as the unit of the listing's prices is not known, a price is not compared. One that is
 * neither what was sent nor a hundredth of it would be no price in any unit.
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

/** One row that is seen as it was sent is enough, and one that is not is too much. */
export function judgeCanary(view: CanaryView): CanaryVerdict {
  if (view.unknown > 0) return "unknown";
  if (view.differing > 0) return "differs";
  if (view.rejected === view.sent) return "refused";
  return view.visible === 0 ? "unseen" : "passed";
}
