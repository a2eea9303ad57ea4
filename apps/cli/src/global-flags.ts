import { type FlagDefinition } from "@catalog/console";

/** Names of the flags that every command takes, with what they may be. */
export const GLOBAL_FLAGS: Readonly<Record<string, Pick<FlagDefinition, "type" | "choices">>> = {
  json: { type: "boolean" },
  lang: { type: "string", choices: ["tr", "en"] },
  quiet: { type: "boolean" },
  "no-color": { type: "boolean" },
  help: { type: "boolean" },
};
