/** Looks at the rows that went first, once they were read back, and says whether the rest may go. */

import { type Toolkit } from "@catalog/connection";
import { type Localized } from "@catalog/i18n";
import { readReported, type ReportedRow } from "@catalog/report";
import {
  type CanaryVerdict,
  countDepartures,
  readAllRows,
  findUnits,
  type RowRecord,
  type RowState,
  type RunRecord,
  type SeenProduct,
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
export async function countSent(toolkit: Toolkit, run: RunRecord): Promise<number> {
  let sent = 0;
  for await (const records of readAllRows(toolkit.journal, run.id, { states: SENT_STATES })) {
    for (const record of records) if (await hasLeft(toolkit, run, record)) sent += 1;
  }
  return sent;
}

/** A row that was begun and taken back has not left, and its events tell. */
async function hasLeft(
  { journal }: Toolkit,
  { id: runId }: RunRecord,
  { row, attempts }: RowRecord,
): Promise<boolean> {
  return attempts > 0 && countDepartures(await journal.readEvents({ runId, row })) > 0;
}

/** Differences that are told one by one. */
const MOST_EXAMPLES = 3;

/** Counts how the rows that were sent stand; `undefined` where one could not be looked at. */
export async function viewCanary(
  toolkit: Toolkit,
  run: RunRecord,
): Promise<CanaryView | undefined> {
  const view = { sent: 0, visible: 0, differing: 0, notVisible: 0, rejected: 0, unknown: 0 };
  const examples: Localized[] = [];
  for await (const rows of readReported(toolkit, run, SENT_STATES)) {
    for (const row of rows) {
      if (!(await hasLeft(toolkit, run, row))) continue;
      view.sent += 1;
      const { at, said } = await look(toolkit, row);
      if (at === undefined) return undefined;
      view[at] += 1;
      if (said !== undefined) examples.push(withCode(row, said));
    }
  }
  return { ...view, examples: examples.slice(0, MOST_EXAMPLES) };
}

interface Look {
  /** The count that the row belongs to; `undefined` where nobody has looked at it. */
  readonly at: Exclude<keyof CanaryView, "sent" | "examples"> | undefined;
  readonly said?: Localized | undefined;
}

async function look(toolkit: Toolkit, row: ReportedRow): Promise<Look> {
  const first = row.issues.find(({ code }) => code === "W_MISMATCH" || code === "E_REJECTED");
  const said = first?.message;
  if (row.state === "rejected") return { at: "rejected", said };
  if (row.state === "held" || row.verification === undefined) return { at: "unknown" };
  if (row.verification === "accepted") return { at: undefined };
  if (row.verification === "not-visible") return { at: "notVisible" };
  if (row.verification === "mismatch") return { at: "differing", said };
  const doubt = await doubtPrice(toolkit, row);
  return doubt === undefined ? { at: "visible" } : { at: "differing", said: doubt };
}

/**
 * As long as the unit of the listing's prices is not known, a price is not compared. One that is
 * neither what was sent nor a hundredth of it would be no price in any unit.
 */
async function doubtPrice(
  { journal }: Toolkit,
  { payload, productId }: ReportedRow,
): Promise<Localized | undefined> {
  const sent = payload?.price;
  if (sent === undefined || productId === null) return undefined;
  const [seen]: readonly SeenProduct[] = await journal.readSeenById([productId]);
  const shown = seen?.product.price;
  if (typeof shown !== "number" || findUnits(sent, shown).length > 0) return undefined;
  return {
    tr: `Fiyat: ${sent} (kuruş ya da sent) gönderildi, mağaza ${shown} gösteriyor; hiçbir birimle aynı değil.`,
    en: `Price: ${sent} (minor units) was sent, the store shows ${shown}, which is the same in no unit.`,
  };
}

const withCode = ({ code, row }: ReportedRow, said: Localized): Localized => ({
  tr: `${code ?? row}: ${said.tr}`,
  en: `${code ?? row}: ${said.en}`,
});

/** One row that is seen as it was sent is enough, and one that is not is too much. */
export function judgeCanary(view: CanaryView): CanaryVerdict {
  if (view.unknown > 0) return "unknown";
  if (view.differing > 0) return "differs";
  if (view.rejected === view.sent) return "refused";
  return view.visible === 0 ? "unseen" : "passed";
}
