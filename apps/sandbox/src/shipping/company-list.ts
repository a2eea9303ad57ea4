/** Invented shipping companies. */

import { type ShippingCompanyId, shippingCompanyId } from "@catalog/contract";

import { createHashedId } from "../catalog/hashed-id.ts";

export interface SandboxCompany {
  readonly id: ShippingCompanyId;
  readonly name: string;
  readonly has_contract_with_platform: boolean;
}

const CONTRACTED = ["Örnek Kargo", "Deneme Lojistik", "Anadolu Ekspres", "Boğaz Kurye"];
const OTHERS = ["Toros Dağıtım", "Karadeniz Nakliyat", "Ege Ambar", "Mağaza Kuryesi"];

/** Contracted companies first. */
export const COMPANIES: readonly SandboxCompany[] = [
  ...CONTRACTED.map((name) => createCompany(name, true)),
  ...OTHERS.map((name) => createCompany(name, false)),
];

function createCompany(name: string, has_contract_with_platform: boolean): SandboxCompany {
  const id = shippingCompanyId.parse(createHashedId("shipping company", name));
  return { id, name, has_contract_with_platform };
}
