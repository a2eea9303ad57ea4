/**
 * The meaning of the sixteen status codes in the sandbox, and the status changes of each operation.
 */

import { type Message, Refusal } from "../http/refusal.ts";

/**
 * By code. The meanings are the sandbox's own, since the specification shows none (section Order
 * and package status).
 */
export const STATUSES: ReadonlyMap<number, Message> = new Map<number, Message>([
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

/**
 * The filter value of the specification's example for orders not yet approved (section Order and
 * package status).
 */
export const NOT_YET_APPROVED = 0;
export const AWAITING_APPROVAL = 1;

/** The Turkish text of a status; orders, comments and payments are in Turkish. */
export const explainStatus = (code: number): string => STATUSES.get(code)?.tr ?? String(code);

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

/** The status after the move; throws a refusal that names the statuses from which it is possible. */
export function statusAfter(move: Move, status: number): number {
  const { from, to } = MOVES[move];
  if (from.includes(status)) return to;
  const list = (language: keyof Message): string =>
    from.map((code) => `${code} (${STATUSES.get(code)?.[language]})`).join(", ");
  throw new Refusal({
    httpStatus: 409,
    message: {
      en: `The package has status ${status} (${STATUSES.get(status)?.en}); it must have ${list("en")}`,
      tr: `Paketin durumu ${status} (${explainStatus(status)}); beklenen durum: ${list("tr")}`,
    },
  });
}
