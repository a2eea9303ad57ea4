import type { Localized } from "@catalog/i18n";
import type { ReadPlatform } from "@catalog/mapping";

/** One line about the platform whose profile a file is read with; none without a platform. */
export function describePlatform(platform: ReadPlatform | undefined): readonly Localized[] {
  if (platform === undefined) return [];
  const { label, isGiven } = platform;
  if (isGiven) return [{ tr: `Platform: ${label}.`, en: `Platform: ${label}.` }];
  return [
    {
      tr: `Platform: ${label} (başlıklardan anlaşıldı). Değilse --platform none verin.`,
      en: `Platform: ${label} (recognised by the headers). If it is not, give --platform none.`,
    },
  ];
}
