/** One top category with what its products have in common. Lists are texts separated by ", ". */
export interface Department {
  readonly name: string;
  /** Percent. */
  readonly vat: 1 | 10 | 20;
  /** Percent. */
  readonly commission: number;
  readonly maxInstallment: number;
  /** How brands name their models: "GX 450 Plus" or "Lale Serisi". */
  readonly modelStyle: "technical" | "collection";
  /** Usual prices in whole TL: lowest, highest. */
  readonly priceTl: readonly [number, number];
  /** The names that every leaf category has besides the generated ones. */
  readonly brands: string;
  /** Names from the property table. */
  readonly properties: string;
  /** Second level, third level, and the leaf names as a list. */
  readonly shelves: Readonly<Record<string, Readonly<Record<string, string>>>>;
}
