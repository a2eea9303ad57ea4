import { codeKey } from "@catalog/mapping";

/** Product codes with the same key are the same product; `""` for a product without a code. */
export function codeKeyOf(code: string): string {
  return codeKey(code) ?? "";
}
