/** The addresses from which goods are sent and to which they are returned. */

import { type AddressId, addressId } from "@catalog/contract";

import { createHashedId } from "../catalog/hashed-id.ts";

export interface StoreAddress {
  readonly id: AddressId;
  readonly title: string;
  readonly city: string;
  readonly district: string;
  readonly full_address: string;
  readonly phone: string;
}

const create = (key: string, address: Omit<StoreAddress, "id">): StoreAddress => ({
  id: addressId.parse(createHashedId("address", key)),
  ...address,
});

/** The first one is used by every template of the start. */
export const ADDRESSES: readonly StoreAddress[] = [
  create("depo", {
    title: "Merkez Depo",
    city: "İstanbul",
    district: "Ümraniye",
    full_address: "Şerifali Mahallesi, Örnek Sokak No: 4",
    phone: "+90 216 000 00 01",
  }),
  create("magaza", {
    title: "Mağaza",
    city: "İstanbul",
    district: "Kadıköy",
    full_address: "Moda Caddesi No: 12",
    phone: "+90 216 000 00 02",
  }),
  create("iade", {
    title: "İade Deposu",
    city: "Kocaeli",
    district: "Gebze",
    full_address: "Güzeller OSB, 3. Cadde No: 8",
    phone: "+90 262 000 00 03",
  }),
  create("izmir", {
    title: "İzmir Şubesi",
    city: "İzmir",
    district: "Çiğli",
    full_address: "Atatürk OSB, 10007. Sokak No: 1",
    phone: "+90 232 000 00 04",
  }),
];
