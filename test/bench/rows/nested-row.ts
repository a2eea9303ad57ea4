/** Row 5: XML and JSON of any size as rows, against the parser of XML alone, and with flat memory. */

import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { finished } from "node:stream/promises";

import {
  type Bench,
  compareCases,
  type Figure,
  memory,
  type MeasureRow,
  runCase,
  seconds,
  sized,
} from "../bench-tools.ts";
import type { CaseCost } from "../case-report.ts";

const MB = 1024 * 1024;
const FULL_MB = 500;
const TEXT = "Uzun açıklama metni burada. ".repeat(10);

/** How a document begins, a product in it, and how it ends. */
interface Form {
  readonly name: string;
  readonly start: string;
  readonly product: (at: number) => string;
  readonly end: string;
}

const XML: Form = {
  name: "urunler.xml",
  start: '<?xml version="1.0" encoding="UTF-8"?>\n<Urunler>\n',
  product: (at) =>
    `  <Urun id="${at}">\n    <StokKodu>SKU-${at}</StokKodu>\n    <UrunAdi><![CDATA[Çelik Tencere & Kapak ${at}]]></UrunAdi>\n    <Kategori>Ev &amp; Mutfak &gt; Tencere</Kategori>\n    <Fiyat>${at % 1_000},90</Fiyat>\n    <Stok>${at % 50}</Stok>\n    <Aciklama>${TEXT}</Aciklama>\n    <Resimler>\n      <Resim>https://example.com/${at}_1.jpg</Resim>\n      <Resim>https://example.com/${at}_2.jpg</Resim>\n    </Resimler>\n  </Urun>\n`,
  end: "</Urunler>\n",
};

const JSON_LINES: Form = {
  name: "urunler.ndjson",
  start: "",
  product: (at) =>
    `${JSON.stringify({ id: at, kod: `SKU-${at}`, ad: `Çelik Tencere ${at}`, fiyat: at % 1_000, aciklama: TEXT, resimler: [`https://example.com/${at}_1.jpg`, `https://example.com/${at}_2.jpg`] })}\n`,
  end: "",
};

async function write(bench: Bench, { name, start, product, end }: Form): Promise<string> {
  const path = join(bench.folder, name);
  const file = createWriteStream(path);
  let bytes = 0;
  file.write(start);
  for (let at = 1; bytes < sized(bench, FULL_MB) * MB; at += 1) {
    const text = product(at);
    bytes += text.length;
    if (!file.write(text)) await once(file, "drain");
  }
  file.end(end);
  await finished(file);
  return path;
}

const shown = ({ cpuMs, ms, counts }: CaseCost): string =>
  `CPU ${seconds(cpuMs)}, ${seconds(ms)} for ${counts["rows"]} rows`;

export const measureNested: MeasureRow = async (bench): Promise<readonly Figure[]> => {
  const size = `${sized(bench, FULL_MB)} MB`;
  const path = await write(bench, XML);
  const { ours, saxes } = await compareCases(bench, {
    ours: () => runCase(bench, ["nested", "ours", path]),
    saxes: () => runCase(bench, ["nested", "saxes", path]),
  });
  const lines = await runCase(bench, ["nested", "ours", await write(bench, JSON_LINES)]);
  return [
    {
      row: 5,
      what: `${size} of XML read twice, for its columns and for its rows`,
      ours: shown(ours),
      peer: `saxes, read once, CPU ${seconds(saxes.cpuMs)}, ${saxes.counts["rows"]} rows`,
      value: ours.cpuMs / saxes.cpuMs,
      limit: 5,
      unit: "x",
    },
    memory(5, `${size} of XML`, [ours.peakMb, 250]),
    memory(5, `${size} of lines of JSON, ${shown(lines)}`, [lines.peakMb, 250]),
  ];
};
