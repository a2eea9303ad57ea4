/** Questions and payment records. */

import { endpoints, MAX_PAGE_SIZE, type Payment, type Question } from "@catalog/contract";
import type { PriceUnit } from "@catalog/runs";

import { withUnit } from "../columns/amount-columns.ts";
import { maskName } from "../columns/mask-name.ts";
import { PAYMENT_COLUMNS, QUESTION_COLUMNS } from "../columns/record-columns.ts";
import { readListings } from "../read-listings.ts";
import type { StagedItem } from "../staging.ts";
import { readTimestamp } from "../timestamps.ts";
import {
  createListing,
  parseFilters,
  type Source,
  type SourceContext,
  startDate,
} from "./source.ts";

/** A row for each question. */
export function createQuestionSource(context: SourceContext): Source<Question> {
  const { client, filters, since, signal, withNames } = context;
  const query = parseFilters(endpoints.question.list, filters);
  const listing = createListing({
    name: "questions",
    pageSize: MAX_PAGE_SIZE,
    query: {
      ...query,
      start_date: startDate(since, query.start_date),
      sort_by_date: "ascending" as const,
    },
    list: client.question.list,
    toItem(question: Question): StagedItem {
      const { id, full_name: name } = question;
      const shown = withNames || !name ? name : maskName(name);
      return { id, rank: 0, item: { ...question, full_name: shown } };
    },
    signal,
  });
  return {
    read: () => readListings({ listings: [listing], ...context }),
    columns: async () => QUESTION_COLUMNS,
    timestampOf: ({ created_at }) => readTimestamp(created_at),
  };
}

/** A row for each payment record; the specification does not state their order. */
export function createPaymentSource(context: SourceContext, priceUnit: PriceUnit): Source<Payment> {
  const { client, filters, since, signal, withNames } = context;
  const query = parseFilters(endpoints.payment.list, filters);
  const listing = createListing({
    name: "payments",
    pageSize: MAX_PAGE_SIZE,
    query: { ...query, start_date: startDate(since, query.start_date) },
    list: client.payment.list,
    toItem(payment: Payment): StagedItem {
      const { id, customer_name: name } = payment;
      const shown = withNames || !name ? name : maskName(name);
      const rank = readTimestamp(payment.created_at) ?? 0;
      return { id, rank, item: { ...payment, customer_name: shown } };
    },
    signal,
  });
  return {
    read: () => readListings({ listings: [listing], ...context }),
    columns: async () => withUnit(PAYMENT_COLUMNS, priceUnit),
    timestampOf: ({ created_at }) => readTimestamp(created_at),
  };
}
