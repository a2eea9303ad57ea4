/** Counts of a run's rows by reason to wait, by changed field and by reason, for a page. */

import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { hasSent, type RowRecord, type RunRecord, sendsStock } from "@catalog/runs";

import { describeGuard } from "../guard-texts.ts";
import { createReasonCount, type Reason } from "../html/reasons.ts";
import { createFieldCount, type SentField } from "../plan/sent-fields.ts";
import { readReported } from "../reported-rows.ts";
import { type HeldGroup, readHeldGroups } from "./held-groups.ts";

/** Rows that are held for the same reason; a row with two reasons counts for both. */
export interface HeldTally {
  readonly group: HeldGroup;
  readonly label: Localized;
  readonly rows: number;
}

/** Updates that change a field; held ones are not among them. */
export interface FieldTally {
  readonly field: string;
  readonly rows: number;
}

/** Rows whose issues have the same code. */
export interface ReasonTally {
  readonly code: string;
  /** Their text, or what their texts have in common. */
  readonly label: string;
  readonly rows: number;
}

export interface RunTally {
  readonly held: readonly HeldTally[];
  readonly fields: readonly FieldTally[];
  /** Reasons of rows, in the language that was asked for, each code once. */
  readonly reasons: readonly ReasonTally[];
  /** Every field that is sent, with what is known of it in this store. */
  readonly sent: readonly SentField[];
  /** Held rows whose stock is sent all the same. */
  readonly stock: number;
  /** Held rows whose stock was sent. */
  readonly stockSent: number;
  /** Whether a row has sent something, whatever became of its rest. */
  readonly hasSent: boolean;
}

/** Rows whose update is sent, or was. */
const UPDATES = new Set<RowRecord["state"]>(["ready", "sending", "ambiguous", "done"]);

const TO_SEND = new Set<RowRecord["state"]>(["ready", "held"]);

/** Reads every row of the run once. */
export async function readTally(
  connection: Connection,
  run: RunRecord,
  lang: Lang,
): Promise<RunTally> {
  const held = new Map<HeldGroup, { label: Localized; rows: number }>();
  const fields = new Map<string, number>();
  const reasons = createReasonCount({ lang });
  const sent = createFieldCount();
  let stock = 0;
  let stockSent = 0;
  let isSent = false;
  for await (const rows of readReported(connection, run)) {
    for (const row of rows) {
      reasons.observe(row);
      if (sendsStock(row)) stock += 1;
      if (row.state === "held" && hasSent(row)) stockSent += 1;
      isSent ||= hasSent(row);
      if (TO_SEND.has(row.state)) sent.observe(row);
      countFields(fields, row);
      countGroups(held, row);
    }
  }
  const learned = run.facts?.capabilities ?? (await connection.verificationLog.readCapabilities());
  return {
    held: [...held]
      .map(([group, { label, rows }]) => ({ group, label, rows }))
      .toSorted((a, b) => rankOf(a.group) - rankOf(b.group)),
    fields: [...fields]
      .map(([field, rows]) => ({ field, rows }))
      .toSorted((a, b) => b.rows - a.rows),
    reasons: joinReasons(reasons.list(), lang),
    sent: sent.list(learned),
    stock,
    stockSent,
    hasSent: isSent,
  };
}

/** Rows are chosen by code, so that texts which only differ in their values are one reason. */
function joinReasons(reasons: readonly Reason[], lang: Lang): readonly ReasonTally[] {
  const byCode = Map.groupBy(reasons, ({ code }) => code);
  return [...byCode].map(([code, texts]) => ({
    code,
    label: describeReasons(texts, lang),
    rows: texts.reduce((sum, { count }) => sum + count, 0),
  }));
}

function describeReasons([first, ...others]: readonly Reason[], lang: Lang): string {
  if (first === undefined) return "";
  if (others.length === 0) return first.message;
  return describeGuard(first)?.[lang] ?? `${first.message} ${AND_SIMILAR[lang]}`;
}

const AND_SIMILAR: Localized = { tr: "(ve benzerleri)", en: "(and similar ones)" };

/**
 * Last come the rows whose discount stays above the new price, which are many and mostly harmless:
 * they would bury the others.
 */
const rankOf = (group: HeldGroup): number => LAST_GROUPS.indexOf(group);

const LAST_GROUPS: readonly HeldGroup[] = ["discount-price", "other"];

function countFields(fields: Map<string, number>, { action, state, changes }: RowRecord): void {
  if (action !== "update" || !UPDATES.has(state)) return;
  for (const { field } of changes) fields.set(field, (fields.get(field) ?? 0) + 1);
}

function countGroups(
  counted: Map<HeldGroup, { label: Localized; rows: number }>,
  row: Pick<RowRecord, "state" | "issues">,
): void {
  for (const [group, label] of readHeldGroups(row)) {
    counted.set(group, { label, rows: (counted.get(group)?.rows ?? 0) + 1 });
  }
}
