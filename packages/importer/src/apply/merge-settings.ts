import { type RunSettings } from "@catalog/runs";

/** The settings of a continued run: the stored ones, with those that are given now on top. */
export function mergeSettings(stored: RunSettings, given: RunSettings = {}): RunSettings {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(asked) };
}
