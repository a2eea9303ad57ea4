import { UsageError } from "@catalog/console";

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 86_400_000],
]);

/**
 * Parses `90m`, `24h`, `7d` or `0` to milliseconds. Throws {@link UsageError} for anything else.
 */
export function parseDuration(text: string, flag: string): number {
  if (text === "0") return 0;
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/u.exec(text.trim().toLowerCase()) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (count !== undefined && unitMs !== undefined) return Number(count) * unitMs;
  throw new UsageError({
    tr: `--${flag} "${text}" anlaşılamadı. Şöyle yazın: 90m, 24h ya da 7d.`,
    en: `--${flag} "${text}" is not understood. Write it like 90m, 24h or 7d.`,
  });
}
