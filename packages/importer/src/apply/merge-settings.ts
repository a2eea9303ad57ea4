import { type RunSettings } from "@catalog/runs";

/** What a run that is gone on with takes over: its own settings, and over them what is asked now. */
export function mergeSettings(stored: RunSettings, given: RunSettings = {}): RunSettings {
  const asked = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...stored, ...Object.fromEntries(asked) };
}
