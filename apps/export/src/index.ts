export { exportCommand } from "./commands/export.ts";
