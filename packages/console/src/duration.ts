import { type Flags, textFlag } from "./flags.ts";
import { UsageError } from "./usage-error.ts";

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/**
 * Reads a duration such as `90m`, `24h`, `7d` or `0` in milliseconds; `undefined` where the flag was
 * not given. Throws {@link UsageError} for anything else.
 */
export function durationFlag(flags: Flags, name: string): number | undefined {
  const text = textFlag(flags, name);
  return text === undefined ? undefined : parseDuration(text, name);
}

function parseDuration(text: string, flag: string): number {
  if (text === "0") return 0;
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/u.exec(text.trim().toLowerCase()) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (count !== undefined && unitMs !== undefined) return Number(count) * unitMs;
  throw new UsageError({
    tr: `--${flag} "${text}" anlaşılamadı. Şöyle yazın: 90m, 24h ya da 7d.`,
    en: `--${flag} "${text}" is not understood. Write it like 90m, 24h or 7d.`,
  });
}
