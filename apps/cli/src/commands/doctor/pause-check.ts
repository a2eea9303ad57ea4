/** Checks what waits: the calls, and the rows that a person has to decide on. */

import type { Connection, Pacing } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import { formatTime } from "@catalog/exporter/timestamps";
import { formatNumber, type Localized } from "@catalog/i18n";
import { listHeldRuns } from "@catalog/report";

import type { Check } from "./check.ts";

const MINUTE_MS = 60_000;

const LABEL: Localized = { tr: "İstek molası", en: "Call pause" };

/** A pause makes every command wait, so it is a failure; a learned limit is not. */
export async function checkPause(
  pacing: Pick<Pacing, "pause" | "callsPerHour">,
  nowMs: number,
): Promise<Check> {
  const pause = await pacing.pause();
  if (pause === undefined) {
    const limit = await pacing.callsPerHour();
    const found =
      limit === undefined
        ? { tr: "yok", en: "none" }
        : { tr: `yok; saatte en çok ${limit} istek`, en: `none; at most ${limit} calls an hour` };
    return { name: "pause", state: "ok", label: LABEL, found };
  }
  const until = formatTime(pause.untilMs + MINUTE_MS - 1);
  const since = formatTime(Math.min(pause.sinceMs, nowMs));
  const times = pause.refusals;
  return {
    name: "pause",
    state: "fail",
    label: LABEL,
    found: {
      tr: `saat ${until} sonrasına kadar; pazaryeri saat ${since} sonrasında ${times} kez çok fazla istek geldiğini söyledi`,
      en: `until after ${until}; since ${since} the marketplace has said ${times === 1 ? "once" : `${times} times`} that there were too many calls`,
    },
    fix: {
      tr: "O saate kadar bekleyin; saat yanlışsa ya da pazaryeri yanlış söylediyse beklemeyi kaldırın: catalog doctor --fix",
      en: "Wait until then; if the clock or the marketplace is wrong about it, end the wait with: catalog doctor --fix",
    },
    exit: EXIT.stopped,
  };
}

/** The check, skipped where the database was not opened. */
export function skipPause(): Check {
  const found = { tr: "bakılamadı", en: "could not be checked" };
  return { name: "pause", state: "skip", label: LABEL, found };
}

const HELD: Localized = { tr: "Bekleyen satır", en: "Held rows" };

/** Rows that wait for a person are no failure of the machine; they need attention. */
export async function checkHeld(connection: Pick<Connection, "runs" | "journal">): Promise<Check> {
  const found = await listHeldRuns(connection);
  const rows = found.reduce((sum, { held }) => sum + held, 0);
  const sizes = { rows, runs: found.length };
  const none = { tr: "yok", en: "none" };
  if (rows === 0) return { name: "held", state: "ok", label: HELD, found: none, sizes };
  return {
    name: "held",
    state: "warn",
    label: HELD,
    found: {
      tr: `${formatNumber(found.length, "tr")} çalıştırmada ${formatNumber(rows, "tr")} satır karar bekliyor`,
      en: `${formatNumber(rows, "en")} ${rows === 1 ? "row waits" : "rows wait"} for a decision, in ${formatNumber(found.length, "en")} ${found.length === 1 ? "run" : "runs"}`,
    },
    fix: {
      tr: "Görmek ve karar vermek için: catalog release --waiting",
      en: "To see them and decide: catalog release --waiting",
    },
    sizes,
  };
}
