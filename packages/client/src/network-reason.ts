/** Why no answer came, in words for people. */

import type { Localized } from "@catalog/i18n";

const REASONS: readonly (readonly [code: RegExp, reason: Localized])[] = [
  [/^(?:ENOTFOUND|EAI_NONAME)$/u, { tr: "bu adda bir sunucu bulunamadı", en: "name not found" }],
  [
    /^EAI_/u,
    {
      tr: "sunucunun adı sorulamadı, internet bağlantısı olmayabilir",
      en: "the name could not be looked up, perhaps without a connection to the internet",
    },
  ],
  [/^ECONNREFUSED$/u, { tr: "bağlantı reddedildi", en: "connection refused" }],
  [/^(?:ECONNRESET|EPIPE)$|SOCKET$/u, { tr: "bağlantı koptu", en: "connection lost" }],
  [/TIMEDOUT$|TIMEOUT$/u, { tr: "süresinde yanıt gelmedi", en: "timed out" }],
  [/UNREACH$|^ENETDOWN$/u, { tr: "ağa ulaşılamıyor", en: "network unreachable" }],
  [/CERT|^UNABLE_TO_/u, { tr: "güvenlik sertifikası geçersiz", en: "invalid certificate" }],
  [
    /^EPROTO$|^ERR_(?:SSL|TLS)_/u,
    { tr: "güvenli bağlantı kurulamadı", en: "no secure connection could be made" },
  ],
];

/**
 * Describes a code of the system or of a library, such as `ECONNREFUSED`. The code follows the
 * words, for a search; one without words stands alone.
 */
export function describeNetworkCode(code: string): Localized {
  const [, reason] = REASONS.find(([pattern]) => pattern.test(code)) ?? [];
  if (reason === undefined) return { tr: code, en: code };
  return { tr: `${reason.tr}, ${code}`, en: `${reason.en}, ${code}` };
}
