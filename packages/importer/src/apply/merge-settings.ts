import type { RunSettings } from "@catalog/runs";

/**
 * Merges the settings of a resumed run: given values override stored ones, `undefined` does not.
 */
export function mergeSettings(stored: RunSettings, given: RunSettings = {}): RunSettings {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(asked) };
}
