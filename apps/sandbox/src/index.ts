export { type CategoryReference, type SandboxCategory } from "./catalog/category-tree.ts";
export { createSandboxCatalog, type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
export { type Fault, FAULT_KINDS, type FaultKind, parseFault } from "./faults/fault.ts";
export { type HourCounts } from "./admin/call-hours.ts";
export {
  type Violation,
  type ViolationRule,
  type CountedViolation,
  type UndocumentedField,
} from "./admin/violations.ts";
export { type InspectedToken, type Inspection } from "./admin/admin-api.ts";
export {
  listBehaviorSettings,
  parseBehavior,
  type BehaviorOptions,
  type Behavior,
  type BehaviorSetting,
  BEHAVIOR_SETTINGS,
  type BehaviorSettings,
} from "./behavior/behavior-settings.ts";
export { type Message } from "./http/refusal.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox.ts";
export { type SandboxProduct } from "./products/product-state.ts";
export { type SandboxStats } from "./market-state.ts";
export { type GrantedToken } from "./http/token-service.ts";
