/**
 * The catalog of the marketplace: categories, brands and models made from the departments, with
 * their properties, and the shipping templates of the start.
 */

import {
  type Brand,
  type BrandModel,
  type Category,
  type CategoryProperty,
  type Id,
  idSchemas,
  type ShippingTemplate,
} from "@catalog/contract";

import {
  type Department,
  FASHION_DEPARTMENTS,
  HOME_DEPARTMENTS,
  LEISURE_DEPARTMENTS,
  TECHNOLOGY_DEPARTMENTS,
} from "./departments.ts";
import { createHashedId, foldName, pickFrom, pickNumber, splitNames } from "./names.ts";

/** A category's name and id, as elements of `parent` and `category_tree`. */
interface CategoryReference {
  readonly id: Id<"category">;
  readonly name: string;
}

/** A category in an answer, with every field. */
export interface SandboxCategory extends Category {
  readonly external_id: string;
  readonly parent: CategoryReference | null;
  readonly vat: number;
  readonly commission: number;
  readonly max_installment: number;
  readonly volumetric_weight: number;
  readonly is_adult: boolean;
  /** "Ev & Yaşam > Mutfak > Sofra > Kaşık" */
  readonly category_path: string;
  /** From the top category down to this one. */
  readonly category_tree: readonly CategoryReference[];
}

/** A category with fields that answers do not show. */
interface CategoryNode {
  readonly category: SandboxCategory;
  readonly department: Department;
  readonly isLeaf: boolean;
}

const DEPARTMENTS: readonly Department[] = [
  ...HOME_DEPARTMENTS,
  ...TECHNOLOGY_DEPARTMENTS,
  ...FASHION_DEPARTMENTS,
  ...LEISURE_DEPARTMENTS,
];

const LEAF_LEVEL = 4;
const PATH_SEPARATOR = " > ";
const EXTERNAL_IDS = { first: 10_000_000, count: 90_000_000 } as const;
const HEAVIEST_KG = 30;

/** Every category, parents before their children. */
function createCategoryTree(): readonly CategoryNode[] {
  return DEPARTMENTS.flatMap((department) => {
    const trees = new Map<string, CategoryNode["category"]["category_tree"]>();
    return listPaths(department).map((path) => {
      const above = trees.get(path.slice(0, -1).join(PATH_SEPARATOR)) ?? [];
      const node = createNode(department, path, above);
      trees.set(node.category.category_path, node.category.category_tree);
      return node;
    });
  });
}

function listPaths({ name, categories }: Department): readonly (readonly string[])[] {
  const paths: string[][] = [[name]];
  for (const [second, groups] of Object.entries(categories)) {
    paths.push([name, second]);
    for (const [third, leaves] of Object.entries(groups)) {
      paths.push([name, second, third]);
      for (const leaf of splitNames(leaves)) paths.push([name, second, third, leaf]);
    }
  }
  return paths;
}

/** `above` is the tree of the category above; empty for a department. */
function createNode(
  department: Department,
  path: readonly string[],
  above: readonly CategoryReference[],
): CategoryNode {
  const own = {
    id: idSchemas.category.parse(createHashedId("category", ...path)),
    name: path.at(-1) ?? "",
  };
  const { first, count } = EXTERNAL_IDS;
  return {
    department,
    isLeaf: path.length === LEAF_LEVEL,
    category: {
      ...own,
      external_id: String(first + pickNumber(count, "external id", ...path)),
      parent: above.at(-1) ?? null,
      vat: department.vat,
      commission: department.commission,
      max_installment: department.maxInstallment,
      volumetric_weight: 1 + pickNumber(HEAVIEST_KG, "weight", ...path),
      is_adult: false,
      category_path: path.join(PATH_SEPARATOR),
      category_tree: [...above, own],
    },
  };
}

const BEGINNINGS = splitNames(
  "Ada, Akın, Alaz, Alp, Arda, Arı, Asya, Ata, Ayaz, Bahar, Barış, Bora, Boğaz, Ceylan, Cihan, Çağ, Çam, Çelik, Dağ, Demir, Deniz, Doruk, Duru, Ege, Elif, Ender, Erdem, Esin, Fırat, Funda, Gök, Gül, Güneş, Hazar, Hisar, Ilgaz, Irmak, Işın, İda, İnci, Kaan, Karan, Kaya, Kervan, Koru, Kuzey, Lale, Mavi, Mert, Meşe, Nehir, Nova, Okan, Onur, Ova, Öz, Pınar, Polat, Rüya, Sarp, Selin, Sera, Şahin, Şen, Tan, Toros, Tuna, Umut, Ural, Uzay, Ülkü, Vadi, Yaman, Yıldız, Zeren, Zirve",
);
const ENDINGS = splitNames(
  "bay, dem, dora, el, ev, form, gon, han, kan, ka, kur, lan, lar, lin, lis, lux, mak, mar, mer, mira, net, nur, pak, pan, ray, ron, san, sel, set, soy, tan, tay, tek, teks, tem, ton, var, yol",
);

/** Minimum and maximum number of brands of a leaf, both included. */
const BRANDS_PER_LEAF = { min: 24, max: 150 } as const;
/** Number of generated names of one department; neighbouring departments share some. */
const DRAWN_FROM = 600;
const GENERATED_COUNT = BEGINNINGS.length * ENDINGS.length;
/** Coprime to `DRAWN_FROM`, so that a run uses every name before it repeats one. */
const STRIDE = 7;
/** Coprime to `GENERATED_COUNT`, so that neighbouring numbers have different beginnings. */
const SCATTER = 1009;

/**
 * The names of a leaf category's brands, each once; `start` is its department's
 * `startOfDepartment`.
 */
function listBrandNames(department: Department, path: string, start: number): readonly string[] {
  const own = splitNames(department.brands);
  const { min, max } = BRANDS_PER_LEAF;
  const count = min + pickNumber(max - min + 1, "brand count", path);
  const first = pickNumber(DRAWN_FROM, "first brand", path);
  const generated = Array.from({ length: count - own.length }, (_, index) =>
    generateName(start + ((first + index * STRIDE) % DRAWN_FROM)),
  );
  return [...new Set([...own, ...generated])];
}

/** First generated name of a department, so that the departments together use all names. */
function startOfDepartment(index: number, departments: number): number {
  return Math.floor((index * GENERATED_COUNT) / departments);
}

function generateName(number: number): string {
  const scattered = (number * SCATTER) % GENERATED_COUNT;
  const beginning = BEGINNINGS[scattered % BEGINNINGS.length] ?? "";
  return `${beginning}${ENDINGS[Math.floor(scattered / BEGINNINGS.length)] ?? ""}`;
}

const COLLECTIONS = splitNames(
  "Lale, Safir, Defne, Pera, Truva, Efes, Anka, Zümrüt, Nilüfer, Galata, Bosfor, Karanfil, Sedef, Hitit, Likya, Nergis, Kardelen, İpek, Işıltı, Asil",
);
const KINDS = splitNames("Serisi, Klasik, Modern, Özel Seri, Elit, Doğal");
const LETTERS = splitNames("GX, TR, MK, VX, SL, KB, ZN, AR, HT, PRO");
const GRADES = splitNames("Plus, Max, Lite, Eko, Turbo, Mini");

/** Minimum and maximum number of models per brand and category, both included. */
const MODELS_PER_BRAND = { min: 3, max: 12 } as const;

/** The names of a brand's models in one category, each once. */
function listModelNames(
  style: Department["modelStyle"],
  path: string,
  brand: string,
): readonly string[] {
  const { min, max } = MODELS_PER_BRAND;
  const count = min + pickNumber(max - min + 1, "model count", path, brand);
  const start = pickNumber(COLLECTIONS.length * KINDS.length, "first model", path, brand);
  return Array.from({ length: count }, (_, index) =>
    style === "technical" ? technicalName(start, index) : collectionName(start, index),
  );
}

/** "GX 450 Plus": the number grows with the index, so names are unique. */
function technicalName(start: number, index: number): string {
  const letters = LETTERS[start % LETTERS.length] ?? "";
  const number = 100 + (start % 8) * 100 + index * 50;
  const grade = index % 2 === 0 ? undefined : GRADES[(start + index) % GRADES.length];
  return [letters, number, grade].filter((part) => part !== undefined).join(" ");
}

/** "Lale Serisi": the collection changes with the index, so names are unique. */
function collectionName(start: number, index: number): string {
  const collection = COLLECTIONS[(start + index) % COLLECTIONS.length] ?? "";
  return `${collection} ${KINDS[(start + index * 2) % KINDS.length] ?? ""}`;
}

const OPTIONS: Readonly<Record<string, string>> = {
  Renk: "Siyah, Beyaz, Gri, Kırmızı, Lacivert, Mavi, Yeşil, Sarı, Turuncu, Mor, Pembe, Bej, Kahverengi, Gümüş, Altın, Şeffaf, Çok Renkli",
  Beden: "XS, S, M, L, XL, XXL, 3XL, Standart",
  Numara: "36, 37, 38, 39, 40, 41, 42, 43, 44, 45",
  Materyal:
    "Pamuk, Polyester, Yün, Keten, İpek, Deri, Suni Deri, Ahşap, Cam, Porselen, Paslanmaz Çelik, Alüminyum, Plastik, Silikon, Gümüş",
  "Parça Sayısı": "1, 2, 4, 6, 12, 18, 24, 36, 48",
  Tarz: "Modern, Klasik, Rustik, İskandinav, Vintage",
  Güç: "400 W, 700 W, 1000 W, 1500 W, 1800 W, 2200 W, 2600 W",
  "Enerji Sınıfı": "A, B, C, D, E",
  Kapasite: "0,5 L, 1 L, 1,7 L, 3 L, 5 L, 10 L",
  Ölçü: "Küçük, Orta, Büyük, Ekstra Büyük",
  Hafıza: "32 GB, 64 GB, 128 GB, 256 GB, 512 GB, 1 TB",
  "Ekran Boyutu": "6,1 inç, 10,5 inç, 15,6 inç, 27 inç, 43 inç, 55 inç, 65 inç",
  Bağlantı: "Bluetooth, Wi-Fi, USB-C, HDMI, Kablolu, Kablosuz",
  "Uyumlu Araç": "Otomobil, Kamyonet, Minibüs, Motosiklet, Universal",
  Kalıp: "Dar, Normal, Bol, Oversize",
  Desen: "Düz, Çizgili, Kareli, Çiçekli, Puantiyeli",
  Taş: "Taşsız, Zirkon, İnci, Akik, Firuze",
  Hacim: "50 ml, 100 ml, 250 ml, 400 ml, 750 ml, 1 L, 5 L",
  "Cilt Tipi": "Normal, Kuru, Yağlı, Karma, Hassas",
  "Yaş Grubu": "0-6 Ay, 6-12 Ay, 1-3 Yaş, 3-6 Yaş, 6+ Yaş",
  Ağırlık: "250 g, 500 g, 1 kg, 2,5 kg, 5 kg",
  Adet: "1, 2, 4, 8, 12, 24, 32",
};

/** The property of this name with its options. */
function createProperty(name: string): CategoryProperty {
  const options = OPTIONS[name];
  if (options === undefined) throw new RangeError(`no property is named ${name}`);
  return {
    id: idSchemas.property.parse(createHashedId("property", name)),
    name,
    property_options: splitNames(options).map((option) => ({
      id: idSchemas.propertyOption.parse(createHashedId("option", name, option)),
      display_name: option,
      tag: foldName(option).replaceAll(/[^a-z0-9]+/gu, "-"),
    })),
  };
}

interface TemplateFacts {
  readonly name: string;
  readonly note: string;
  /** Shipping time in days. */
  readonly time: number;
  readonly free?: true;
  readonly cities?: readonly string[];
}

const TEMPLATES: readonly TemplateFacts[] = [
  { name: "Standart Teslimat", note: "1-3 iş günü içinde kargoda", time: 3 },
  { name: "Ücretsiz Kargo", note: "Kargo ücreti satıcıya ait", time: 3, free: true },
  { name: "Hızlı Teslimat", note: "Saat 14.00'e kadar aynı gün kargoda", time: 1 },
  { name: "Alıcı Ödemeli", note: "Kargo ücreti kapıda ödenir", time: 3 },
  { name: "Büyük Hacimli Ürünler", note: "Ambar ile gönderilir", time: 7 },
  {
    name: "İstanbul İçi Kurye",
    note: "Yalnızca İstanbul",
    time: 1,
    cities: ["İstanbul"],
  },
  { name: "Işık Hızında Kargo", note: "Ertesi gün teslim", time: 1 },
  { name: "Kişiye Özel Üretim", note: "Üretim süresi 10 iş günü", time: 10, free: true },
];

const FIRST_CREATED_MS = Date.UTC(2024, 0, 15, 9);
const DAY_MS = 24 * 60 * 60 * 1000;

/** The templates in the order in which the listing shows them. */
function createShippingTemplates(): readonly ShippingTemplate[] {
  return TEMPLATES.map((facts, index) => {
    const created = new Date(FIRST_CREATED_MS + index * DAY_MS);
    return createTemplate(facts, created.toISOString());
  });
}

function createTemplate(facts: TemplateFacts, createdAt: string): ShippingTemplate {
  const companies = ["Örnek Kargo", "Deneme Lojistik"].map((name) => ({
    id: createHashedId("shipping company", name),
    name,
  }));
  const address = {
    id: createHashedId("address", "depo"),
    title: "Merkez Depo",
    city: "İstanbul",
    district: "Ümraniye",
  };
  return {
    id: idSchemas.shippingTemplate.parse(createHashedId("shipping template", facts.name)),
    template_name: facts.name,
    all_country: facts.cities === undefined,
    free_shipping: facts.free === true,
    shipping_note: facts.note,
    shipping_time: facts.time,
    ...(facts.cities && { suitable_cities: facts.cities }),
    use_contractred_company: false,
    shipping_with_together: true,
    shipping_companies: companies,
    return_companies: companies,
    sender_address: address,
    return_address: address,
    common_address: true,
    created_at: createdAt,
  };
}

/**
 * The read-only data of every sandbox. Brands and models are generated on first use; an unknown id
 * has no brands, models or properties.
 */
export interface SandboxCatalog {
  /** Every category, parents before their children. */
  readonly categories: readonly SandboxCategory[];
  readonly shippingTemplates: readonly ShippingTemplate[];
  category(id: string): SandboxCategory | undefined;
  /** Whether the category can have products: only on the fourth level. */
  isLeaf(categoryId: string): boolean;
  /** Usual prices in a category, in minor units of TL: lowest, highest. */
  priceRangeMinor(categoryId: string): readonly [number, number];
  /** Brands of a leaf category, by name; other categories have none. */
  brands(categoryId: string): readonly Brand[];
  /** A brand of the category; undefined where the category has no brand with this id. */
  brand(categoryId: string, brandId: string): Brand | undefined;
  models(categoryId: string, brandId: string): readonly BrandModel[];
  /** One of the models, as `pickFrom` picks it. Throws a `RangeError` for an unknown brand. */
  pickModel(categoryId: string, brandId: string, ...words: readonly string[]): BrandModel;
  properties(categoryId: string): readonly CategoryProperty[];
}

interface CategoryBrands {
  readonly list: readonly Brand[];
  readonly byId: ReadonlyMap<string, Brand>;
}

/** A brand with the category of its models. */
interface BrandModels {
  readonly node: CategoryNode;
  readonly brand: Brand;
}

/** Creates the catalog, with the same names and ids every time. */
export function createSandboxCatalog(): SandboxCatalog {
  const nodes = new Map(createCategoryTree().map((node) => [String(node.category.id), node]));
  const brandsByCategory = new Map<string, CategoryBrands>();
  const propertyTable = createPropertyTable();

  const brandsOf = (categoryId: string): CategoryBrands => {
    const known = brandsByCategory.get(categoryId);
    if (known !== undefined) return known;
    const node = nodes.get(categoryId);
    const list = node?.isLeaf === true ? createBrands(node) : [];
    const made = { list, byId: new Map<string, Brand>(list.map((brand) => [brand.id, brand])) };
    if (node !== undefined) brandsByCategory.set(categoryId, made);
    return made;
  };
  const brand = (categoryId: string, wanted: string): Brand | undefined =>
    brandsOf(categoryId).byId.get(wanted);
  const modelsOf = (categoryId: string, wanted: string): BrandModels | undefined => {
    const node = nodes.get(categoryId);
    const own = brand(categoryId, wanted);
    return node === undefined || own === undefined ? undefined : { node, brand: own };
  };

  return {
    categories: [...nodes.values()].map((node) => node.category),
    shippingTemplates: createShippingTemplates(),
    category: (id) => nodes.get(id)?.category,
    isLeaf: (id) => nodes.get(id)?.isLeaf === true,
    priceRangeMinor(id) {
      const [lowest, highest] = nodes.get(id)?.department.priceTl ?? [1, 1];
      return [lowest * 100, highest * 100];
    },
    brands: (categoryId) => brandsOf(categoryId).list,
    brand,
    models(categoryId, wanted) {
      const models = modelsOf(categoryId, wanted);
      return models === undefined ? [] : listNames(models).map((name) => createModel(models, name));
    },
    pickModel(categoryId, wanted, ...words) {
      const models = modelsOf(categoryId, wanted);
      if (models === undefined) throw new RangeError(`no brand ${wanted} is in ${categoryId}`);
      return createModel(models, pickFrom(listNames(models), ...words));
    },
    properties(categoryId) {
      const node = nodes.get(categoryId);
      return node?.isLeaf === true ? propertyTable(node.department.properties) : [];
    },
  };
}

/** Comparing by a collator takes a tenth of the time that `localeCompare` does. */
const TURKISH = new Intl.Collator("tr");

function createBrands({ category, department }: CategoryNode): readonly Brand[] {
  const start = startOfDepartment(DEPARTMENTS.indexOf(department), DEPARTMENTS.length);
  return listBrandNames(department, category.category_path, start)
    .toSorted(TURKISH.compare)
    .map((name) => ({ id: idSchemas.brand.parse(createHashedId("brand", name)), name }));
}

const listNames = ({ node, brand }: BrandModels): readonly string[] =>
  listModelNames(node.department.modelStyle, node.category.category_path, brand.name);

function createModel({ node, brand }: BrandModels, name: string): BrandModel {
  const { category_path: path, name: category_name } = node.category;
  const id = idSchemas.brandModel.parse(createHashedId("model", path, brand.name, name));
  return { id, name, category_name, brand_name: brand.name };
}

/** Creates the properties of a list of names once: every product in a listing shows them. */
function createPropertyTable(): (names: string) => readonly CategoryProperty[] {
  const known = new Map<string, readonly CategoryProperty[]>();
  return (names) => {
    const properties = known.get(names) ?? splitNames(names).map(createProperty);
    known.set(names, properties);
    return properties;
  };
}
