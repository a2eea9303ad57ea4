import { foldName } from "../catalog/name-search.ts";
import type { SandboxProduct } from "./product-state.ts";

/** Folds a text of each product once, as folding takes longer than searching. */
export function createTextFold(
  textOf: (product: SandboxProduct) => string,
): (product: SandboxProduct) => string {
  const folded = new WeakMap<SandboxProduct, string>();
  return (product) => {
    const known = folded.get(product);
    if (known !== undefined) return known;
    const text = foldName(textOf(product));
    folded.set(product, text);
    return text;
  };
}
