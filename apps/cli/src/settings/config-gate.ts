/** Lets a command use the configuration file of its folder, after a question where one is needed. */

import { type Clock } from "@catalog/clock";
import { type Terminal } from "@catalog/console";
import { type Lang } from "@catalog/i18n";

import { type FoundConfig } from "../trust/config-trust.ts";
import { type TrustStore } from "../trust/trust-store.ts";
import { type Config } from "./settings.ts";

export interface ConfigGate {
  /** What may be used so far; nothing of a file that was not confirmed. */
  readonly config: Config;
  /** Whether all of the file may be used. */
  readonly isOpen: boolean;
  /** Asks a person where one is there; throws `UsageError` where the file is not confirmed. */
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

export function createConfigGate(options: ConfigGateOptions): ConfigGate {
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

/** A file of others is confirmed with `catalog trust` alone, never in passing. */
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
