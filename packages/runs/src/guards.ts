/** The names and limits of the guards alone, for command lines that load no other module. */

export {
  ALL_GUARDS,
  FEED_GUARDS,
  GUARD_LIMITS,
  GUARD_NAMES,
  GUARD_RANGES,
  type GuardLimits,
  type GuardName,
  type GuardRange,
  type GuardSettings,
} from "./guards/guard-settings.ts";
