/** Finds faults of a demo in the marketplace's own counts, not in ours. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { ConnectionOverrides } from "@catalog/connection";
import { EXIT, type Flags, printJson } from "@catalog/console";
import { type Lang, quoteWord } from "@catalog/i18n";
import { importCommand } from "@catalog/import";
import type { CountedViolation, Inspection, Sandbox } from "@catalog/sandbox";

import type { CommandContext } from "../../context.ts";

const SAMPLE = fileURLToPath(
  new URL("../../../../../templates/ornek-katalog.xlsx", import.meta.url),
);

/** `catalog demo`: imports the sample file into a sandbox twice. */
export async function runDemoCommand(context: CommandContext, flags: Flags): Promise<number> {
  const home = await mkdtemp(join(tmpdir(), "catalog-demo-"));
  try {
    const { startSandbox } = await import("@catalog/sandbox");
    await using sandbox = await startSandbox({ clock: context.clock });
    const inside = enter(context, sandbox, home);
    const report = String(flags["report"]);
    const sent = await importTwice(inside, sandbox, report);
    const { violations, doubles } = sandbox.inspect();
    const faults = describeFaults(sent, { violations, doubles }, context.lang);
    if (faults === undefined)
      inside.terminal.out(TEXTS[context.lang].same + nextSteps(context, report));
    else context.terminal.err(faults);
    const exit = faults === undefined ? EXIT.done : EXIT.bug;
    if (context.json) {
      printJson(context.terminal, { command: "demo", exit, sent, violations });
    }
    return exit;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

/** The same context, with the sandbox as the marketplace and an empty home. */
function enter(context: CommandContext, sandbox: Sandbox, home: string): CommandContext {
  const given = {
    CATALOG_BASE_URL: sandbox.baseUrl,
    CATALOG_CLIENT_KEY: sandbox.clientKey,
    CATALOG_CLIENT_SECRET: sandbox.clientSecret,
    CATALOG_STORE_ID: sandbox.storeId,
    CATALOG_HOME: home,
    CATALOG_DATABASE_URL: "",
  };
  const openConnection = (
    overrides?: ConnectionOverrides,
  ): ReturnType<CommandContext["openConnection"]> =>
    context.openConnection({ ...overrides, given });
  // With --json the progress goes to stderr, and the result is one document.
  const { terminal } = context;
  const told = context.json ? { ...terminal, out: (text: string) => terminal.err(text) } : terminal;
  return { ...context, openConnection, terminal: told, json: false };
}

const TEXTS = {
  tr: {
    open: (url: string) => `Yerel pazaryeri açıldı: ${url}\n`,
    first: "\n── 1. içe aktarma ──\n",
    second: "\n── Aynı dosya yeniden ──\n",
    writes: (adds: number, updates: number) =>
      `\nPazaryerinin sayımı: bu kez ${adds} ekleme, ${updates} güncelleme isteği geldi.\n`,
    same: "Geçerli satırların hepsi değişmemiş; hiçbir ürün iki kez eklenmedi.\n",
  },
  en: {
    open: (url: string) => `A local marketplace is open: ${url}\n`,
    first: "\n── First import ──\n",
    second: "\n── The same file again ──\n",
    writes: (adds: number, updates: number) =>
      `\nThe marketplace counted ${adds} add and ${updates} update calls this time.\n`,
    same: "All valid rows are unchanged; no product was added twice.\n",
  },
} as const;

const NEXT_STEPS = {
  tr: {
    heading: "Denemenin pazaryeri kapandı. Yeniden açıp sürdürmek için:",
    steps: (failed: string) => [
      [
        "catalog sandbox",
        "yerel bir pazaryeri açar; yazdığı satırları ikinci terminale yapıştırın",
      ],
      [`catalog import ${failed}`, "yukarıda adı geçen hatalı satırlar: önce Excel ile düzeltin"],
      [
        "catalog template",
        "kendi ürünleriniz için doldurulacak Excel şablonunu yazar: urun-sablonu.xlsx",
      ],
      ["catalog import urun-sablonu.xlsx", "doldurduğunuz şablonu denetler, sorar, gönderir"],
    ],
  },
  en: {
    heading: "The marketplace of the demo is closed. To open one again and go on:",
    steps: (failed: string) => [
      ["catalog sandbox", "opens a local marketplace; paste its lines into a second terminal"],
      [`catalog import ${failed}`, "the failed rows named above: correct them in Excel first"],
      [
        "catalog template",
        "writes the workbook to fill in with your own products: product-template.xlsx",
      ],
      ["catalog import product-template.xlsx", "checks what you filled in, asks, and sends it"],
    ],
  },
} as const;

/** Commands for after the demo, when its marketplace is gone; `report` has its result files. */
function nextSteps({ lang }: Pick<CommandContext, "lang">, report: string): string {
  const { heading, steps } = NEXT_STEPS[lang];
  const lines = steps(quoteWord(join(report, "2", "failed.xlsx"))).map(
    ([command, effect]) => `  ${command}\n      ${effect}\n`,
  );
  return `\n${heading}\n${lines.join("")}`;
}

async function importTwice(
  context: CommandContext,
  sandbox: Sandbox,
  report: string,
): Promise<DemoWrites> {
  const texts = TEXTS[context.lang];
  const { terminal } = context;
  const flags = { file: SAMPLE, yes: true, mode: "upsert", concurrency: 4 };
  const say = (text: string): void => terminal.out(text);

  say(texts.open(sandbox.baseUrl));
  say(texts.first);
  await importCommand.run(context, { ...flags, report: join(report, "1") });
  const first = sandbox.stats();

  say(texts.second);
  await importCommand.run(context, { ...flags, report: join(report, "2") });
  const second = sandbox.stats();
  const adds = second.adds - first.adds;
  const updates = second.updates - first.updates;
  say(texts.writes(adds, updates));
  return { first: { adds: first.adds, updates: first.updates }, second: { adds, updates } };
}

interface Writes {
  readonly adds: number;
  readonly updates: number;
}

/** The marketplace's counts for each of the two imports. */
interface DemoWrites {
  readonly first: Writes;
  readonly second: Writes;
}

/** The sandbox's findings for both imports together. */
type InspectedFaults = Pick<Inspection, "doubles" | "violations">;

const FAULT_TEXTS = {
  tr: {
    nothing: "ilk içe aktarma hiçbir ürün eklemedi",
    again: "ikinci içe aktarma bir şey gönderdi",
    doubled: (codes: string) => `iki kez eklenen ürün kodları: ${codes}`,
    violated: ({ rule, endpoint, field, count }: CountedViolation) =>
      `belirtime aykırı ${count} istek: ${[endpoint, field].filter(Boolean).join(" ")} (${rule})`,
    fault: (what: string) => `Beklenmedik: ${what}.\n`,
    report: "Bu, programın bir hatasıdır; bu çıktıyla birlikte bildirin.\n",
  },
  en: {
    nothing: "the first import added no product",
    again: "the second import sent something",
    doubled: (codes: string) => `product codes added twice: ${codes}`,
    violated: ({ rule, endpoint, field, count }: CountedViolation) =>
      `${count} calls against the specification: ${[endpoint, field].filter(Boolean).join(" ")} (${rule})`,
    fault: (what: string) => `Unexpected: ${what}.\n`,
    report: "This is a bug of the program; report it together with this output.\n",
  },
} as const;

/** A text for the faults that were found; `undefined` where there are none. */
export function describeFaults(
  sent: DemoWrites,
  seen: InspectedFaults,
  lang: Lang,
): string | undefined {
  const texts = FAULT_TEXTS[lang];
  const doubled = Object.keys(seen.doubles);
  const faults = [
    ...(sent.first.adds === 0 ? [texts.nothing] : []),
    ...(sent.second.adds + sent.second.updates > 0 ? [texts.again] : []),
    ...(doubled.length > 0 ? [texts.doubled(doubled.join(", "))] : []),
    ...seen.violations.map(texts.violated),
  ];
  if (faults.length === 0) return undefined;
  return [...faults.map(texts.fault), texts.report].join("");
}
