/** What is said of the pictures of a whole file. */

export interface PictureOutcome {
  readonly total: number;
  readonly broken: number;
  /** Broken ones that were not looked at again. */
  readonly rememberedBroken: number;
  readonly pagePath: string;
  /** Where files were looked for. */
  readonly shelf: string | undefined;
}

/** Lines for the plan, in the order to be shown. */
export function pictureWarnings(lang: "tr" | "en", outcome: PictureOutcome): readonly string[] {
  const { total, broken, rememberedBroken, pagePath, shelf } = outcome;
  const texts = TEXTS[lang];
  return [
    ...(shelf === undefined ? [] : [texts.shelf(shelf)]),
    texts.page(total, broken, pagePath),
    ...(rememberedBroken === 0 ? [] : [texts.remembered(rememberedBroken)]),
  ];
}

const TEXTS = {
  tr: {
    shelf: (name: string) => `Görsel dosyaları “${name}” içinde arandı.`,
    page: (total: number, broken: number, path: string) =>
      broken === 0
        ? `Görseller: ${total}, hepsi iyi. ${path}`
        : `Görseller: ${total}, bakılacak ${broken}. ${path}`,
    remembered: (count: number) =>
      `Az önce bozuk çıkan ${count} adrese yeniden bakılmadı; düzelttiyseniz --images-again ekleyin.`,
  },
  en: {
    shelf: (name: string) => `Picture files were looked for in “${name}”.`,
    page: (total: number, broken: number, path: string) =>
      broken === 0
        ? `Pictures: ${total}, all well. ${path}`
        : `Pictures: ${total}, to look at ${broken}. ${path}`,
    remembered: (count: number) =>
      `Addresses found broken a moment ago and not asked again: ${count}. If you corrected them, add --images-again.`,
  },
} as const;
