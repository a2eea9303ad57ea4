import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";

import { EXIT, type Flags, printJson, UsageError } from "@catalog/console";
import type { Lang } from "@catalog/i18n";

import type { CommandContext } from "../../context.ts";
import {
  type ConfigFile,
  findConfigFile,
  readConfigAt,
  toConfigPath,
} from "../../settings/config-file.ts";
import type { Config } from "../../settings/config-schema.ts";
import type { ConfigLocations, FoundConfig } from "../../settings/config-trust.ts";

/** Dependencies of the trust command besides its context. */
export interface TrustParts {
  readonly cwd: string;
  readonly configLocations: ConfigLocations;
}

/** `catalog trust`: shows the settings of a configuration file, and trusts it once confirmed. */
export async function runTrustCommand(
  context: CommandContext,
  parts: TrustParts,
  flags: Flags,
): Promise<number> {
  if (flags["list"] === true) return await list(context, parts);
  const given = flags["path"];
  const path = typeof given === "string" ? context.resolve(given) : undefined;
  if (flags["forget"] === true) return await forget(context, parts, path);
  return await confirm(context, parts, { path, isSure: flags["yes"] === true });
}

interface TrustRequest {
  readonly path: string | undefined;
  readonly isSure: boolean;
}

async function confirm(
  context: CommandContext,
  parts: TrustParts,
  { path, isSure }: TrustRequest,
): Promise<number> {
  const { terminal, clock, json, lang } = context;
  const { trusted } = parts.configLocations;
  const texts = TRUST_TEXTS[lang];
  const file = await readFileOf(parts, path);
  const known = (await trusted.list()).find((each) => each.path === file.path);
  if (known?.sha256 === file.sha256) {
    return end(context, file, { isTrusted: true, message: texts.already(file.path) });
  }
  if (!json || !isSure) terminal.err(formatConfigFile(file, lang));
  if (!isSure) {
    if (!terminal.canAsk) throw needsYes();
    const answer = await terminal.ask(texts.question, texts);
    if (answer === undefined) terminal.err(`${texts.notTrusted}\n`);
    if (answer === undefined) return EXIT.interrupted;
    if (!answer) return end(context, file, { isTrusted: false, message: texts.notTrusted });
  }
  const { path: target, sha256 } = file;
  await trusted.add({ path: target, sha256, at: new Date(clock.now()).toISOString() });
  return end(context, file, { isTrusted: true, message: texts.trusted(file.path) });
}

async function readFileOf(parts: TrustParts, path: string | undefined): Promise<ConfigFile> {
  const { cwd, configLocations } = parts;
  const file =
    path === undefined
      ? await findConfigFile(cwd, configLocations)
      : await readConfigAt(path, configLocations);
  if (file !== undefined) return file;
  const target = path ?? cwd;
  throw new UsageError({
    tr: `Ayar dosyası bulunamadı: ${target}. catalog.config.json ya da catalog.config.yaml adıyla bu klasörde, bir proje içindeyseniz en çok projenin ana klasöründe aranır.`,
    en: `No configuration file was found: ${target}. It is looked for as catalog.config.json or catalog.config.yaml in this folder and, inside a project, up to the folder of the project.`,
  });
}

const needsYes = (): UsageError =>
  new UsageError({
    tr: "Soru sorulabilecek bir terminal yok; hiçbir dosya onaylanmadı. Yukarıdaki ayarlara güveniyorsanız: catalog trust --yes",
    en: "There is no terminal to ask on; no file was trusted. If you trust what is shown above: catalog trust --yes",
  });

interface Ending {
  readonly isTrusted: boolean;
  readonly message: string;
}

function end(
  { terminal, json }: CommandContext,
  { path, sha256, config }: ConfigFile,
  { isTrusted, message }: Ending,
): number {
  const document = { command: "trust", exit: EXIT.done, trusted: isTrusted, file: path, sha256 };
  if (json) printJson(terminal, { ...document, sets: config });
  else terminal.out(`${message}\n`);
  return EXIT.done;
}

async function list(
  { terminal, json, lang }: CommandContext,
  { configLocations }: TrustParts,
): Promise<number> {
  const known = await configLocations.trusted.list();
  const files = await Promise.all(
    known.map(async ({ path, sha256, at }) => ({
      path,
      at,
      state: await readTrustedState(path, sha256),
    })),
  );
  const texts = TRUST_TEXTS[lang];
  if (json) printJson(terminal, { command: "trust", exit: EXIT.done, files });
  else if (files.length === 0) terminal.out(`${texts.noneTrusted}\n`);
  else for (const { path, state } of files) terminal.out(`${path} (${texts.states[state]})\n`);
  return EXIT.done;
}

async function readTrustedState(path: string, sha256: string): Promise<TrustedState> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined) return "missing";
  return createHash("sha256").update(bytes).digest("hex") === sha256 ? "trusted" : "changed";
}

async function forget(
  { terminal, json, lang }: CommandContext,
  parts: TrustParts,
  path: string | undefined,
): Promise<number> {
  const { trusted } = parts.configLocations;
  // The confirmation of a missing file can still be removed by its name.
  const found = path === undefined ? await readFileOf(parts, path) : undefined;
  const file = found?.path ?? (await readConfigPath(parts, path ?? parts.cwd));
  const wasThere = await trusted.forget(file);
  const texts = TRUST_TEXTS[lang];
  const document = { command: "trust", exit: EXIT.done, trusted: false, file, forgotten: wasThere };
  if (json) printJson(terminal, document);
  else terminal.out(`${wasThere ? texts.forgotten(file) : texts.notKnown(file)}\n`);
  return EXIT.done;
}

async function readConfigPath({ configLocations }: TrustParts, path: string): Promise<string> {
  const found = await readConfigAt(path, configLocations).catch(() => undefined);
  return found?.path ?? (await toConfigPath(path));
}

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
type TrustedState = "trusted" | "changed" | "missing";

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
