/** Replaces what differs from run to run by text of the same length, so that lines stay the same. */

import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";

import { runCatalog } from "@catalog/cli";
import { NAMED_COMMANDS } from "@catalog/i18n";
import { describe, expect, it } from "vitest";

import { assertHarmless } from "../../helpers/control-characters.ts";
import { formatFeed, readStore } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { SOURCE_PATHS, toAbsolutePath } from "../../helpers/source-paths.ts";

/** Ids of runs are numbered in the order in which they were seen. */
function createNeutralizer(): (text: string) => string {
  const runs = new Map<string, string>();
  const nameRun = (id: string): string => {
    const known = runs.get(id);
    if (known !== undefined) return known;
    const name = `r-260131-0930-${String(runs.size + 1).padStart(4, "0")}`;
    runs.set(id, name);
    return name;
  };
  return (text) =>
    text
      .replaceAll(/\br-\d{6}-\d{4}-[0-9a-f]{4}\b/gu, nameRun)
      // The commit is that of the checkout; an archive of the sources has none.
      .replaceAll(/(catalog \d[\w.-]+)(?: \([\da-f]{8}\))?, Node\s+/gu, "$1, Node ")
      // How often new products are looked for depends on how long sending takes.
      .replaceAll(
        /\d+( in all \(0 logins, )\d+( reads, [1-9])/gu,
        (_, logins: string, reads: string) => `10${logins}10${reads}`,
      )
      .replaceAll(
        /(toplam )\d+( istek \(0 oturum, )\d+( okuma, [1-9])/gu,
        (_, all: string, logins: string, reads: string) => `${all}10${logins}10${reads}`,
      )
      .replaceAll(/(127\.0\.0\.1:)\d+/gu, (_, host: string) => `${host}12345`)
      .replaceAll(/\d{2}\.\d{2}\.20\d{2}/gu, "31.01.2026")
      .replaceAll(/20\d{2}-\d{2}-\d{2}/gu, "2026-01-31")
      .replaceAll(/\b\d{2}:\d{2}(?::\d{2})?\b/gu, (time) => "09:30:00".slice(0, time.length))
      // The parts of a database are ordered by size, which is not the same everywhere.
      .replaceAll(/^(✓ (?:Boyut|Size)\s).+\n(?: {2,}.+\n)*/gmu, "$1…\n")
      .replaceAll(/\b[\d.,]+ ([KMGT]?B)(?![\p{L}])/gu, "1 $1")
      .replaceAll(/ · [\d.,]+ \p{L}+\/(?:sn|s)\b/gu, "")
      .replaceAll(
        /\b\d+(?:[.,]\d+)?( (?:sn|s|ms|saniye|seconds?))(?![\p{L}])/gu,
        (_, unit: string) => (unit === " second" ? "1 seconds" : `1${unit}`),
      );
}

/* Runs command lines as in a terminal of some width, and keeps what a person sees. */

interface ScreenOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly columns: number;
  readonly lang: "tr" | "en";
}

/** One command line, as it was typed and answered. */
interface Screen {
  /** Output and messages in the order in which they were written. */
  readonly text: string;
  readonly code: number;
}

/**
 * Runs one command line. Lines are not redrawn, so that the progress leaves one line for each
 * step.
 */
async function captureScreen(
  args: readonly string[],
  { env, cwd, columns, lang }: ScreenOptions,
): Promise<Screen> {
  let text = "";
  const stop = new AbortController();
  const createScreen = (): Writable & { isTTY: boolean; columns: number } =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _encoding, done) {
          text += chunk.toString();
          // It would run until a person ends it.
          if (args[0] === "sandbox") stop.abort();
          done();
        },
      }),
      { isTTY: true, columns },
    );
  const code = await runCatalog({
    argv: args,
    entry: toAbsolutePath(SOURCE_PATHS.cliMain),
    cwd,
    program: "npx catalog-toolkit",
    env: { HOME: cwd, TERM: "dumb", CATALOG_LANG: lang, ...env },
    execArgv: [],
    loginFolder: join(cwd, ".config", "catalog-toolkit"),
    stdin: Readable.from([]),
    stdout: createScreen(),
    stderr: createScreen(),
    stop: stop.signal,
  });
  assertHarmless(args, { out: text, err: "" });
  return { text, code };
}

/* A day with the program: every command, its questions, its refusals and its mistakes. */

const SAMPLE = fileURLToPath(new URL("../../../templates/ornek-katalog.xlsx", import.meta.url));

type Look = Pick<ScreenOptions, "columns" | "lang">;

/** Plays the day and returns its screens, one after the other. */
async function playScenario(look: Look): Promise<string> {
  const shop = await openTestStore({
    products: 40,
    breaks: { "unknown-path": "doctor looks whether the address answers" },
  });
  const { folder: cwd, env, sandbox } = shop;
  const neutral = createNeutralizer();
  const screens: string[] = [];
  const runs: string[] = [];
  const type = async (
    line: string,
    given: Readonly<Record<string, string>> = env,
  ): Promise<void> => {
    const words = (line.match(/"[^"]*"|\S+/gu) ?? []).map((word) => word.replaceAll('"', ""));
    const args = words.map((word) =>
      word.replace(/^@(\d+)$/u, (_, at) => runs.at(Number(at) - 1) ?? ""),
    );
    const { text, code } = await captureScreen(args, { ...look, env: given, cwd });
    const [, run] = /^(?:Çalıştırma|Run) +(r-\d{6}-\d{4}-[0-9a-f]{4})$/mu.exec(text) ?? [];
    if (run !== undefined && !runs.includes(run)) runs.push(run);
    screens.push(neutral(`$ catalog ${args.join(" ")}\n${text.trimEnd()}\n[${code}]\n`));
  };
  writeFiles(cwd, readStore(sandbox));

  for (const line of WITHOUT_STORE) await type(line, { CATALOG_HOME: join(cwd, "empty") });
  for (const line of WITH_STORE) await type(line);
  return screens.join("\n");
}

function writeFiles(folder: string, store: ReturnType<typeof readStore>): void {
  copyFileSync(SAMPLE, join(folder, "urunler.xlsx"));
  const [one, two, three, four] = store;
  if (one === undefined || two === undefined || three === undefined || four === undefined) {
    throw new Error("the store is empty");
  }
  const changed = [
    { ...one, priceMinor: one.priceMinor + 500 },
    { ...two, priceMinor: Math.round(two.priceMinor / 10) },
    { ...three, stock: three.stock + 3 },
    four,
  ];
  writeFileSync(join(folder, "fiyat.csv"), formatFeed(changed));
  writeFileSync(join(folder, "eski.csv"), formatFeed([{ ...one }]));
  writeFileSync(join(folder, "besleme.csv"), formatFeed([...changed.slice(1), ...store.slice(4)]));
  writeFileSync(
    join(folder, "yabanci.csv"),
    formatFeed([...store, { code: "YOK-1", stock: 5, priceMinor: 100 }]),
  );
  writeFileSync(join(folder, "kodsuz.csv"), "Ürün Adı;Satış Fiyatı\r\nKaşık;10,00\r\n");
  writeFileSync(
    join(folder, "panel.csv"),
    "Sku;Ürün İsmi;Fiyat;Renk Kodu;Depo\r\nA-1;Kaşık;12,50;K1;Ana\r\n",
  );
}

const WITHOUT_STORE: readonly string[] = [
  "",
  "plan urunler.xlsx",
  "login --status",
  "doctor",
  "runs",
  "imprt urunler.xlsx",
  "import",
  "import urunler.xlsx --yess --canary --mode sil",
  "export stock",
  "explain r-260131-0930-4f2a",
  "lookup markalar",
  "completion fish",
  "sandbox --fault error-before:status=400",
  "sandbox",
  "template",
  "template",
  "trust ayar.json",
];

const WITH_STORE: readonly string[] = [
  "doctor",
  "login --status",
  'template --category "yok böyle" --out a.xlsx',
  "lookup categories",
  "lookup categories aksesuar",
  'lookup categories "yok böyle"',
  "lookup brands bosh",
  "lookup templates",
  "lookup cities kadikoy",
  "rules",
  "rules add brand Bosh YokBöyleMarka",
  'rules default "Teslimat Şablonu" "Standart Teslimat"',
  "rules",
  "plan yok.xlsx",
  "plan panel.csv",
  "plan panel.csv --show-columns",
  "plan urunler.xlsx --concurrency 1",
  "import urunler.xlsx",
  "import urunler.xlsx --yes --concurrency 1",
  "import urunler.xlsx --yes --strict",
  "apply @4",
  "resume @4",
  "retry @4 --yes",
  "undo @4 --yes",
  "plan fiyat.csv --price-unit minor --mode update",
  "explain @6 2",
  "apply @6",
  "apply @6",
  "resume @6",
  "release @6",
  "release @6 --rows 3 --yes",
  "release @6 --rows 3 --cancel --yes",
  "release @6",
  "explain @6 2",
  "explain @6 3",
  "explain @4 5",
  "explain @6 99",
  "report @6",
  "undo @6 --yes",
  "undo @6 --yes",
  "runs",
  "runs @6",
  "runs r-260131-0930-beef",
  "runs prune --dry-run",
  "sync besleme.csv",
  "sync besleme.csv --price-unit minor",
  "sync besleme.csv",
  "sync yabanci.csv",
  "sync kodsuz.csv",
  "sync yok.csv",
  "export products --out urunler-disa.csv",
  "export products --out urunler-disa.csv",
  "export products --columns foo --out b.csv",
  "export orders --out siparisler.csv",
  "export orders --since last --out siparisler-2.csv",
  "export comments --out yorumlar.csv",
  "export questions --out sorular.csv",
  "export payments --out odemeler.csv",
  "runs",
  "rules",
];

/** Words of a command line that show the help of a command. */
async function showHelp(names: readonly string[], look: Look): Promise<string> {
  const screens: string[] = [];
  for (const name of names) {
    const line = [...name.split(" "), "--help"];
    const { text } = await captureScreen(line, { ...look, env: {}, cwd: "/" });
    screens.push(`$ catalog ${line.join(" ")}\n${text.trimEnd()}\n`);
  }
  return screens.join("\n");
}

const looks = (["tr", "en"] as const).flatMap((lang) =>
  [60, 80, 120].map((columns) => ({ lang, columns })),
);

/**
 * Every command of the day in each language and at each width. What depends on both is how a text
 * is wrapped, of which the help below has more than the day.
 */
const DAYS = [
  { lang: "tr", columns: 60 },
  { lang: "en", columns: 80 },
  { lang: "tr", columns: 120 },
] as const;

const KINDS = ["products", "comments", "orders", "questions", "payments"];

describe("what a person reads", () => {
  it.each(DAYS)("on a day with the program in $lang at $columns columns", async (look) => {
    const text = await playScenario(look);

    // No command of the day may end as a failure of the program, in whatever words.
    expect(text).not.toMatch(/^\[1\]$/mu);
    await expect(text).toMatchFileSnapshot(`golden/day.${look.lang}.${look.columns}.txt`);
  });

  it.each(looks)("as help in $lang at $columns columns", async (look) => {
    const names = NAMED_COMMANDS.filter((name) => name !== "help");
    const text = await showHelp([...names, ...KINDS.map((kind) => `export ${kind}`)], look);

    await expect(text).toMatchFileSnapshot(`golden/help.${look.lang}.${look.columns}.txt`);
  });
});
