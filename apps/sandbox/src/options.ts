/** The options of a sandbox as data; importing them loads no server. */

export { type Fault, FAULT_KINDS, type FaultKind, parseFault } from "./faults/fault.ts";
export { listBehaviorSettings, parseBehavior, type BehaviorOptions } from "./behavior/profile.ts";
export {
  type Behavior,
  type BehaviorSetting,
  BEHAVIOR_SETTINGS,
  type BehaviorSettings,
} from "./behavior/behavior-settings.ts";
export { OptionError } from "./option-error.ts";
