export { type CategoryReference, type SandboxCategory } from "./catalog/category-tree.ts";
export { createSandboxCatalog, type SandboxCatalog } from "./catalog/sandbox-catalog.ts";
export { type Sandbox, type SandboxOptions, startSandbox } from "./sandbox.ts";
export { type SandboxProduct } from "./store/store-state.ts";
export { type SandboxStats } from "./tally.ts";
