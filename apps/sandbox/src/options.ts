/** The options of a sandbox as data; importing them loads no server. */

export { type Fault, FAULT_KINDS, type FaultKind, parseFault } from "./faults/fault.ts";
export { listSwitches, parsePersonality, type PersonalityOptions } from "./behavior/profile.ts";
export {
  type Personality,
  type Switch,
  SWITCHES,
  type Switches,
} from "./behavior/behavior-settings.ts";
