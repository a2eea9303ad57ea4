export { reportedRows } from "./reported-rows.ts";
