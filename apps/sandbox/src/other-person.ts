/**
 * Another person of the store, who answers a question, moves a package or saves a shipping template
 * without a call.
 */

import { endpoints, idSchemas, type InputOf } from "@catalog/contract";
import * as z from "zod";

import type { Behavior } from "./behavior/behavior-settings.ts";
import { pickNumber } from "./catalog/names.ts";
import type { EffectLog } from "./effects.ts";
import type { Orders } from "./orders/orders.ts";
import { type Move, MOVES } from "./orders/statuses.ts";
import type { Questions } from "./questions.ts";
import { COMPANIES, type Templates } from "./shipping.ts";

/** Something that another person does, as `POST /_sandbox/act` takes it. */
export type OtherAction =
  | { readonly question: string; readonly message?: string | undefined }
  | { readonly package: string; readonly move: Move }
  | { readonly template: InputOf<"shippingTemplate.update"> }
  | { readonly newTemplate: InputOf<"shippingTemplate.create"> };

const moves = z.custom<Move>((move) => typeof move === "string" && Object.hasOwn(MOVES, move));

export const otherAction: z.ZodType<OtherAction> = z.union([
  z.strictObject({ question: z.string(), message: z.string().min(1).optional() }),
  z.strictObject({ package: z.string(), move: moves }),
  z.strictObject({ template: endpoints.shippingTemplate.update.input }),
  z.strictObject({ newTemplate: endpoints.shippingTemplate.create.input }),
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
  readonly templates: Templates;
  readonly effects: EffectLog;
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
  const { behavior, seed, orders, questions, templates } = options;
  const share = SHARES[behavior["other-person"]];
  const act = (action: OtherAction): void => {
    if ("question" in action) {
      const { question, message = ANSWER } = action;
      const product_question_id = idSchemas.question.parse(question);
      questions.reply({ product_question_id, message }, "other");
    } else if ("template" in action) templates.update(action.template, "other");
    else if ("newTemplate" in action) templates.create(action.newTemplate, "other");
    else if (action.move === "generateCode") {
      orders.generateCode(action.package, COMPANIES[0]?.name ?? "", "other");
    } else orders.move(action.package, action.move, "other");
  };

  return {
    act,
    meet(action) {
      if (pickNumber(TENTHS, "other person", seed, subjectOf(action)) >= share) return;
      if (!isOpen(action, options)) return;
      act(toInstead(action, templates));
    },
  };
}

function subjectOf(action: OtherAction): string {
  if ("question" in action) return action.question;
  if ("package" in action) return action.package;
  return "template" in action
    ? action.template.shipping_template_id
    : action.newTemplate.template_name;
}

/** Whether nobody did it yet; what does not exist is not open either. */
function isOpen(
  action: OtherAction,
  { orders, questions, templates, effects }: OtherPersonOptions,
): boolean {
  if ("question" in action) return questions.find(action.question)?.answers.length === 0;
  if ("package" in action) {
    const { status } = orders.package(action.package);
    const { from, to } = MOVES[INSTEAD[action.move]];
    return from.includes(status) && status !== to;
  }
  if ("newTemplate" in action) {
    const name = action.newTemplate.template_name;
    return !templates.list().some(({ template_name }) => template_name === name);
  }
  const { shipping_template_id: id } = action.template;
  const { "shippingTemplate.update": edited = {} } = effects.read().otherPersonEffects;
  return edited[id] === undefined && templates.list().some((template) => template.id === id);
}

/** What the other person does where a caller is about to do this. */
function toInstead(action: OtherAction, templates: Templates): OtherAction {
  if ("package" in action) return { ...action, move: INSTEAD[action.move] };
  if (!("template" in action)) return action;
  const { shipping_template_id } = action.template;
  const before = templates.list().find(({ id }) => id === shipping_template_id);
  return { template: { shipping_template_id, shipping_time: (before?.shipping_time ?? 0) + 1 } };
}
