/**
 * Lets a command use the configuration file of its folder, after a question where it is not
 * confirmed.
 */

import type { Clock } from "@catalog/clock";
import type { Terminal } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

import type { FoundConfig } from "../trust/config-trust.ts";
import type { TrustStore } from "../trust/trust-store.ts";
import type { Config } from "./settings.ts";

export interface ConfigCheck {
  /** The settings that may be used now; empty for an unconfirmed file. */
  readonly config: Config;
  /** Whether the whole file may be used. */
  readonly isOpen: boolean;
  /**
   * Asks for confirmation where a person can answer; throws `UsageError` where the file is not
   * confirmed.
   */
  open(): Promise<Config>;
}

export interface ConfigGateOptions {
  readonly found: FoundConfig;
  readonly trusted: Pick<TrustStore, "add">;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly lang: Lang;
  /** Whether a person may be asked. */
  readonly canAsk: boolean;
}

export function createConfigCheck(options: ConfigGateOptions): ConfigCheck {
  const { found } = options;
  const { file } = found;
  let isOpen = file === undefined || found.trust === "trusted" || found.trust === "harmless";
  const config = (): Config => (isOpen ? (file?.config ?? {}) : {});
  return {
    get config() {
      return config();
    },
    get isOpen() {
      return isOpen;
    },
    async open() {
      if (!isOpen) await confirm(options);
      isOpen = true;
      return config();
    },
  };
}

/** Another user's file is confirmed with `catalog trust` only. */
async function confirm(options: ConfigGateOptions): Promise<void> {
  const { found, trusted, terminal, clock, lang, canAsk } = options;
  const { file } = found;
  const { formatConfigFile, TRUST_TEXTS, untrustedConfig } =
    await import("../trust/trust-texts.ts");
  if (file === undefined || file.isForeign || !canAsk) throw untrustedConfig(found);
  const texts = TRUST_TEXTS[lang];
  terminal.err(formatConfigFile(file, lang));
  if ((await terminal.ask(texts.question, texts)) !== true) throw untrustedConfig(found);
  const { path, sha256 } = file;
  await trusted.add({ path, sha256, at: new Date(clock.now()).toISOString() });
}
