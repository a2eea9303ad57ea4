/** From the limits that a person typed to the request that saves them. */

import type { GuardLimitView, LimitsBody, SettingsView } from "../../../src/api/index.ts";

/** Typed texts by the name of their limit; `callsPerHour` is one of them. */
export type TypedLimits = Readonly<Record<string, string>>;

export const CALLS = "callsPerHour";

/** What the fields show at first: saved values, nothing where the default holds. */
export function toTyped({ guards, callsPerHour }: SettingsView): TypedLimits {
  const typed = guards.map(({ name, source, value }) => [
    name,
    source === "saved" ? String(value) : "",
  ]);
  const calls = callsPerHour.source === "saved" ? String(callsPerHour.value ?? "") : "";
  return { ...Object.fromEntries(typed), [CALLS]: calls };
}

/** A whole or decimal number, with a comma or a point; `undefined` for anything else. */
export function readNumber(text: string): number | undefined {
  const trimmed = text.trim().replace(",", ".");
  return /^\d{1,9}(?:\.\d{1,3})?$/u.test(trimmed) ? Number(trimmed) : undefined;
}

/** Whether the limit can be saved: empty, or a number in its range. */
export function isSound({ min, max }: Pick<GuardLimitView, "min" | "max">, text: string): boolean {
  if (text.trim() === "") return true;
  const value = readNumber(text);
  return value !== undefined && value >= min && (max === null || value <= max);
}

/** The body that saves what was typed. A field that is empty gets its default again. */
export function toLimitsBody(typed: TypedLimits, settings: SettingsView): LimitsBody {
  const guards = settings.guards.flatMap(({ name }) => {
    const value = readNumber(typed[name] ?? "");
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    guards: Object.fromEntries(guards),
    callsPerHour: readNumber(typed[CALLS] ?? "") ?? null,
  };
}
