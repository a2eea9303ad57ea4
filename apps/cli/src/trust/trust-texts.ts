/** Texts about trusted configuration files. */

import { UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

import type { ConfigFile } from "../settings/config-file.ts";
import type { Config } from "../settings/settings.ts";
import type { FoundConfig } from "./config-trust.ts";

/** Stable code, for `--json`. */
const UNTRUSTED = "E_CONFIG_UNTRUSTED";

interface TrustTexts {
  readonly question: string;
  readonly yes: string;
  readonly no: string;
  readonly heading: (path: string) => string;
  readonly sendsSecret: (address: string) => string;
  readonly runsProgram: (program: string) => string;
  readonly foreign: string;
  readonly trusted: (path: string) => string;
  readonly already: (path: string) => string;
  readonly notTrusted: string;
  readonly forgotten: (path: string) => string;
  readonly notKnown: (path: string) => string;
  readonly noneTrusted: string;
  readonly states: Readonly<Record<TrustedState, string>>;
}

/** Present state of a confirmed file. */
export type TrustedState = "trusted" | "changed" | "missing";

export const TRUST_TEXTS: Readonly<Record<Lang, TrustTexts>> = {
  tr: {
    question: "Bu ayar dosyasına güveniyor musunuz?",
    yes: "Evet",
    no: "Hayır",
    heading: (path) => `Ayar dosyası: ${path}`,
    sendsSecret: (address) => `Uygulama anahtarı ve gizli anahtar bu adrese gönderilir: ${address}`,
    runsProgram: (program) => `Görseller için bu program çalıştırılır: ${program}`,
    foreign: "Bu dosya size ait değil ya da herkes değiştirebilir.",
    trusted: (path) => `Onaylandı: ${path}. Dosya değişirse yeniden sorulur.`,
    already: (path) => `Zaten onaylı: ${path}`,
    notTrusted: "Onaylanmadı; dosyadaki ayarlar kullanılmayacak.",
    forgotten: (path) => `Onay kaldırıldı: ${path}`,
    notKnown: (path) => `Bu dosya için kayıtlı onay yok: ${path}`,
    noneTrusted: "Onaylanmış ayar dosyası yok.",
    states: { trusted: "onaylı", changed: "sonradan değişti", missing: "artık yok" },
  },
  en: {
    question: "Do you trust this configuration file?",
    yes: "Yes",
    no: "No",
    heading: (path) => `Configuration file: ${path}`,
    sendsSecret: (address) => `Application key and secret are sent to this address: ${address}`,
    runsProgram: (program) => `This program is run for images: ${program}`,
    foreign: "This file is not yours, or everybody can change it.",
    trusted: (path) => `Trusted: ${path}. If the file changes, you are asked again.`,
    already: (path) => `Trusted already: ${path}`,
    notTrusted: "Not trusted; what the file sets will not be used.",
    forgotten: (path) => `No longer trusted: ${path}`,
    notKnown: (path) => `This file was not trusted: ${path}`,
    noneTrusted: "No configuration file is trusted.",
    states: { trusted: "trusted", changed: "changed since", missing: "no longer there" },
  },
};

/** Lists the settings of the file and their consequences. */
export function formatConfigFile({ path, config, isForeign }: ConfigFile, lang: Lang): string {
  const texts = TRUST_TEXTS[lang];
  const sets = Object.entries(config).map(([key, value]) => `  ${key}: ${show(value)}`);
  const follows = [
    ...(config.baseUrl === undefined ? [] : [texts.sendsSecret(config.baseUrl)]),
    ...listPrograms(config).map(texts.runsProgram),
    ...(isForeign ? [texts.foreign] : []),
  ];
  return [texts.heading(path), ...sets, ...follows.map((line) => `  ! ${line}`), ""].join("\n");
}

/** Quotes a value, so that it stays on its line. */
const show = (value: unknown): string => JSON.stringify(value);

function listPrograms({ images }: Config): readonly string[] {
  const { upload } = images ?? {};
  return upload !== undefined && "command" in upload ? [show(upload.command)] : [];
}

/** Refuses an unconfirmed file, with advice. */
export function untrustedConfig({ file, trust, decides }: FoundConfig): UsageError {
  const path = file?.path ?? "";
  const keys = decides.join(", ") || "lang";
  const isChanged = trust === "changed";
  const tr = isChanged ? "onaylandıktan sonra değişti" : "bu bilgisayarda onaylanmadı";
  const en = isChanged ? "changed since it was trusted" : "is not trusted on this machine";
  return new UsageError(
    {
      tr: `${path} ayar dosyası ${tr}; içindekiler (${keys}) kullanılmadı ve hiçbir şey gönderilmedi. Dosyaya güveniyorsanız gösterilip onaylanması için: catalog trust`,
      en: `The configuration file ${path} ${en}; what it sets (${keys}) was not used and nothing was sent. If you trust it, see what it says and confirm it: catalog trust`,
    },
    { code: UNTRUSTED },
  );
}
