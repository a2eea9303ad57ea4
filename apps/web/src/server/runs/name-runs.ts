/** Replaces the ids of runs in sentences of the program by what the page calls the runs. */

import type { Connection } from "@catalog/connection";
import { formatDateTime, type Lang } from "@catalog/i18n";
import type { RunRecord } from "@catalog/runs";

import { RUN_TEXTS } from "./run-texts.ts";

const RUN_ID = /r-\d{6}-\d{4}-[0-9a-f]{4}/gu;

/** An id, in quotation marks or not, and the word of the terminal for a run. */
const NAMED_RUN =
  /["“]?(?<id>r-\d{6}-\d{4}-[0-9a-f]{4})["”]?(?: çalıştırmas(?<ending>ında|ının))?/gu;

/** The word of the page for a run, with the endings that the sentences have. */
const ENDINGS: ReadonlyMap<string | undefined, string> = new Map([
  ["ında", " gönderiminde"],
  ["ının", " gönderiminin"],
]);

export const hasRunId = (text: string): boolean => text.search(RUN_ID) >= 0;

/**
 * Returns a copy of a document whose texts name runs by their file and time. An id that the store
 * does not know stays. The document must not hold ids that requests are made with.
 */
export async function nameRunsIn<Value>(
  { runs }: Pick<Connection, "runs">,
  value: Value,
  lang: Lang,
): Promise<Value> {
  const json = JSON.stringify(value);
  const ids = new Set(json.match(RUN_ID));
  if (ids.size === 0) return value;
  const names = new Map<string, string>();
  for (const id of ids) {
    const run = await runs.read(id);
    if (run !== undefined) names.set(id, await describeRun({ runs }, run, lang));
  }
  const named: Value = JSON.parse(json, (_key, part: unknown) =>
    typeof part === "string" ? nameRuns(part, names) : part,
  );
  return named;
}

const nameRuns = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replaceAll(NAMED_RUN, (whole, id: string, ending: string | undefined) => {
    const name = names.get(id);
    return name === undefined ? whole : `${name}${ENDINGS.get(ending) ?? ""}`;
  });

/** The file, or what stands for it, with the time of the run. */
async function describeRun(
  { runs }: Pick<Connection, "runs">,
  { file, progress, createdAtMs }: RunRecord,
  lang: Lang,
): Promise<string> {
  const { undoOf, retryOf } = progress;
  const of = undoOf ?? retryOf;
  const name = of === undefined ? file.name : ((await runs.read(of))?.file.name ?? of);
  const texts = RUN_TEXTS[lang];
  const own = undoOf === undefined ? texts.retryOf(name) : texts.undoOf(name);
  const time = formatDateTime(createdAtMs, lang, { dateStyle: "medium", timeStyle: "short" });
  return `${of === undefined ? `“${name}”` : own} (${time})`;
}
