import type { FlagDefinition } from "@catalog/console";

/** The flags that every command accepts, with their types. */
export const GLOBAL_FLAGS: Readonly<Record<string, Pick<FlagDefinition, "type" | "choices">>> = {
  json: { type: "boolean" },
  lang: { type: "string", choices: ["tr", "en"] },
  quiet: { type: "boolean" },
  "no-color": { type: "boolean" },
  help: { type: "boolean" },
};
