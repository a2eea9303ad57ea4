export { exportCommand } from "./commands/export/index.ts";
