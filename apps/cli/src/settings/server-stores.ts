/** The stores of a server, as it names them to the commands that it starts. */

import { STORE_NAMES_VARIABLE } from "@catalog/console";
import * as z from "zod";

/** A store of a server, by its name. */
interface NamedPlace {
  readonly name: string;
  readonly baseUrl: string;
  readonly storeId: string;
}

const namesSchema: z.ZodType<readonly NamedPlace[]> = z.array(
  z.object({ name: z.string(), baseUrl: z.string(), storeId: z.string() }),
);

/** The stores of a server, which a command that it starts is told; `undefined` for any other. */
export function parseStoreNames(
  env: Readonly<Record<string, string | undefined>>,
): readonly NamedPlace[] | undefined {
  const text = env[STORE_NAMES_VARIABLE];
  if (!text) return undefined;
  try {
    return namesSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
