/** The store's products as they were read last. */

import type { ReactNode } from "react";

export const Products = (): ReactNode => null;
