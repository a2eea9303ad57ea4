/** The product calls of a client, which note what they are asked. */

import type { CallOptions, Client, PagePosition, PagesOptions } from "@catalog/client";
import type { Page, StoreProduct, InputOf } from "@catalog/contract";

export interface FakeProductsOptions {
  /** Error with which every write fails. */
  readonly fails?: Error;
  /** Answer to every write. */
  readonly answer?: { readonly status: boolean; readonly message?: string };
  readonly total?: number;
}

export interface ProductCall {
  readonly call: "list" | "pages" | "add" | "update";
  readonly input: object & Pick<InputOf<"product.list">, "ids">;
  readonly options: CallOptions | PagesOptions | undefined;
}

export type FakeProducts = Pick<Client["product"], "list" | "add" | "update"> & {
  readonly calls: readonly ProductCall[];
};

/** Lists a product for every id that it is asked for. */
export function createFakeProducts(options: FakeProductsOptions): FakeProducts {
  const { fails, answer = { status: true }, total = 0 } = options;
  const calls: ProductCall[] = [];

  const write = async (call: ProductCall): Promise<{ readonly status: boolean }> => {
    calls.push(call);
    if (fails !== undefined) throw fails;
    return answer;
  };
  const listPage = async (
    input: InputOf<"product.list">,
    callOptions?: CallOptions,
  ): Promise<Page<StoreProduct>> => {
    calls.push({ call: "list", input, options: callOptions });
    return { total, result: [] };
  };
  async function* items(): AsyncGenerator<StoreProduct> {
    yield* (await listPage({})).result;
  }
  async function* pages(
    input: InputOf<"product.list">,
    callOptions?: PagesOptions,
  ): AsyncGenerator<Page<StoreProduct> & PagePosition> {
    calls.push({ call: "pages", input, options: callOptions });
    const result = (input.ids ?? []).map((id) => ({ id }));
    yield { total, result, page: 1, pageSize: 50 };
  }

  return {
    calls,
    list: Object.assign(listPage, { items, pages }),
    add: (body, callOptions) => write({ call: "add", input: body, options: callOptions }),
    update: (body, callOptions) => write({ call: "update", input: body, options: callOptions }),
  };
}
