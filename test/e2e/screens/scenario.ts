/** A day with the program: every command, its questions, its refusals and its mistakes. */

import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { formatFeed, readStore } from "../../helpers/feed.ts";
import { openTestStore } from "../../helpers/markets/test-store.ts";
import { captureScreen, type ScreenOptions } from "./capture-screen.ts";
import { createNeutralizer } from "./neutral-text.ts";

const SAMPLE = fileURLToPath(new URL("../../../templates/ornek-katalog.xlsx", import.meta.url));

export type Look = Pick<ScreenOptions, "columns" | "lang">;

/** Plays the day and returns its screens, one after the other. */
export async function playScenario(look: Look): Promise<string> {
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
export async function showHelp(names: readonly string[], look: Look): Promise<string> {
  const screens: string[] = [];
  for (const name of names) {
    const line = [...name.split(" "), "--help"];
    const { text } = await captureScreen(line, { ...look, env: {}, cwd: "/" });
    screens.push(`$ catalog ${line.join(" ")}\n${text.trimEnd()}\n`);
  }
  return screens.join("\n");
}
