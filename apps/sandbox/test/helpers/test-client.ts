/** Talks to a sandbox over HTTP as an application would. */

import { type Endpoint, endpoints, type ProductAdd } from "@catalog/contract";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import * as z from "zod";

import {
  createSandboxCatalog,
  type Sandbox,
  type SandboxOptions,
  startSandbox,
} from "../../src/index.ts";

export interface Answer {
  readonly httpStatus: number;
  readonly headers: Headers;
  readonly data: unknown;
}

type Texts = Readonly<Record<string, string>>;

export interface TestClient {
  readonly sandbox: Sandbox;
  readonly token: string;
  /** GET of a path below the base address, token included. */
  readonly get: (path: string, query?: Texts) => Promise<Answer>;
  /** POST of JSON to a path below the base address, token included. */
  readonly post: (path: string, body: unknown) => Promise<Answer>;
  /** Adds the product and returns its id. */
  readonly add: (changes?: Readonly<Record<string, unknown>>) => Promise<string>;
  /** The listing's `data`, checked with the contract. */
  readonly list: (query?: Texts) => Promise<DataOf<typeof endpoints.product.list>>;
}

type DataOf<Row> = Row extends Endpoint<infer _, infer Data> ? Data : never;

const answerSchema = z.object({ data: z.unknown() });

/** Starts a sandbox for the current test, with one token. */
export async function openTestClient(options: SandboxOptions = {}): Promise<TestClient> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  return await visit(sandbox);
}

/**
 * Starts one sandbox for all tests of a file, none of which may change it, so that its history is
 * generated once. Returns a function that gives it to a test.
 */
export function shareSandbox(options: SandboxOptions): () => TestClient {
  let shared: TestClient | undefined;
  beforeAll(async () => {
    shared = await visit(await startSandbox(options));
  });
  afterAll(async () => await shared?.sandbox.close());
  return () => {
    if (shared === undefined) throw new Error("the sandbox is there for tests only");
    return shared;
  };
}

async function visit(sandbox: Sandbox): Promise<TestClient> {
  const token = await obtainToken(sandbox);

  const get: TestClient["get"] = async (path, query = {}) => {
    const url = new URL(`${sandbox.baseUrl}${path}`);
    url.search = new URLSearchParams({ access_token: token, ...query }).toString();
    return readAnswer(await fetch(url));
  };
  const post: TestClient["post"] = (path, body) =>
    sendJson(`${sandbox.baseUrl}${path}?access_token=${token}`, body);

  return {
    sandbox,
    token,
    get,
    post,
    async add(changes = {}) {
      const product = { ...createSampleProduct(), ...changes };
      const { data } = await post(`/v1.1/product/add/store/${sandbox.storeId}`, product);
      return z.object({ product_id: z.string() }).parse(data).product_id;
    },
    async list(query = {}) {
      const { data } = await get(`/v1.1/product/store/${sandbox.storeId}`, query);
      return endpoints.product.list.data.parse(data);
    },
  };
}

export async function obtainToken({ baseUrl, clientKey, clientSecret }: Sandbox): Promise<string> {
  const body = { client_key: clientKey, client_secret: clientSecret };
  const { data } = await sendJson(`${baseUrl}/app/auth/access`, body);
  return z.object({ access_token: z.string() }).parse(data).access_token;
}

export async function sendJson(url: string, body: unknown): Promise<Answer> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return readAnswer(await fetch(url, { method: "POST", headers, body: JSON.stringify(body) }));
}

export async function readAnswer(response: Response): Promise<Answer> {
  const { data } = answerSchema.parse(await response.json());
  return { httpStatus: response.status, headers: response.headers, data };
}

/** A product, a spoon, that the sandbox accepts. */
export function createSampleProduct(): ProductAdd {
  const catalog = createSandboxCatalog();
  const category = catalog.categories.find(
    ({ category_path }) => category_path === "Ev & Yaşam > Mutfak > Sofra > Kaşık",
  );
  const brand = catalog.brands(category?.id ?? "").find(({ name }) => name === "Işık");
  return endpoints.product.add.input.parse({
    title: "Işık Çelik Yemek Kaşığı",
    sub_title: "6'lı set",
    brand_id: brand?.id,
    brand_model: "Lale Serisi",
    description: "<p>Paslanmaz çelik.</p>",
    price: 129_990,
    product_code: "KSK-001",
    warranty_type: 2,
    warranty_period: 24,
    has_discount: false,
    category_id: category?.id,
    shipping_template_id: catalog.shippingTemplates[0]?.id,
    stock_count: 12,
    images: ["https://ornek.example/kasik.jpg"],
  });
}
