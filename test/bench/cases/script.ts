/**
 * What a developer would write in an afternoon: it reads a file, asks for the store, sends what
 * differs with eight calls at a time, and reads it back. It keeps nothing, guards nothing, and knows
 * nothing of lost answers. plan|updates|adds|export FILE
 */

import { readFileSync, writeFileSync } from "node:fs";

import pLimit from "p-limit";
import Papa from "papaparse";
import { z } from "zod";

import { printCost } from "../case-report.ts";

const [job = "", path = ""] = process.argv.slice(2);
const { CATALOG_BASE_URL: base = "", CATALOG_STORE_ID: store = "", ...env } = process.env;
const atOnce = pLimit(8);
let calls = 0;
let token = "";

async function call(url: string, body?: unknown): Promise<unknown> {
  calls += 1;
  const init = { method: "POST", headers: { "content-type": "application/json" } };
  const address = `${base}${url}${url.includes("?") ? "&" : "?"}access_token=${token}`;
  const answer = await fetch(
    address,
    body === undefined ? {} : { ...init, body: JSON.stringify(body) },
  );
  if (!answer.ok) throw new Error(`${answer.status} ${url}`);
  return z.object({ data: z.unknown() }).parse(await answer.json()).data;
}

const named = z.looseObject({ id: z.string(), name: z.string().optional() });
const product = named.extend({ product_code: z.string(), stock: z.number() });
const sent = z.object({ status: z.literal(true), product_id: z.string().optional() });

/** Reads every page of a listing, those after the first one side by side. */
async function list<Item>(url: string, item: z.ZodType<Item>): Promise<readonly Item[]> {
  const page = z.object({ total: z.number(), result: z.array(item) });
  const at = async (n: number): Promise<z.infer<typeof page>> =>
    page.parse(await atOnce(() => call(`${url}limit=50&page=${n}`)));
  const first = await at(1);
  const more = Array.from({ length: Math.ceil(first.total / 50) - 1 }, (_, n) => at(n + 2));
  return [first, ...(await Promise.all(more))].flatMap(({ result }) => result);
}

async function readStore(): Promise<readonly z.infer<typeof product>[]> {
  const of = (status: string) => list(`/v1.1/product/store/${store}?status=${status}&`, product);
  return (await Promise.all(["approved", "passive", "veto"].map(of))).flat();
}

const readRows = (): readonly Record<string, string>[] =>
  Papa.parse<Record<string, string>>(readFileSync(path, "utf8").replace("\ufeff", ""), {
    header: true,
    skipEmptyLines: true,
  }).data;

async function sendAll(action: "add" | "update", bodies: readonly unknown[]): Promise<void> {
  const send = async (body: unknown): Promise<string | undefined> =>
    sent.parse(await call(`/v1.1/product/${action}/store/${store}`, body)).product_id;
  const ids = await atOnce.map(bodies, send);
  const updated = z.array(z.object({ product_id: z.string().optional() })).parse(bodies);
  const wanted = ids.map((id, at) => id ?? updated[at]?.product_id);
  const chunks = Array.from({ length: Math.ceil(wanted.length / 50) }, (_, at) =>
    wanted.slice(at * 50, at * 50 + 50).join(","),
  );
  await atOnce.map(chunks, (some) => call(`/v1.1/product/store/${store}?limit=50&ids=${some}`));
}

async function findUpdates(): Promise<readonly unknown[]> {
  const byCode = new Map((await readStore()).map((one) => [one.product_code, one]));
  return readRows().flatMap((row) => {
    const [known, stock] = [byCode.get(row["Ürün Kodu"] ?? ""), Number(row["Stok"])];
    return known === undefined || known.stock === stock
      ? []
      : [{ product_id: known.id, stock_count: stock }];
  });
}

async function findAdds(): Promise<readonly unknown[]> {
  const category = named.extend({ category_path: z.string() });
  const template = named.extend({ template_name: z.string() });
  const [rows, [listed, categories, templates]] = [
    readRows(),
    await Promise.all([
      readStore(),
      list("/v1.1/category/?", category),
      list(`/v1.0/shipping-template/store/${store}?`, template),
    ]),
  ];
  const known = new Set(listed.map(({ product_code }) => product_code));
  const idOf = new Map(categories.map(({ id, category_path }) => [category_path, id]));
  const used = [...new Set(rows.map((row) => idOf.get(row["Kategori *"] ?? "")))];
  const lists = used.map(async (id) => [id, await list(`/v1.1/brand/?category_id=${id}&`, named)]);
  const brands = new Map(
    z.array(z.tuple([z.string(), z.array(named)])).parse(await Promise.all(lists)),
  );
  return rows.flatMap((row) => {
    const text = (header: string): string => row[`${header} *`] ?? "";
    const id = idOf.get(text("Kategori")) ?? "";
    if (known.has(text("Ürün Kodu"))) return [];
    const product_code = text("Ürün Kodu");
    return [
      {
        product_code,
        title: text("Başlık"),
        sub_title: text("Alt Başlık"),
        category_id: id,
        brand_id: brands.get(id)?.find(({ name }) => name === text("Marka"))?.id,
        brand_model: text("Model"),
        description: text("Açıklama"),
        price: Math.round(Number(text("Fiyat").replace(",", ".")) * 100),
        stock_count: Number(text("Stok")),
        warranty_type: 1,
        warranty_period: 0,
        has_discount: false,
        shipping_template_id: templates.find(
          (one) => one.template_name === text("Teslimat Şablonu"),
        )?.id,
        images: [text("Görsel 1")],
      },
    ];
  });
}

const JOBS: Readonly<Record<string, () => Promise<void>>> = {
  plan: async () => void (await findUpdates()),
  updates: async () => await sendAll("update", await findUpdates()),
  adds: async () => await sendAll("add", await findAdds()),
  export: async () =>
    writeFileSync(path, (await readStore()).map((one) => `${JSON.stringify(one)}\n`).join("")),
};

await printCost(async () => {
  const login = {
    client_key: env["CATALOG_CLIENT_KEY"],
    client_secret: env["CATALOG_CLIENT_SECRET"],
  };
  const { access_token } = z
    .object({ access_token: z.string() })
    .parse(await call("/app/auth/access", login));
  token = access_token;
  await JOBS[job]?.();
  return { calls };
});
