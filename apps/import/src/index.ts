import { answerCommand } from "./commands/answer/index.ts";
import { applyCommand } from "./commands/apply/index.ts";
import { explainCommand } from "./commands/explain/index.ts";
import { importCommand } from "./commands/import/index.ts";
import { lookupCommand } from "./commands/lookup/index.ts";
import { mapCommand } from "./commands/map/index.ts";
import { ordersCommand } from "./commands/orders/index.ts";
import { planCommand } from "./commands/plan/index.ts";
import { releaseCommand } from "./commands/release/index.ts";
import { reportCommand } from "./commands/report/index.ts";
import { resumeCommand } from "./commands/resume/index.ts";
import { retryCommand } from "./commands/retry/index.ts";
import { rulesCommand } from "./commands/rules/index.ts";
import { runsCommand } from "./commands/runs/index.ts";
import { templateCommand } from "./commands/template/index.ts";
import { undoCommand } from "./commands/undo/index.ts";
import type { Command } from "./context.ts";

export { templateImport } from "./commands/shipping-templates.ts";
export { importCommand };

/** Every command of a file or a run, in the order of the help. */
export const IMPORT_COMMANDS: readonly Command[] = [
  templateCommand,
  planCommand,
  importCommand,
  applyCommand,
  resumeCommand,
  retryCommand,
  undoCommand,
  releaseCommand,
  runsCommand,
  explainCommand,
  reportCommand,
  answerCommand,
  ordersCommand,
  lookupCommand,
  mapCommand,
  rulesCommand,
];
