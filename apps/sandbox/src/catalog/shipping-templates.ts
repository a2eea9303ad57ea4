/** The store's shipping templates. */

import { type ShippingTemplate, shippingTemplateId } from "@catalog/contract";

import { createHashedId } from "./hashed-id.ts";

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
export function createShippingTemplates(): readonly ShippingTemplate[] {
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
    id: shippingTemplateId.parse(createHashedId("shipping template", facts.name)),
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
