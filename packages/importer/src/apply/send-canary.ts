/**
 * Judges the first rows of a run, which are sent alone and read back before the others are sent.
 * The verdict is stored; resuming the run accepts it.
 */

import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { readReportedPage } from "@catalog/report";
import { type ApplyResult, findUnits, readSentRows, type RunRecord } from "@catalog/runs";

interface JudgeCanaryOptions {
  readonly stop?: AbortSignal | undefined;
  /** Called with the verdict on a canary that has passed. */
  readonly onVerdict?: ((message: Localized) => void) | undefined;
}

const UNREAD: Localized = {
  tr: "Önden gönderilen satırlar geri okunamadı",
  en: "The rows that went first could not be read back",
};

const UNSENT: Localized = {
  tr: "Önden gidecek satırların hiçbiri gönderilemedi",
  en: "None of the rows that go first could be sent",
};

/**
 * Judges the rows that were sent first and read back, stores the verdict on them, and returns why
 * the other rows may not be sent; `undefined` where they may.
 */
export async function judgeCanary(
  connection: Connection,
  run: RunRecord,
  { stop: signal, onVerdict }: JudgeCanaryOptions,
): Promise<ApplyResult | undefined> {
  if (signal?.aborted === true) return { end: "stopped" };
  const view = await viewCanary(connection, run);
  if (view === undefined) return { end: "breaker", reason: UNREAD };
  // Without a sent row there is no verdict; the other rows wait for the next resume.
  const isLeft = await hasReady(connection, run);
  if (view.sent === 0) return isLeft ? { end: "breaker", reason: UNSENT } : undefined;
  const canaryVerdict = toVerdict(view);
  const text = describeCanary(canaryVerdict, view);
  const progress = { ...run.progress, canaryVerdict };
  const known = isLeft ? await saveVerdict(connection, run, { text, canaryVerdict }) : {};
  await connection.runs.update(run.id, { progress, ...known });
  if (!isLeft) return undefined;
  if (canaryVerdict !== "passed") return { end: "canary" };
  onVerdict?.(text);
  return undefined;
}

async function hasReady({ journal }: Connection, { id }: RunRecord): Promise<boolean> {
  return (await journal.readRows(id, { states: ["ready"], limit: 1 })).length > 0;
}

interface Verdict {
  readonly text: Localized;
  readonly canaryVerdict: NonNullable<RunRecord["progress"]["canaryVerdict"]>;
}

/** Adds a passed verdict to the notes of the run, and any other to its warnings. */
async function saveVerdict(
  { runs }: Connection,
  { id }: RunRecord,
  { text, canaryVerdict }: Verdict,
): Promise<Partial<Pick<RunRecord, "facts" | "warnings">>> {
  const run = await runs.read(id);
  if (run === undefined) return {};
  const { facts, warnings } = run;
  if (canaryVerdict !== "passed") {
    return { warnings: [...warnings, { code: "W_CANARY", message: text }] };
  }
  if (facts?.reading === undefined) return {};
  const notes = [...facts.reading.notes, text];
  return { facts: { ...facts, reading: { ...facts.reading, notes } } };
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
  for (const sent of await readSentRows(connection.journal, run.id)) {
    const [row] = await readReportedPage(connection, run, { after: sent - 1, limit: 1 });
    if (row === undefined) continue;
    view.sent += 1;
    const { at, text } = await readSample(connection, row);
    if (at === undefined) return undefined;
    view[at] += 1;
    if (text !== undefined) examples.push(withCode(row, text));
  }
  return { ...view, examples: examples.slice(0, MAX_EXAMPLES) };
}

type ReportedRow = Awaited<ReturnType<typeof readReportedPage>>[number];

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
  const [seen] = await journal.readSeenById([productId]);
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
function toVerdict(view: CanaryView): Verdict["canaryVerdict"] {
  if (view.unknown > 0) return "unknown";
  if (view.differing > 0) return "differs";
  if (view.rejected === view.sent) return "refused";
  return view.visible === 0 ? "unseen" : "passed";
}

/** Numbers of canary rows by their state in the store and in the run. */
interface CanaryView {
  /** Rows of which a request was sent. */
  readonly sent: number;
  /** Rows that the store shows as they were sent. */
  readonly visible: number;
  /** Rows that the store shows with other values. */
  readonly differing: number;
  /** Rows that the store does not show yet. */
  readonly notVisible: number;
  readonly rejected: number;
  /** Rows whose outcome is unknown. */
  readonly unknown: number;
  /** The first differences and refusals, each with its product code. */
  readonly examples: readonly Localized[];
}

/** Announces the canary in a plan, before anything is sent. */
export const announceCanary = (rows: number): Localized => ({
  tr: `Önce ${rows} satır gönderilip mağazadan geri okunacak; farklı görünen olursa kalanlar gönderilmeyecek (--canary).`,
  en: `${rows === 1 ? "1 row goes" : `${rows} rows go`} first and are read back from the store; if one shows something else, the rest is not sent (--canary).`,
});

/** Describes the verdict on the canary, for the terminal and the report. */
function describeCanary(verdict: Verdict["canaryVerdict"], view: CanaryView): Localized {
  const [tr, en] = VERDICTS[verdict](view);
  const examples = (lang: Lang): string =>
    view.examples.map((example) => ` ${example[lang]}`).join("");
  return {
    tr: `Önden gönderilen satırlar: ${view.sent} satır gönderildi, ${tr}.${examples("tr")}`,
    en: `Canary: ${view.sent} ${view.sent === 1 ? "row was" : "rows were"} sent, ${en}.${examples("en")}`,
  };
}

type VerdictText = (view: CanaryView) => readonly [tr: string, en: string];

const VERDICTS: Readonly<Record<Verdict["canaryVerdict"], VerdictText>> = {
  passed: ({ visible, notVisible, rejected }) => [
    `${visible} tanesi gönderildiği gibi görünüyor${more(notVisible, "henüz görünmüyor")}${more(rejected, "reddedildi")}`,
    `${visible} shown as sent${more(notVisible, "not shown yet")}${more(rejected, "refused")}`,
  ],
  differs: ({ differing }) => [
    `${differing} tanesi mağazada farklı görünüyor`,
    `${differing} of them ${differing === 1 ? "shows" : "show"} something else in the store`,
  ],
  unseen: () => [
    "mağaza hiçbirini henüz göstermiyor, karşılaştırılamadı; panelden bakın",
    "the store shows none of them yet, so nothing was compared; look in its panel",
  ],
  refused: () => ["hepsi reddedildi", "all of them were refused"],
  unknown: ({ unknown }) => [
    `${unknown} tanesinin sonucu belli değil`,
    `the outcome of ${unknown} is not known`,
  ],
};

const more = (count: number, words: string): string => (count === 0 ? "" : `, ${count} ${words}`);
