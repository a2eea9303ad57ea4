/** Every command of the program. */

import { createShippingCommand, EXPORT_COMMANDS } from "@catalog/export";
import { IMPORT_COMMANDS, templateImport } from "@catalog/import";
import { createAlertsCommand, createScheduleCommand, createSyncCommand } from "@catalog/sync";
import { createWebCommand } from "@catalog/web/command";
import { createWorkerCommand } from "@catalog/worker";

import { type ApiParts, createApiCommand } from "./commands/api/index.ts";
import { type CompletionParts, createCompletionCommand } from "./commands/completion/index.ts";
import { createDatabaseCommand, type DatabaseParts } from "./commands/db/index.ts";
import { demoCommand } from "./commands/demo/index.ts";
import { createDoctorCommand, type DoctorParts } from "./commands/doctor/index.ts";
import { createFeedCommand } from "./commands/feed/index.ts";
import { createLoginCommand, type LoginParts } from "./commands/login/index.ts";
import { createMcpCommand, type McpParts } from "./commands/mcp/index.ts";
import { sandboxCommand } from "./commands/sandbox/index.ts";
import { createStoresCommand } from "./commands/stores/index.ts";
import { createTrustCommand } from "./commands/trust/index.ts";
// `import type` loads nothing at run time, unlike `import { type … }`.
import type { TrustParts } from "./commands/trust/run.ts";
import { createUsersCommand } from "./commands/users/index.ts";
import type { Command } from "./context.ts";

/** Commands that need only their context. */
export const COMMANDS: readonly Command[] = [
  ...IMPORT_COMMANDS,
  ...EXPORT_COMMANDS,
  createShippingCommand(templateImport),
  sandboxCommand,
  demoCommand,
];

/** All commands, in the order of the help. */
export function createCommands(
  parts: Omit<McpParts, "version"> &
    ApiParts &
    LoginParts &
    DoctorParts &
    TrustParts &
    DatabaseParts &
    CompletionParts,
): readonly Command[] {
  const schedule = createScheduleCommand(
    async () => (await import("./commands/web-parts.ts")).createWebParts(parts),
    { fetch: parts.fetch },
  );
  return [
    ...COMMANDS,
    createSyncCommand({ fetch: parts.fetch }),
    schedule,
    createAlertsCommand(parts),
    createWebCommand(async () => (await import("./commands/web-parts.ts")).createWebParts(parts)),
    createWorkerCommand(async () =>
      (await import("./commands/web-parts.ts")).createWebParts(parts),
    ),
    createFeedCommand(parts, schedule),
    createApiCommand(parts),
    createLoginCommand(parts),
    createDoctorCommand(parts),
    createDatabaseCommand(parts),
    createUsersCommand(parts),
    createStoresCommand(parts),
    createMcpCommand({ ...parts, version: parts.runtime.tool }),
    createTrustCommand(parts),
    createCompletionCommand(parts),
  ];
}
