/** Invented customers, with names that are common in Türkiye. */

import { findCity, type SandboxCity } from "../catalog/cities.ts";
import { pickFrom, pickNumber } from "../catalog/hashed-id.ts";
import { foldName } from "../catalog/name-search.ts";
import { splitNames } from "../catalog/names.ts";

const FIRST_NAMES = splitNames(
  "Ayşe, Fatma, Zeynep, Elif, Emine, Hatice, Merve, Büşra, Özge, İrem, Şule, Çiğdem, Gülşah, Nurşen, Mehmet, Mustafa, Ahmet, Ali, Hüseyin, İbrahim, Ömer, Uğur, Çağrı, Şükrü, Işıl, Tuğba, Barış, Oğuz",
);
const LAST_NAMES = splitNames(
  "Yılmaz, Kaya, Demir, Şahin, Çelik, Yıldız, Öztürk, Aydın, Özdemir, Arslan, Doğan, Kılıç, Çetin, Kara, Koç, Kurt, Özkan, Şimşek, Güneş, Işık, Ünal, Bulut, Ağaoğlu, Taş",
);
const STREETS = splitNames(
  "Atatürk Caddesi, Cumhuriyet Caddesi, İstiklal Caddesi, Gül Sokak, Lale Sokak, Çınar Sokak, Okul Sokak, Barış Bulvarı",
);
/** Plate codes of cities, repeated by their share of the parcels. */
const BIG_CITIES = ["34", "34", "34", "06", "35", "16", "07", "01", "42", "27"];

export interface Customer {
  readonly name: string;
  readonly email: string;
  readonly address: string;
}

/** Creates a person, who depends only on the words. */
export function createCustomer(
  cities: readonly SandboxCity[],
  ...words: readonly string[]
): Customer {
  const name = createName(...words);
  const plate =
    pickNumber(3, "big city", ...words) > 0
      ? pickFrom(BIG_CITIES, "city", ...words)
      : pickFrom(cities, "city", ...words).id;
  const city = findCity(cities, plate);
  const district = pickFrom(city?.districts ?? [], "district", ...words);
  const street = pickFrom(STREETS, "street", ...words);
  const doors = [90, 20].map((limit) => 1 + pickNumber(limit, "door", String(limit), ...words));
  const mailbox = foldName(name).replaceAll(" ", ".");
  return {
    name,
    email: `${mailbox}${pickNumber(900, "mail", ...words)}@ornek.example`,
    address: `${street} No: ${doors[0]} D: ${doors[1]}, ${district.name} / ${city?.name}`,
  };
}

/** The name of the person whom `createCustomer` creates for the words. */
export function createName(...words: readonly string[]): string {
  const first = pickFrom(FIRST_NAMES, "first name", ...words);
  return `${first} ${pickFrom(LAST_NAMES, "last name", ...words)}`;
}

/** Masks a name, "Ayşe Kaya" as "A*** K***", as comments show their authors. */
export function maskName(name: string): string {
  return name.replaceAll(/(?<=\p{L})\p{L}+/gu, "***");
}
