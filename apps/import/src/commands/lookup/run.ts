import { UsageError, type Flags, EXIT, countFlag, textFlag, printJson } from "@catalog/console";
import { findByName } from "@catalog/importer";
import { isLookupKind, LOOKUP_KINDS, type LookupKind } from "@catalog/importer/lookup-kinds";

import type { CommandContext } from "../../context.ts";
import { MAX_LOOKUP_RESULTS } from "../../shared/flags.ts";
import { formatFindings } from "./view.ts";

/** `catalog lookup KIND [TEXT]`: finds ids for names. */
export async function runLookupCommand(context: CommandContext, flags: Flags): Promise<number> {
  const kind = kindFlag(textFlag(flags, "kind"));
  const text = textFlag(flags, "text");
  const limit = limitFlag(flags);
  await using connection = await context.openConnection();
  const findings = await findByName(connection, {
    kind,
    text,
    category: textFlag(flags, "category"),
    brand: textFlag(flags, "brand"),
    limit,
    signal: context.stop,
  });
  if (context.json) {
    printJson(context.terminal, { command: "lookup", kind, ...findings, exit: EXIT.done });
    return EXIT.done;
  }
  const { lang, terminal } = context;
  terminal.out(formatFindings(findings, { kind, text, limit, lang, columns: terminal.outColumns }));
  return EXIT.done;
}

function limitFlag(flags: Flags): number {
  const limit = countFlag(flags, "limit");
  if (flags["all"] !== true) return limit ?? MAX_LOOKUP_RESULTS;
  if (limit === undefined) return Number.MAX_SAFE_INTEGER;
  throw new UsageError({
    tr: "--all ile --limit birlikte verilmez; birini seçin.",
    en: "--all and --limit exclude each other; give one of them.",
  });
}

function kindFlag(text = ""): LookupKind {
  if (isLookupKind(text)) return text;
  const kinds = LOOKUP_KINDS.join(", ");
  throw new UsageError({
    tr: `"${text}" aranamaz. Bunlar aranabilir: ${kinds}.`,
    en: `"${text}" cannot be looked up. These can: ${kinds}.`,
  });
}
