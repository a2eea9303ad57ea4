/** What the screens of products read from the server, and change. */

import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";

import type {
  ExportView,
  OpenedDraft,
  ProductDraftBody,
  ProductExportBody,
  ProductsView,
  ProductView,
  ProductViews,
} from "../../src/api/index.ts";
import type { Lang } from "./format.ts";
import { usePage } from "./page.tsx";
import { requestJson, requestNumbers, type RequestOptions } from "./requests.ts";

const POLL_READING_MS = 1_000;
/** So that the age of what is shown stays true. */
const POLL_MS = 60_000;

/** Another person may choose the unit of the prices, which this page asks for meanwhile. */
const POLL_UNIT_MS = 5_000;

/** The time after which the products are asked for again. */
export const productsPollMs = (
  view: Pick<ProductsView, "reading" | "priceUnit"> | undefined,
): number => {
  if (view?.reading != null) return POLL_READING_MS;
  return view?.priceUnit === null ? POLL_UNIT_MS : POLL_MS;
};

/** The store's products as a whole, asked for again and again while they are read. */
export const useProducts = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["products", lang],
    queryFn: ({ signal }) => requestJson<ProductsView>("/api/products", { lang, signal }),
    staleTime: 0,
    // Another language changes words, and not what is chosen.
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => productsPollMs(state.data),
  });
};

/** Numbers of the products of a query; the same query is asked for again with another version. */
export const useProductOrder = (search: string, version: string) => {
  const { lang } = usePage();
  return useQuery({
    queryKey: ["products-order", search, version],
    queryFn: ({ signal }) => requestNumbers(`/api/products/order${search}`, { lang, signal }),
    staleTime: 0,
    structuralSharing: false,
    placeholderData: keepPreviousData,
    retry: false,
  });
};

export const readProducts = (
  numbers: readonly number[],
  lang: Lang,
): Promise<readonly ProductView[]> =>
  requestJson<readonly ProductView[]>(`/api/products/rows?n=${numbers.join(",")}`, { lang });

const useReading = (request: Pick<RequestOptions, "method" | "body">) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => requestJson<ProductsView>("/api/products/read", { lang, ...request }),
    onSuccess: (view) => client.setQueryData(["products", lang], view),
    onError: () => client.invalidateQueries({ queryKey: ["products"] }),
  });
};

/** Starts reading the whole store; its progress is part of {@link useProducts}. */
export const useReadProducts = () => useReading({ method: "POST", body: {} });

export const useStopReading = () => useReading({ method: "DELETE" });

const VIEWS_PATH = "/api/products/views";
const VIEWS_KEY = ["product-views"];

/** The columns and filters that a person has kept. */
export const useProductViews = () => {
  const { lang } = usePage();
  return useQuery({
    queryKey: VIEWS_KEY,
    queryFn: ({ signal }) => requestJson<ProductViews>(VIEWS_PATH, { lang, signal }),
  });
};

/** Keeps them; what is shown changes at once, and back where it could not be kept. */
export const useKeepViews = () => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (views: ProductViews) =>
      requestJson(VIEWS_PATH, { lang, method: "PUT", body: views }),
    onMutate: (views) => client.setQueryData(VIEWS_KEY, views),
    onError: () => client.invalidateQueries({ queryKey: VIEWS_KEY }),
  });
};

/** Opens a draft of products with their values of today. */
export const useOpenDraft = (onOpened: (draft: string) => void) => {
  const { lang } = usePage();
  return useMutation({
    mutationFn: (body: ProductDraftBody) =>
      requestJson<OpenedDraft>("/api/products/draft", { lang, method: "POST", body }),
    onSuccess: ({ draft }) => onOpened(draft),
  });
};

/** Makes a file of products, which the list of exports then holds. */
export const useExportProducts = (onStarted: () => void) => {
  const { lang } = usePage();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ProductExportBody) =>
      requestJson<ExportView>("/api/products/export", { lang, method: "POST", body }),
    onSuccess: onStarted,
    onSettled: () => client.invalidateQueries({ queryKey: ["exports"] }),
  });
};
