export { elapse } from "./elapse.ts";
export { type Market, startMarket } from "./marketplace-server.ts";
export { CUP } from "./product.ts";
export { readZipPart } from "./read-zip.ts";
export { keepNames } from "./stored-names.ts";
export { createIssue, RUN_ID, type StoredRow, type StoredRun, storeRun } from "./stored-run.ts";
export { createWorkplace, type Workplace } from "./test-connection.ts";
