import { describe, expect, it } from "vitest";

import { MOVES, statusAfter, STATUSES } from "../../src/orders/orders.ts";

describe("statusAfter", () => {
  const codes = [...STATUSES.keys()];

  it.each(["postpone", "accept", "acceptReturn", "rejectReturn", "generateCode"] as const)(
    "allows %s only from its own statuses",
    (move) => {
      const { from, to } = MOVES[move];

      for (const code of codes.filter((one) => from.includes(one))) {
        expect(statusAfter(move, code)).toBe(to);
      }
      for (const code of codes.filter((one) => !from.includes(one))) {
        expect(() => statusAfter(move, code)).toThrow(`The package has status ${code} (`);
      }
    },
  );
});
