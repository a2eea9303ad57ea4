/** The routes of the store's products: the list, its order and rows, its reading, kept views. */

import type { Connection } from "@catalog/connection";
import type { Lang, Localized } from "@catalog/i18n";
import { openStoreList } from "@catalog/importer";
import type { FastifyInstance } from "fastify";

import {
  productExportBody,
  productOrderQuery,
  type ProductsView,
  type ProductViews,
  productViewsBody,
} from "../../api/products.ts";
import { needs } from "../needs.ts";
import { readNumbers, sendNumbers } from "../numbers.ts";
import { plainText } from "../plain-advice.ts";
import { parseInput, requestLang, type Site } from "../site.ts";
import type { Exports } from "../work/exports.ts";
import { exportProducts } from "./product-export.ts";
import {
  createReadFacets,
  type StoreList,
  toListFilter,
  toListSort,
  toProductsView,
  toProductView,
} from "./product-list.ts";

interface ProductRoutesOptions {
  /** Describes an error of work in the background. */
  readonly describe: (error: unknown) => { readonly code: string; readonly message: Localized };
  readonly exports: Exports;
}

/** The products of the store that the page works on. */
export interface Products extends AsyncDisposable {
  /** The list of the store. */
  list(): Promise<StoreList>;
  addRoutes(app: FastifyInstance): void;
}

/** Room for as many numbers as can be chosen. */
const CHOICE_BYTES = 4 * 1024 * 1024;

interface OpenedList {
  readonly connection: Connection;
  readonly list: StoreList;
  readonly readFacets: ReturnType<typeof createReadFacets>;
}

/** Opens the products; a reading under way is stopped when they are closed. */
export function createProducts(site: Site, { describe, exports }: ProductRoutesOptions): Products {
  let opened: OpenedList | undefined;
  const open = async (): Promise<OpenedList> => {
    const connection = await site.store.connection();
    if (opened?.connection === connection) return opened;
    const before = opened?.list;
    const list = openStoreList(connection);
    opened = { connection, list, readFacets: createReadFacets(list, () => site.clock.now()) };
    // The reading of another store would go on unseen.
    await before?.stop();
    return opened;
  };
  const view = async (lang: Lang): Promise<ProductsView> => {
    const { list, readFacets } = await open();
    const state = await list.state();
    const facets = await readFacets(state);
    const { error } = state;
    const problem = error === undefined ? null : plainText(describe(error).message[lang]);
    return toProductsView({ state, facets, problem }, lang);
  };
  return {
    list: async () => (await open()).list,
    addRoutes(app) {
      app.get("/products", needs("viewer"), (request) => view(requestLang(request)));
      app.get("/products/order", needs("viewer"), async (request, reply) => {
        const { filter, sort } = parseInput(productOrderQuery, request.query);
        const { list } = await open();
        return await sendNumbers(reply, await list.order(toListFilter(filter), toListSort(sort)));
      });
      app.get("/products/rows", needs("viewer"), async (request) => {
        const numbers = readNumbers(request.query);
        const lang = requestLang(request);
        const rows = await (await open()).list.rows(numbers);
        return rows.map((row) => toProductView(row, lang));
      });
      app.post("/products/read", needs("editor"), async (request, reply) => {
        await (await open()).list.start();
        return await reply.code(202).send(await view(requestLang(request)));
      });
      app.delete("/products/read", needs("editor"), async (request) => {
        await (await open()).list.stop();
        return await view(requestLang(request));
      });
      app.post(
        "/products/export",
        { ...needs("editor"), bodyLimit: CHOICE_BYTES },
        async (request, reply) => {
          const body = parseInput(productExportBody, request.body);
          const tools = { ...(await open()), exports, describe };
          return await reply
            .code(202)
            .send(await exportProducts(tools, body, requestLang(request)));
        },
      );
      addViewRoutes(app, site);
    },
    async [Symbol.asyncDispose]() {
      await opened?.list[Symbol.asyncDispose]();
    },
  };
}

/** What a person has who has kept nothing. */
const FIRST_VIEWS: ProductViews = { columns: [], saved: [] };

const keyOf = ({ baseUrl, storeId }: Connection): string => `${baseUrl} ${storeId} product-views`;

function addViewRoutes(app: FastifyInstance, { store }: Pick<Site, "store">): void {
  app.get("/products/views", needs("viewer"), async () => {
    const connection = await store.connection();
    const { notes } = connection.memory;
    return (await notes.readNote(keyOf(connection), productViewsBody)) ?? FIRST_VIEWS;
  });
  app.put("/products/views", needs("editor"), async (request) => {
    const views = parseInput(productViewsBody, request.body);
    const connection = await store.connection();
    await connection.memory.notes.saveNotes({ [keyOf(connection)]: views });
    return views;
  });
}
