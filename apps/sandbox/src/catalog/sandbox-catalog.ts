/** The catalog of the marketplace: categories, brands, models, properties and shipping templates. */

import {
  type Brand,
  type BrandModel,
  type CategoryProperty,
  type ShippingTemplate,
  idSchemas,
} from "@catalog/contract";

import {
  type CategoryNode,
  createCategoryTree,
  DEPARTMENTS,
  listBrandNames,
  listModelNames,
  type SandboxCategory,
  startOfDepartment,
} from "./category-tree.ts";
import { createHashedId, foldName, pickFrom, splitNames } from "./names.ts";

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
