export { createWorkerCommand, type WorkerParts } from "./commands/worker/index.ts";
