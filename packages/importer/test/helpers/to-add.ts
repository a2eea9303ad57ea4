import { CUP, type StoredRow } from "@catalog/connection/testing";
import { endpoints } from "@catalog/contract";

/** A row that adds a product with this code. */
export const toAdd = (code: string): StoredRow => ({
  cells: [code],
  action: "add",
  payload: endpoints.product.add.input.parse({ ...CUP, product_code: code }),
});
