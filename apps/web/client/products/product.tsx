/** One product: what the store shows of it, and its changes. */

import type { ReactNode } from "react";

import { usePage } from "../lib/page.tsx";
import { Link } from "../ui/controls.tsx";
import { Notice } from "../ui/sections.tsx";

export const Product = ({ id }: { readonly id: string }): ReactNode => {
  const { product } = usePage().texts.products;
  return (
    <Notice title={product.title(id)}>
      <Link to={{ page: "products" }}>{product.toList}</Link>
    </Notice>
  );
};
