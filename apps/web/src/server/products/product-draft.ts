/** Opens a draft with today's values of products that a person has chosen. */

import { type ChosenProduct, createStoreDraft, readChosenAgain } from "@catalog/importer";
import type { FastifyInstance } from "fastify";

import { type OpenedDraft, productDraftBody } from "../../api/products.ts";
import type { Drafts } from "../drafts/drafts.ts";
import { makerOf, needs } from "../needs.ts";
import { parseInput, requestLang, type Site } from "../site.ts";
import { toStoreSelection } from "./product-list.ts";
import type { Products } from "./product-routes.ts";

/** Room for the numbers of all products that may be chosen. */
const SELECTION_BYTES = 4 * 1024 * 1024;

export function addProductDraftRoute(
  app: FastifyInstance,
  site: Site,
  { drafts, products }: { readonly drafts: Drafts; readonly products: Products },
): void {
  app.post(
    "/products/draft",
    { ...needs("editor"), bodyLimit: SELECTION_BYTES },
    async (request, reply) => {
      const body = parseInput(productDraftBody, request.body);
      const connection = await site.store.connection();
      const list = await products.list();
      const selection = toStoreSelection(body.products);
      await readChosenAgain(connection, list, selection);
      async function* chosen(): AsyncGenerator<ChosenProduct> {
        for await (const some of list.selected(selection)) yield* some;
      }
      const { id } = await createStoreDraft(connection, {
        products: chosen(),
        lang: requestLang(request),
        fields: body.fields,
        text: "filter" in body.products ? body.products.filter.text : undefined,
        by: makerOf(request),
      });
      // Its rows are checked while the page opens it.
      await drafts.open(id);
      await reply.code(201).send({ draft: id } satisfies OpenedDraft);
    },
  );
}
