export { runCatalog, type Surroundings } from "./run-catalog.ts";
