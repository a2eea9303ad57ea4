export { importCommand } from "./commands/import.ts";
export { lookupCommand } from "./commands/lookup.ts";
export { planCommand } from "./commands/plan.ts";
export { reportCommand } from "./commands/report.ts";
export { resumeCommand } from "./commands/resume.ts";
export { rulesCommand } from "./commands/rules.ts";
export { runsCommand } from "./commands/runs.ts";
export { formatIssue } from "./report.ts";
