// `import type` loads nothing at run time, unlike `import { type … }`.
import type { UsageError } from "@catalog/console";

import type { Command } from "../../context.ts";
import type { ConfigLocations } from "../../settings/config-trust.ts";
import type { LoginStore } from "../../settings/login-store.ts";
import type { Environment } from "../../settings/settings.ts";
import type { Runtime } from "./local-checks.ts";

/** Dependencies of the doctor besides its context. */
export interface DoctorParts {
  readonly env: Environment;
  /** As it was given: with paths of files in place of the secrets in them. @default env */
  readonly givenEnv?: Environment | undefined;
  /** Why such a file cannot be used. @default all can */
  readonly secretError?: UsageError | undefined;
  readonly cwd: string;
  readonly logins: Pick<LoginStore, "read">;
  readonly configLocations: ConfigLocations;
  readonly fetch: typeof fetch;
  readonly runtime: Runtime;
}

/** `catalog doctor`: checks everything that the program needs, with advice for each failure. */
export function createDoctorCommand(parts: DoctorParts): Command {
  return {
    name: "doctor",
    positionals: [],
    describe: {
      tr: "Ayarları, bağlantıyı, izinleri ve bu bilgisayarı denetler",
      en: "Checks the settings, the connection, the permissions and this machine",
    },
    flags: {
      fix: {
        type: "boolean",
        describe: {
          tr: "Pazaryerinin istediği beklemeyi kaldır ve öğrenilen saatlik sınırı unut",
          en: "End a wait that the marketplace asked for, and forget the learned hourly limit",
        },
      },
    },
    examples: ["doctor", "doctor --json", "doctor --fix"],
    run: async (context, flags) =>
      (await import("./run.ts")).runDoctorCommand(context, {
        ...parts,
        mayFix: flags["fix"] === true,
      }),
  };
}
