import type { Connection } from "@catalog/connection";
import { formatDateTime, type Lang } from "@catalog/i18n";

/** Waits shorter than this are not told. */
const LONG_WAIT_MS = 10_000;

const WAITS: Readonly<Record<Lang, (time: string) => string>> = {
  tr: (time) => `Saatlik istek sınırı doldu; ${time} itibarıyla kendiliğinden sürecek.`,
  en: (time) => `The calls of this hour are used up; it goes on by itself at ${time}.`,
};

/** When the next call can be made; `null` where it need not wait for long. */
export async function describeWait(
  { meters, clock }: Pick<Connection, "meters" | "clock">,
  lang: Lang,
): Promise<string | null> {
  const waitMs = await meters.pacing.waitMs(1);
  if (waitMs < LONG_WAIT_MS) return null;
  return WAITS[lang](formatDateTime(clock.now() + waitMs, lang, { timeStyle: "short" }));
}
