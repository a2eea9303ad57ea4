/** The columns of the list of products, and what a narrow window shows of each. */

import { type ReactNode, useMemo } from "react";

import type { ProductColumn, ProductView } from "../../src/api/index.ts";
import type { ListCard, ListColumn } from "../grid/list-grid.tsx";
import { type Page, usePage } from "../lib/page.tsx";
import { Link } from "../ui/controls.tsx";
import { Picture } from "../ui/picture.tsx";

/** Shown until a person chooses others. */
export const DEFAULT_COLUMNS: readonly ProductColumn[] = [
  "image",
  "code",
  "title",
  "brand",
  "price",
  "paid",
  "discount",
  "stock",
  "status",
];

interface ProductProps {
  readonly product: ProductView;
}

/** The first image, which is read anew where the product was. */
const ProductPicture = ({ product: { number, images, readAt } }: ProductProps): ReactNode =>
  images === 0 ? (
    <span className="picture picture-row" aria-hidden="true" />
  ) : (
    <Picture of={{ product: number, version: readAt }} />
  );

const Title = ({ product: { number, title } }: ProductProps): ReactNode => (
  <Link to={{ page: "product", id: String(number) }} className="list-link" isInTable>
    {title}
  </Link>
);

const Ago = ({ at }: { readonly at: string | null }): ReactNode => {
  const { format } = usePage();
  if (at === null) return null;
  return (
    <time dateTime={at} title={format.date(at)}>
      {format.ago(at, Date.now())}
    </time>
  );
};

/** A path differs at its end, so that is what stays. */
const Path = ({ path }: { readonly path: string | null }): ReactNode => (
  <span className="end-of-text" title={path ?? undefined}>
    <bdi>{path}</bdi>
  </span>
);

const Stock = ({ stock }: { readonly stock: number | null }): ReactNode => {
  const { format } = usePage();
  if (stock === null) return null;
  return <span className={stock === 0 ? "sold-out" : undefined}>{format.number(stock)}</span>;
};

type ColumnShape = Omit<ListColumn<ProductView>, "key" | "header">;

const SHAPES: Readonly<Record<ProductColumn, ColumnShape>> = {
  image: {
    width: 48,
    isHeaderHidden: true,
    isFrozen: true,
    render: (product) => <ProductPicture product={product} />,
  },
  code: { width: 130, isFrozen: true, render: ({ code }) => code },
  title: { width: "minmax(260px, 1fr)", render: (product) => <Title product={product} /> },
  brand: { width: 120, render: ({ brand }) => brand },
  category: { width: 200, render: ({ category }) => <Path path={category} /> },
  price: { width: 108, align: "end", render: ({ price }) => price },
  paid: { width: 108, align: "end", render: ({ paid }) => paid },
  discount: { width: 88, align: "end", isGreatestFirst: true, render: ({ discount }) => discount },
  stock: { width: 76, align: "end", render: ({ stock }) => <Stock stock={stock} /> },
  status: { width: 110, render: ({ status }) => <Status status={status} /> },
  images: { width: 110, align: "end", render: ({ images }) => images },
  ours: { width: 150, isGreatestFirst: true, render: ({ oursAt }) => <Ago at={oursAt} /> },
  others: { width: 170, isGreatestFirst: true, render: ({ othersAt }) => <Ago at={othersAt} /> },
  read: { width: 130, isGreatestFirst: true, render: ({ readAt }) => <Ago at={readAt} /> },
};

const Status = ({ status }: Pick<ProductView, "status">): ReactNode => {
  const { statuses } = usePage().texts.products;
  return <span className={`product-status product-${status}`}>{statuses[status]}</span>;
};

/** The columns to show, in their order. */
export const useProductColumns = (
  shown: readonly ProductColumn[],
): readonly ListColumn<ProductView>[] => {
  const { column } = usePage().texts.products;
  return useMemo(
    () =>
      shown.map((key) => ({
        ...SHAPES[key],
        key,
        header: column[key],
        isSortable: key !== "image",
      })),
    [shown, column],
  );
};

const toFacts = ({ code, brand }: ProductView): string =>
  [code, brand].filter((part) => part !== null).join(" · ");

const ProductCard = ({ product, page }: ProductProps & { readonly page: Page }): ReactNode => {
  const words = page.texts.products;
  const { stock, paid, price, title } = product;
  return (
    <div className="product-card">
      <ProductPicture product={product} />
      <div className="product-card-text">
        <span className="product-card-title">{title}</span>
        <span className="muted small">{toFacts(product)}</span>
      </div>
      <div className="product-card-numbers">
        <strong>{paid ?? price}</strong>
        {stock === null ? null : (
          <span className={stock === 0 ? "sold-out small" : "muted small"}>
            {words.stockOf(stock)}
          </span>
        )}
      </div>
    </div>
  );
};

const CARD_PX = 76;

export const useProductCard = (): ListCard<ProductView> => {
  const page = usePage();
  return useMemo(
    () => ({
      header: page.texts.products.title,
      heightPx: CARD_PX,
      render: (product) => <ProductCard product={product} page={page} />,
    }),
    [page],
  );
};
