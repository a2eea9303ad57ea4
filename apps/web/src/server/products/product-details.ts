/** One product: what the store shows, its changes, what buyers say, and taking changes back. */

import { type Connection, fieldLabel } from "@catalog/connection";
import { readTimestamp } from "@catalog/exporter";
import type { Lang } from "@catalog/i18n";
import { createProductHistory, readProductTalk } from "@catalog/importer";
import { createDescriptionReader } from "@catalog/mapping";
import { formatFieldValue } from "@catalog/report";

import {
  type ProductChange,
  type ProductDetails,
  type ProductTalk,
  productUndoBody,
} from "../../api/products.ts";
import type { PlannedRunId } from "../../api/runs.ts";
import { makerOf, needs } from "../needs.ts";
import type { RunJobs } from "../runs/run-jobs.ts";
import { describeMaker, nameApprover, nameRun } from "../runs/run-summary.ts";
import { type AddRoutes, parseInput, RequestError, requestLang, UNKNOWN_IDS } from "../site.ts";
import { toProductView } from "./product-list.ts";
import type { Products } from "./product-routes.ts";

type History = ReturnType<typeof createProductHistory>;
type StoredChange = Awaited<ReturnType<History["read"]>>[number];

interface ProductPath {
  readonly Params: { readonly product: string };
}

type List = Pick<Products, "list">;
type ShownProduct = Awaited<ReturnType<Awaited<ReturnType<List["list"]>>["rows"]>>[number];

interface OpenedProduct {
  readonly connection: Connection;
  readonly stored: ShownProduct;
}

/** Creates the routes of one product of the list. */
export function createProductRoutes(jobs: RunJobs, products: List): AddRoutes {
  return (app, site) => {
    /** Throws {@link RequestError} 404 where the list has no such product. */
    const open = async (number: string): Promise<OpenedProduct> => {
      const connection = await site.store.connection();
      const [stored] = await (await products.list()).rows([Number(number)]);
      if (stored !== undefined) return { connection, stored };
      throw new RequestError(404, "E_PRODUCT_UNKNOWN", UNKNOWN_IDS.E_PRODUCT_UNKNOWN);
    };
    app.get<ProductPath>("/products/:product", needs("viewer"), async (request) => {
      const opened = await open(request.params.product);
      return await readDetails(opened, jobs, requestLang(request));
    });
    app.post<ProductPath>("/products/:product/read", needs("editor"), async (request) => {
      const before = await open(request.params.product);
      await (await products.list()).readAgain([before.stored.number]);
      const opened = await open(request.params.product);
      if (opened.stored.atMs === before.stored.atMs) throw notShown();
      return await readDetails(opened, jobs, requestLang(request));
    });
    app.get<ProductPath>("/products/:product/talk", needs("viewer"), async (request) => {
      const { connection, stored } = await open(request.params.product);
      return await readTalk(connection, stored.product.id);
    });
    app.post<ProductPath>(
      "/products/:product/undo",
      needs("approver"),
      async (request): Promise<PlannedRunId> => {
        const { change } = parseInput(productUndoBody, request.body);
        const { stored } = await open(request.params.product);
        const { id } = stored.product;
        const words =
          change === undefined
            ? [`--product=${id}`]
            : [`--rows=${change.row}`, `--fields=${change.field}`, "--", change.run];
        const [lang, by] = [requestLang(request), makerOf(request)];
        return await jobs.prepare(site, { of: id, what: "undo", words, lang, by });
      },
    );
  };
}

const notShown = (): RequestError =>
  new RequestError(409, "E_PRODUCT_GONE", {
    tr: "Mağaza bu ürünü şu an göstermiyor; görünen bilgiler son okumadan.",
    en: "The store does not show this product now; what you see is from the last reading.",
  });

async function readDetails(
  { connection, stored }: OpenedProduct,
  jobs: RunJobs,
  lang: Lang,
): Promise<ProductDetails> {
  const { product } = stored;
  const changes: ProductChange[] = [];
  for (const change of await createProductHistory(connection).read(product.id, lang)) {
    changes.push(await toChange(connection, change, lang));
  }
  return {
    ...toProductView(stored, lang),
    description: toText(product.description),
    facts: readFacts(product, lang),
    changes,
    keptDays: Math.round(connection.storage.keepMs / DAY_MS),
    isPlanningUndo: jobs.preparation(product.id) !== null,
  };
}

const DAY_MS = 86_400_000;

function toText(html: string | null | undefined): string | null {
  const text = createDescriptionReader({ format: "text" })(html ?? "").text.trim();
  return text === "" ? null : text;
}

/** Fields of a listed product that the list does not show, and how the add call names them. */
const FACTS = [
  ["sub_title", "subtitle"],
  ["warranty_type", "warranty_type"],
  ["warranty_period", "warranty_period"],
  ["currency", "currency"],
] as const;

const readFacts = (product: ShownProduct["product"], lang: Lang): ProductDetails["facts"] =>
  FACTS.flatMap(([field, shown]) => {
    const value = product[shown];
    if (value === null || value === undefined || value === "") return [];
    const text = formatFieldValue(field, value, { payload: null, lang });
    return [{ label: fieldLabel(field, lang), text }];
  });

async function toChange(
  connection: Connection,
  { ours, atMs, sinceMs, field, label, before, after, undoField }: StoredChange,
  lang: Lang,
): Promise<ProductChange> {
  const line = { at: new Date(atMs).toISOString(), field, label, before, after, undoField };
  if (ours === undefined) {
    const since = sinceMs === undefined ? null : new Date(sinceMs).toISOString();
    return { ...line, by: "others", since, person: null, approvedBy: null, run: null };
  }
  const { run, row } = ours;
  return {
    ...line,
    by: "ours",
    since: null,
    person: describeMaker(run, lang),
    approvedBy: nameApprover(run),
    run: { id: run.id, name: await nameRun(connection, run, { lang }), row },
  };
}

async function readTalk(
  connection: Connection,
  id: ShownProduct["product"]["id"],
): Promise<ProductTalk> {
  const { comments, questions } = await readProductTalk(connection, id);
  return {
    comments: comments === undefined ? null : viewComments(comments),
    questions: questions === undefined ? null : viewQuestions(questions),
  };
}

type Talk = Awaited<ReturnType<typeof readProductTalk>>;
type Comments = NonNullable<Talk["comments"]>;
type Questions = NonNullable<Talk["questions"]>;

const viewComments = ({ total, last }: Comments): NonNullable<ProductTalk["comments"]> => ({
  total,
  last: last.map(({ created_at: at, rate, message }) => ({
    at: toTime(at),
    rate: rate ?? null,
    text: message ?? "",
  })),
});

const LAST_QUESTIONS = 5;

const viewQuestions = ({
  read,
  isAll,
  found,
}: Questions): NonNullable<ProductTalk["questions"]> => ({
  read,
  isAll,
  total: found.length,
  unanswered: found.filter((question) => !question.isAnswered).length,
  last: found.slice(0, LAST_QUESTIONS).map((question) => ({
    at: toTime(question.created_at),
    text: question.message ?? question.title ?? "",
    isAnswered: question.isAnswered,
  })),
});

function toTime(at: Parameters<typeof readTimestamp>[0]): string | null {
  const ms = readTimestamp(at);
  return ms === undefined ? null : new Date(ms).toISOString();
}
