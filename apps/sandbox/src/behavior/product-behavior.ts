/** Applies a personality to a store: codes, duplicates, stock updates and new products. */

import type { Clock } from "@catalog/clock";
import type { ProductAdd } from "@catalog/contract";

import { createInputRefusal, type Message, type Refusal } from "../http/refusal.ts";
import type { SandboxProduct, ProductState } from "../products/product-state.ts";
import type { Behavior } from "./behavior-settings.ts";

/** The store, and the personality that it gets. */
export interface ProductBehaviorOptions {
  readonly store: ProductState;
  readonly clock: Clock;
  readonly behavior: Behavior;
}

/** Milliseconds until listings show a new product with `new-product=after-delay`. */
export const VISIBILITY_DELAY_MS: number = 10 * 60 * 1000;

/** Wraps `add` and `update` of a store in the personality; all other methods are the store's. */
export function createProductBehavior({
  store,
  clock,
  behavior,
}: ProductBehaviorOptions): ProductState {
  const duplicate = behavior["duplicate-code"];
  const toStoredCode = CODE_FORMS[behavior["stored-code"]];

  const hide = (): Pick<SandboxProduct, "hiddenUntilMs"> => {
    const hidden = {
      visible: {},
      "after-approval": { hiddenUntilMs: "approval" },
      "after-delay": { hiddenUntilMs: clock.now() + VISIBILITY_DELAY_MS },
    } as const;
    return hidden[behavior["new-product"]];
  };

  return {
    ...store,
    add(given) {
      const product = { ...given, product_code: toStoredCode(given.product_code) };
      const twin = duplicate === "accepted" ? undefined : findTwin(store, product);
      if (twin === undefined) return store.add(product, hide());
      if (duplicate === "refused") throw createFieldRefusal("product_code", TWIN);
      store.update(twin.id, product);
      return store.product(twin.id) ?? twin;
    },
    update(id, { stock_count: stock, product_code: code, ...rest }) {
      const named = code === undefined ? rest : { ...rest, product_code: toStoredCode(code) };
      const obeyed = behavior["update-stock"];
      if (stock !== undefined && obeyed === "refused") {
        throw createFieldRefusal("stock_count", FIXED);
      }
      return store.update(id, obeyed === "obeyed" ? { ...named, stock_count: stock } : named);
    },
  };
}

const TWIN: Message = { en: "is used by another product", tr: "başka bir üründe kullanılıyor" };
const FIXED: Message = { en: "cannot be updated", tr: "bu çağrıyla güncellenemez" };

function findTwin(store: ProductState, product: ProductAdd): SandboxProduct | undefined {
  return store.withCode(product.product_code)[0];
}

function createFieldRefusal(field: string, message: Message): Refusal {
  return createInputRefusal([{ field, message }]);
}

const CODE_FORMS: Readonly<Record<Behavior["stored-code"], (code: string) => string>> = {
  "as-sent": (code) => code,
  trimmed: (code) => code.trim(),
  "upper-cased": (code) => code.trim().toUpperCase(),
  "lower-cased": (code) => code.trim().toLowerCase(),
};
