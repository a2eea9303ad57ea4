/** Checks whether calls are paused: until when, why and since when. */

import type { Pacing } from "@catalog/connection";
import { EXIT } from "@catalog/console";
import { formatTime } from "@catalog/exporter/timestamps";
import type { Localized } from "@catalog/i18n";

import type { Check } from "./check.ts";

const MINUTE_MS = 60_000;

const LABEL: Localized = { tr: "Bekleme", en: "Waiting" };

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
