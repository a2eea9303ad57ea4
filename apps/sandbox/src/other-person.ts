/** Another person of the store, who answers a question or moves a package without a call. */

import { idSchemas } from "@catalog/contract";
import * as z from "zod";

import type { Behavior } from "./behavior/behavior-settings.ts";
import { pickNumber } from "./catalog/names.ts";
import type { Orders } from "./orders/orders.ts";
import { type Move, MOVES } from "./orders/statuses.ts";
import type { Questions } from "./questions.ts";
import { COMPANIES } from "./shipping.ts";

/** Something that another person does, as `POST /_sandbox/act` takes it. */
export type OtherAction =
  | { readonly question: string; readonly message?: string | undefined }
  | { readonly package: string; readonly move: Move };

const moves = z.custom<Move>((move) => typeof move === "string" && Object.hasOwn(MOVES, move));

export const otherAction: z.ZodType<OtherAction> = z.union([
  z.strictObject({ question: z.string(), message: z.string().min(1).optional() }),
  z.strictObject({ package: z.string(), move: moves }),
]);

export interface OtherPerson {
  /** Does it. Throws a refusal where a caller would get one. */
  act(action: OtherAction): void;
  /** A caller is about to do this; with `other-person` the other person may be first. */
  meet(action: OtherAction): void;
}

interface OtherPersonOptions {
  readonly behavior: Behavior;
  readonly seed: string;
  readonly orders: Orders;
  readonly questions: Questions;
}

const ANSWER = "Merhaba, ekibimiz size telefonla ulaştı.";

/** A person who postpones nothing and lets every buyer send goods back. */
const INSTEAD: Readonly<Record<Move, Move>> = {
  postpone: "accept",
  accept: "accept",
  acceptReturn: "acceptReturn",
  rejectReturn: "acceptReturn",
  generateCode: "generateCode",
};

const SHARES: Readonly<Record<Behavior["other-person"], number>> = {
  nobody: 0,
  "a-tenth": 1,
  all: 10,
};
const TENTHS = 10;

export function createOtherPerson(options: OtherPersonOptions): OtherPerson {
  const { behavior, seed, orders, questions } = options;
  const share = SHARES[behavior["other-person"]];
  const act = (action: OtherAction): void => {
    if ("question" in action) {
      const { question, message = ANSWER } = action;
      const product_question_id = idSchemas.question.parse(question);
      questions.reply({ product_question_id, message }, "other");
    } else if (action.move === "generateCode") {
      orders.generateCode(action.package, COMPANIES[0]?.name ?? "", "other");
    } else orders.move(action.package, action.move, "other");
  };
  /** Whether nobody did it yet; a question or package that does not exist is not open either. */
  const isOpen = (action: OtherAction): boolean => {
    if ("question" in action) {
      const found = questions.find(action.question);
      return found?.answers.length === 0;
    }
    const { status } = orders.package(action.package);
    const { from, to } = MOVES[INSTEAD[action.move]];
    return from.includes(status) && status !== to;
  };

  return {
    act,
    meet(action) {
      const subject = "question" in action ? action.question : action.package;
      if (pickNumber(TENTHS, "other person", seed, subject) >= share) return;
      if (!isOpen(action)) return;
      act("question" in action ? action : { ...action, move: INSTEAD[action.move] });
    },
  };
}
