import * as z from "zod";

import type { Endpoint, NoInput } from "../endpoint.ts";

/**
 * An element of the city list. The specification says only that cities come with their districts:
 * no field of a city is shown, so none is required, and districts are left as they come.
 */
export interface City {
  readonly id?: string | number | null | undefined;
  readonly name?: string | null | undefined;
  readonly districts?: readonly unknown[] | null | undefined;
}

/** The city call. */
export interface CityEndpoints {
  /** Section Cities: GET /v1.1/city/. */
  readonly list: Endpoint<NoInput, readonly City[]>;
}

export const cityEndpoints: CityEndpoints = {
  list: {
    method: "GET",
    path: "/city/",
    versions: ["v1.1", "v1.0"],
    permission: "general",
    effect: "read",
    paging: undefined,
    section: "Cities",
    summary: "List the cities with their districts.",
    input: z.object({}),
    data: z.array(
      z.looseObject({
        id: z.union([z.string(), z.number()]).nullish(),
        name: z.string().nullish(),
        districts: z.array(z.unknown()).nullish(),
      }),
    ),
  },
};
