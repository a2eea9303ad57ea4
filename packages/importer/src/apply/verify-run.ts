/** Reads back what a run has sent, and says what the marketplace was seen to ignore. */

import { ClientError } from "@catalog/client/errors";
import { fieldWord, rememberPriceUnit, type Toolkit } from "@catalog/connection";
import { codeKey } from "@catalog/mapping";
import {
  type CapabilityFinding,
  createRefusalWatch,
  readAllRows,
  readBackOpen,
  readBackRun,
  readSentUnit,
  type RefusalWatch,
  refusedInUpdates,
  type RefusedField,
  type RowRecord,
  type RunRecord,
  type RunWarning,
  toCounts,
} from "@catalog/runs";

/**
 * Reads back the rows of a run that are done. What cannot be read now is read later; it ends
 * nothing, because no row depends on it.
 */
export async function verifyRun(
  toolkit: Toolkit,
  { id: runId }: RunRecord,
  signal?: AbortSignal,
): Promise<void> {
  const { journal, marketplace, clock, readBack: book } = toolkit;
  const learnt = await readQuietly(signal, () =>
    readBackRun({ runId, journal, book, marketplace, clock, codeKey, signal }),
  );
  // For feeds and exports that follow without a plan.
  await rememberPriceUnit(toolkit, await readSentUnit(toolkit.journal), "sent");
  const ignored = learnt.filter(({ state }) => state === "refused");
  await toolkit.runLog.addWarnings(runId, ignored.map(toIgnored));
}

/**
 * Keeps which undocumented fields the updates of a run were refused for, so that later plans leave
 * them out, and says so. A field that was planned although it was refused, and that an update since
 * `sinceMs` took, is open again: later plans send it, and reading back may prove it.
 */
export async function learnRefusals(
  toolkit: Toolkit,
  run: RunRecord,
  sinceMs: number,
): Promise<void> {
  const { rejected } = toCounts(await toolkit.journal.countRows(run.id));
  const tried = refusedInUpdates(run.facts?.capabilities ?? []);
  if (rejected === 0 && tried.size === 0) return;
  const watch = createRefusalWatch({ wordsOf });
  const taken = new Set<string>();
  const answered = readAllRows(toolkit.journal, run.id, { states: ["done", "rejected"] });
  for await (const records of answered) {
    for (const record of records) {
      watch.observe({ ...record, status: await readStatus(toolkit, run.id, record) });
    }
    const fields = records.filter(({ updatedAtMs }) => updatedAtMs >= sinceMs).flatMap(takenIn);
    for (const field of fields) if (tried.has(field)) taken.add(field);
  }
  await toolkit.readBack.forgetRefusals([...taken]);
  await keepRefused(toolkit, run, watch);
}

const takenIn = ({ state, action, payload }: RowRecord): readonly string[] =>
  state === "done" && action === "update" && payload !== null ? Object.keys(payload) : [];

const wordsOf = (field: string): readonly string[] => [
  fieldWord(field, "tr"),
  fieldWord(field, "en"),
];

/** The status of the answer that rejected an update. */
async function readStatus(
  { journal }: Toolkit,
  runId: string,
  { row, state, action }: RowRecord,
): Promise<number | undefined> {
  if (state !== "rejected" || action !== "update") return undefined;
  const events = await journal.readEvents({ runId, row });
  const status = events.findLast(({ to }) => to === "rejected")?.evidence["status"];
  return typeof status === "number" ? status : undefined;
}

async function keepRefused(toolkit: Toolkit, run: RunRecord, watch: RefusalWatch): Promise<void> {
  // A field that was seen to be taken once is refused for its values.
  const known = await toolkit.readBack.readCapabilities();
  const proven = new Set(
    known
      .filter(({ action, state }) => action === "update" && state === "proven")
      .map(({ field }) => field),
  );
  const refused = watch.judge().filter(({ finding }) => !proven.has(finding.field));
  if (refused.length === 0) return;
  await toolkit.readBack.saveCapabilities(refused.map(({ finding }) => finding));
  await toolkit.runLog.addWarnings(run.id, refused.map(toRefused));
}

/**
 * Looks once more at rows that were not shown as sent, and of a run also at those that could not be
 * read when it ended; makes no call where there are none.
 */
export async function lookBack(
  toolkit: Toolkit,
  { runId, signal }: { readonly runId?: string; readonly signal?: AbortSignal | undefined } = {},
): Promise<void> {
  const { journal, marketplace, runLog, readBack: book } = toolkit;
  const run = runId === undefined ? undefined : await runLog.read(runId);
  if (run !== undefined && run.settings.noVerify !== true) {
    const unlooked = await book.readUnlooked(run.id, 0, 1);
    if (unlooked.length > 0) return await verifyRun(toolkit, run, signal);
  }
  await readQuietly(signal, () =>
    readBackOpen({ runId, journal, book, marketplace, codeKey, signal }),
  );
}

async function readQuietly(
  signal: AbortSignal | undefined,
  read: () => Promise<readonly CapabilityFinding[]>,
): Promise<readonly CapabilityFinding[]> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ClientError) return [];
    if (signal?.aborted === true && error === signal.reason) return [];
    throw error;
  }
}

function toIgnored({ field }: CapabilityFinding): RunWarning {
  const name = { tr: fieldWord(field, "tr"), en: fieldWord(field, "en") };
  return {
    code: "W_FIELD_IGNORED",
    message: {
      tr: `Pazaryeri "${name.tr}" (${field}) değişikliklerini kabul etti ama uygulamadı: mağaza eski değerleri gösteriyor. Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
      en: `The marketplace accepted changes of "${name.en}" (${field}) but did not apply them: the store shows the old values. Later plans will not send it; give --try-refused to try again.`,
    },
  };
}

function toRefused({ finding: { field }, rows }: RefusedField): RunWarning {
  const name = { tr: fieldWord(field, "tr"), en: fieldWord(field, "en") };
  return {
    code: "W_FIELD_NOT_TAKEN",
    message: {
      tr: `Pazaryeri güncellemelerde "${name.tr}" (${field}) alanını reddediyor (${rows} satır). Sonraki planlarda gönderilmeyecek; yeniden denemek için --try-refused verin.`,
      en: `The marketplace refuses "${name.en}" (${field}) in updates (${rows} ${rows === 1 ? "row" : "rows"}). Later plans will not send it; give --try-refused to try again.`,
    },
  };
}
