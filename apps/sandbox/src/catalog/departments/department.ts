/** One top category with the properties of its products. Lists are texts separated by ", ". */
export interface Department {
  readonly name: string;
  /** VAT in percent. */
  readonly vat: 1 | 10 | 20;
  /** Commission of the platform in percent. */
  readonly commission: number;
  readonly maxInstallment: number;
  /** Style of the models' names: "GX 450 Plus" or "Lale Serisi". */
  readonly modelStyle: "technical" | "collection";
  /** Usual prices in whole TL: lowest, highest. */
  readonly priceTl: readonly [number, number];
  /** Brands that every leaf category has, besides the generated ones. */
  readonly brands: string;
  /** Names of properties in the property table. */
  readonly properties: string;
  /** Names of the second and third level, and the leaf names as a list. */
  readonly categories: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
