/** The limits on files as settings: what each of them means, and the values that it can have. */

import type { Localized } from "@catalog/i18n";
import type { DownloadLimits, ImageLimits } from "@catalog/images";
import type { ReadLimits } from "@catalog/sheets";
import * as z from "zod";

/** The limits of all kinds of files, by name. */
export interface LimitSettings extends ReadLimits, DownloadLimits, ImageLimits {}

export type LimitName = keyof LimitSettings;

/** One limit; `docs/limits.md` shows it. */
export interface LimitSetting {
  readonly min: number;
  readonly max: number;
  readonly means: Localized;
}

/** Every limit, in the order of `docs/limits.md`. */
export const LIMIT_SETTINGS: Readonly<Record<LimitName, LimitSetting>> = {
  rows: {
    min: 1,
    max: 100_000_000,
    means: { tr: "bir dosyadaki veri satırı", en: "data rows of a file" },
  },
  columns: { min: 1, max: 16_384, means: { tr: "sütun", en: "columns" } },
  cellChars: {
    min: 1,
    max: 10_000_000,
    means: { tr: "bir hücredeki karakter", en: "characters of a cell" },
  },
  recordChars: {
    min: 1000,
    max: 100_000_000,
    means: { tr: "bir CSV satırındaki karakter", en: "characters of a CSV row" },
  },
  fileMb: { min: 1, max: 1_048_576, means: { tr: "dosyanın boyu, MB", en: "size of a file, MB" } },
  jsonMb: {
    min: 1,
    max: 500,
    means: { tr: "JSON beslemesi, MB", en: "size of a JSON feed, MB" },
  },
  unpackedMb: {
    min: 1,
    max: 1_048_576,
    means: {
      tr: "Excel ya da ODS dosyasının açılmış boyu, MB",
      en: "size of a workbook once unpacked, MB",
    },
  },
  zipEntries: {
    min: 10,
    max: 65_535,
    means: { tr: "Excel ya da ODS dosyasındaki parça", en: "parts of a workbook" },
  },
  zipRatio: {
    min: 10,
    max: 10_000,
    means: { tr: "bir parçanın sıkıştırma oranı", en: "compression ratio of a part" },
  },
  readerHeapMb: {
    min: 64,
    max: 65_536,
    means: {
      tr: "Excel ve ODS okuyan işlemin yığın belleği, MB",
      en: "heap of the process that reads workbooks, MB",
    },
  },
  readerRssMb: {
    min: 128,
    max: 65_536,
    means: { tr: "o işlemin bütün belleği, MB", en: "all memory of that process, MB" },
  },
  readerSeconds: {
    min: 1,
    max: 86_400,
    means: {
      tr: "o işlemin süresi, dosyanın her 10 MB'ı için saniye",
      en: "time of that process, seconds for every 10 MB of the file",
    },
  },
  downloadMb: {
    min: 1,
    max: 1_048_576,
    means: {
      tr: "bağlantıdan indirilen tablo ya da besleme, MB",
      en: "size of a table or feed that is downloaded, MB",
    },
  },
  downloadSeconds: {
    min: 1,
    max: 86_400,
    means: { tr: "onun indirilme süresi, saniye", en: "time of its download, seconds" },
  },
  imageMb: {
    min: 1,
    max: 2000,
    means: {
      tr: "klasördeki ya da zip içindeki görsel, MB",
      en: "size of an image in a folder or zip, MB",
    },
  },
  imageDownloadMb: {
    min: 1,
    max: 2000,
    means: { tr: "adresten indirilen görsel, MB", en: "size of an image at an address, MB" },
  },
  imageDownloadSeconds: {
    min: 1,
    max: 3600,
    means: { tr: "onun indirilme süresi, saniye", en: "time of its download, seconds" },
  },
  imageMegapixels: {
    min: 1,
    max: 1000,
    means: { tr: "açılan görsel, milyon piksel", en: "pixels of an image, millions" },
  },
  imageZipEntries: {
    min: 1,
    max: 5_000_000,
    means: { tr: "görsel zip'indeki dosya", en: "files of a zip of images" },
  },
  imageZipRatio: {
    min: 2,
    max: 10_000,
    means: {
      tr: "zip içindeki bir görselin sıkıştırma oranı",
      en: "compression ratio of an image in a zip",
    },
  },
  decoderHeapMb: {
    min: 64,
    max: 65_536,
    means: {
      tr: "görsel açan işlemin yığın belleği, MB",
      en: "heap of a process that decodes images, MB",
    },
  },
  decoderSeconds: {
    min: 1,
    max: 3600,
    means: { tr: "bir görselin açılma süresi, saniye", en: "time to decode an image, seconds" },
  },
};

const limit = (name: LimitName): z.ZodExactOptional<z.ZodInt> => {
  const { min, max } = LIMIT_SETTINGS[name];
  return z.int().min(min).max(max).exactOptional();
};

/** The limits of the configuration file; a missing one keeps its default. */
export const limitsSchema: z.ZodType<Partial<LimitSettings>> = z.strictObject({
  rows: limit("rows"),
  columns: limit("columns"),
  cellChars: limit("cellChars"),
  recordChars: limit("recordChars"),
  fileMb: limit("fileMb"),
  jsonMb: limit("jsonMb"),
  unpackedMb: limit("unpackedMb"),
  zipEntries: limit("zipEntries"),
  zipRatio: limit("zipRatio"),
  readerHeapMb: limit("readerHeapMb"),
  readerRssMb: limit("readerRssMb"),
  readerSeconds: limit("readerSeconds"),
  downloadMb: limit("downloadMb"),
  downloadSeconds: limit("downloadSeconds"),
  imageMb: limit("imageMb"),
  imageDownloadMb: limit("imageDownloadMb"),
  imageDownloadSeconds: limit("imageDownloadSeconds"),
  imageMegapixels: limit("imageMegapixels"),
  imageZipEntries: limit("imageZipEntries"),
  imageZipRatio: limit("imageZipRatio"),
  decoderHeapMb: limit("decoderHeapMb"),
  decoderSeconds: limit("decoderSeconds"),
});
