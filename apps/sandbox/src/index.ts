export { type CategoryReference, type SandboxCategory } from "./catalog/category-tree.ts";
export { createSandboxCatalog, type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
export { type Fault, FAULT_KINDS, type FaultKind, parseFault } from "./faults/fault.ts";
export { type HourCounts } from "./inspection/call-hours.ts";
export { type Violation, type ViolationRule } from "./inspection/find-violations.ts";
export { type InspectedToken, type Inspection } from "./inspection/inspect.ts";
export { type CountedViolation, type UndocumentedField } from "./inspection/violation-book.ts";
export {
  listSwitches,
  parsePersonality,
  type PersonalityOptions,
} from "./personality/personality.ts";
export { type Personality, type Switch, SWITCHES, type Switches } from "./personality/switches.ts";
export { type Message } from "./refusal.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox.ts";
export { type SandboxProduct } from "./store/store-state.ts";
export { type SandboxStats } from "./tally.ts";
export { type GrantedToken } from "./token-desk.ts";
