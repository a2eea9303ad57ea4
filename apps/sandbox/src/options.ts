/** The options of a sandbox as data; importing them loads no server. */

export { type Fault, FAULT_KINDS, type FaultKind, parseFault } from "./faults/fault.ts";
export {
  listBehaviorSettings,
  parseBehavior,
  type BehaviorOptions,
  type Behavior,
  type BehaviorSetting,
  BEHAVIOR_SETTINGS,
  type BehaviorSettings,
  OptionError,
} from "./behavior/behavior-settings.ts";
