/**
 * The statuses of packages, the moves between them, and what a personality calls them: the
 * specification shows neither (section Order and package status).
 */

import type { DataOf } from "@catalog/contract";
import type { Localized } from "@catalog/i18n";

import type { Behavior } from "../behavior/behavior-settings.ts";
import { Refusal } from "../http/answers.ts";

/** By code. The meanings are the sandbox's own. */
export const STATUSES: ReadonlyMap<number, Localized> = new Map<number, Localized>([
  [1, { en: "Awaiting approval", tr: "Onay bekliyor" }],
  [2, { en: "Postponed", tr: "Ertelendi" }],
  [3, { en: "Accepted", tr: "Onaylandı" }],
  [4, { en: "Being prepared", tr: "Hazırlanıyor" }],
  [5, { en: "Shipping code generated", tr: "Kargo kodu oluşturuldu" }],
  [6, { en: "Shipped", tr: "Kargoya verildi" }],
  [7, { en: "Out for delivery", tr: "Dağıtımda" }],
  [8, { en: "Delivered", tr: "Teslim edildi" }],
  [9, { en: "Completed", tr: "Tamamlandı" }],
  [10, { en: "Not delivered", tr: "Teslim edilemedi" }],
  [11, { en: "Cancelled by the buyer", tr: "Alıcı iptal etti" }],
  [12, { en: "Cancelled by the platform", tr: "Platform iptal etti" }],
  [13, { en: "Return requested", tr: "İade istendi" }],
  [14, { en: "Return accepted", tr: "İade onaylandı" }],
  [15, { en: "Return rejected", tr: "İade reddedildi" }],
  [16, { en: "Refunded", tr: "İade tamamlandı" }],
]);

/** The words of `status-codes=other-words` for the same statuses; two of them are alike. */
const OTHER_WORDS: ReadonlyMap<number, string> = new Map([
  [1, "Yeni sipariş"],
  [2, "Beklemede"],
  [3, "Mağaza onayladı"],
  [4, "Paketleniyor"],
  [5, "Kargo bekleniyor"],
  [6, "Yolda"],
  [7, "Yolda"],
  [8, "Alıcıya ulaştı"],
  [9, "Sipariş kapandı"],
  [10, "Geri dönüyor"],
  [11, "İptal (alıcı)"],
  [12, "İptal (sistem)"],
  [13, "İade talebi var"],
  [14, "İade kabul edildi"],
  [15, "İade talebi geri çevrildi"],
  [16, "Para iadesi yapıldı"],
]);

/** Statuses as a personality numbers and words them; all other code knows the sandbox's own. */
export interface StatusCodes {
  readonly list: () => DataOf<"order.statusCodes">;
  /** The number and the Turkish words of a status of the sandbox. */
  readonly show: (own: number) => ShownStatus;
  /** The sandbox's own status for a filter of the listing. */
  readonly fromFilter: (shown: number) => number;
}

interface ShownStatus {
  readonly code: number;
  readonly words: string | undefined;
}

/**
 * The filter value of the specification's example for orders not yet approved (section Order and
 * package status).
 */
const NOT_YET_APPROVED = 0;
export const AWAITING_APPROVAL = 1;

export function createStatusCodes(kind: Behavior["status-codes"]): StatusCodes {
  // The sum of a code and its mirror image; mirroring twice gives the code.
  const sum = STATUSES.size + 1;
  const isRenumbered = kind === "other-numbers" || kind === "other-words";
  const mirror = (code: number): number => (isRenumbered ? sum - code : code);
  const show = (own: number): ShownStatus => ({ code: mirror(own), words: wordsOf(own, kind) });
  return {
    list: () =>
      [...STATUSES.keys()]
        .map((own) => show(own))
        .toSorted((a, b) => a.code - b.code)
        .map(({ code, words }) => (words === undefined ? { code } : { code, description: words })),
    show,
    fromFilter: (shown) => (shown === NOT_YET_APPROVED ? AWAITING_APPROVAL : mirror(shown)),
  };
}

function wordsOf(own: number, kind: Behavior["status-codes"]): string | undefined {
  if (kind === "no-words") return undefined;
  return kind === "other-words" ? OTHER_WORDS.get(own) : STATUSES.get(own)?.tr;
}

export type Move = "postpone" | "accept" | "acceptReturn" | "rejectReturn" | "generateCode";

interface MoveRule {
  readonly from: readonly number[];
  readonly to: number;
}

export const MOVES: Readonly<Record<Move, MoveRule>> = {
  postpone: { from: [1], to: 2 },
  accept: { from: [1, 2], to: 3 },
  acceptReturn: { from: [13], to: 14 },
  rejectReturn: { from: [13], to: 15 },
  generateCode: { from: [3, 4, 5], to: 5 },
};

/** Turkish words for a move that was made, by which `move-answer=turkish` answers. */
export const MOVE_WORDS: Readonly<Record<Exclude<Move, "generateCode">, string>> = {
  postpone: "Sipariş ertelendi",
  accept: "Sipariş onaylandı",
  acceptReturn: "İade talebi onaylandı",
  rejectReturn: "İade talebi reddedildi",
};

/** The status after the move; throws a refusal that names the statuses from which it is possible. */
export function statusAfter(
  move: Move,
  status: number,
  codes: StatusCodes = createStatusCodes("sandbox"),
): number {
  const { from, to } = MOVES[move];
  if (from.includes(status)) return to;
  const name = (own: number, language: keyof Localized): string => {
    const { code, words } = codes.show(own);
    const text = language === "tr" ? words : STATUSES.get(own)?.en;
    return words === undefined ? String(code) : `${code} (${text})`;
  };
  const list = (language: keyof Localized): string =>
    from.map((own) => name(own, language)).join(", ");
  throw new Refusal({
    httpStatus: 409,
    reason: "wrong-move",
    message: {
      en: `The package has status ${name(status, "en")}; it must have ${list("en")}`,
      tr: `Paketin durumu ${name(status, "tr")}; beklenen durum: ${list("tr")}`,
    },
  });
}
