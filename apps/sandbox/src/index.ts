export { type Inspection } from "./admin/admin-api.ts";
export { type CountedViolation, type Violation } from "./admin/violations.ts";
export {
  type BehaviorOptions,
  type BehaviorSetting,
  BEHAVIOR_SETTINGS,
  listBehaviorSettings,
  parseBehavior,
} from "./behavior/behavior-settings.ts";
export { createSandboxCatalog, type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
export { type Fault, FAULT_KINDS, type FaultKind, parseFault } from "./faults/fault.ts";
export { type SandboxStats } from "./market-state.ts";
export { type SandboxProduct } from "./products/product-state.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox.ts";
