export { type MarketplaceServer, startMarketplaceServer } from "./marketplace-server.ts";
export { CUP } from "./product.ts";
export { readZipPart } from "./read-zip.ts";
export { storeNames } from "./stored-names.ts";
export { createIssue, RUN_ID, type StoredRow, type StoredRun, storeRun } from "./stored-run.ts";
export { createTestConnection, type TestConnection } from "./test-connection.ts";
