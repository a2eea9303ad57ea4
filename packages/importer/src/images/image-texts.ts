/** Warnings about the images of a whole file. */

import { describeBroken } from "@catalog/images";
import type { RunWarning } from "@catalog/runs";

export interface ImageOutcome {
  readonly total: number;
  readonly broken: number;
  /** Broken images that were not checked again. */
  readonly rememberedBroken: number;
  readonly pagePath: string;
  /** Folder or zip in which files were searched. */
  readonly source: string | undefined;
  readonly isGone: boolean;
  /** Rows whose images stay as they were sent before. */
  readonly reused: number;
}

/** Warnings for the plan, in the order of display. */
export function imageWarnings(outcome: ImageOutcome): readonly RunWarning[] {
  const { total, rememberedBroken, source, isGone } = outcome;
  const asked = total + outcome.reused > 0;
  return [
    ...(asked && source !== undefined && !isGone ? [searchedIn(source)] : []),
    ...(asked && source !== undefined && isGone ? [gone(source, outcome.reused)] : []),
    ...(total > 0 ? [seeThePage(outcome)] : []),
    ...(rememberedBroken > 0 ? [remembered(rememberedBroken)] : []),
  ];
}

const searchedIn = (name: string): RunWarning => ({
  code: "W_IMAGES_SOURCE",
  message: {
    tr: `Görsel dosyaları “${name}” içinde arandı.`,
    en: `Image files were looked for in “${name}”.`,
  },
});

const gone = (name: string, reused: number): RunWarning => ({
  code: "W_IMAGES_GONE",
  message: {
    tr: `“${name}” artık yerinde yok. Görselleri önceki gönderimdeki gibi kalan satır: ${reused}. Dosyalara yeniden bakılması için --images-dir ile yerini gösterin.`,
    en: `“${name}” is no longer there. Rows whose images stay as they were sent before: ${reused}. To have the files checked again, say where they are with --images-dir.`,
  },
});

function seeThePage({ total, broken, pagePath }: ImageOutcome): RunWarning {
  const found = describeBroken(total, broken);
  return {
    code: "W_IMAGES_PAGE",
    message: {
      tr: `${found.tr} Görselleri şu sayfada görebilirsiniz: ${pagePath}`,
      en: `${found.en} This page shows them: ${pagePath}`,
    },
  };
}

const remembered = (count: number): RunWarning => ({
  code: "W_IMAGES_REMEMBERED",
  message: {
    tr: `Az önce bozuk çıkan ${count} adrese yeniden bakılmadı; düzelttiyseniz --images-again ekleyin.`,
    en: `Addresses found broken a moment ago and not asked again: ${count}. If you corrected them, add --images-again.`,
  },
});
