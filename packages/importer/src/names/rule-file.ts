/** Rules and profiles as JSON files; an invalid file is refused as a whole. */

import { readFile } from "node:fs/promises";

import { InputError } from "@catalog/i18n";
import { z } from "zod";

/** Rules in a file. */
export interface RuleFile {
  readonly kind: "catalog-rules";
  readonly version: 1;
  readonly rules: readonly FileRule[];
}

interface FileRule {
  readonly field: string;
  readonly value: string;
  readonly target: string;
  readonly id?: string;
}

/** The mapping of a kind of sheet in a file. */
export interface ProfileFile {
  readonly kind: "catalog-profile";
  readonly version: 1;
  readonly name: string;
  /** Header to field key, `property:NAME`, or `-`. */
  readonly columns: Readonly<Record<string, string>>;
  /** Headers of the sheets that the profile is for, used or not. */
  readonly headers: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly decimal: "comma" | "point" | null;
}

/** An invalid id, decimal sign or header is ignored. */
const ruleSchema = z.object({
  field: z.string(),
  value: z.string(),
  target: z.string(),
  id: z.string().nullable().catch(null),
});

const ruleFileSchema = z.object({
  kind: z.literal("catalog-rules"),
  rules: z.array(ruleSchema),
});

const textsSchema = z.record(z.string(), z.string());

const profileFileSchema = z.object({
  kind: z.literal("catalog-profile"),
  name: z.string().min(1),
  columns: textsSchema,
  headers: z
    .array(z.unknown())
    .catch([])
    .transform((headers) => headers.filter((header) => typeof header === "string")),
  constants: textsSchema.nullish(),
  decimal: z.enum(["comma", "point"]).nullable().catch(null),
});

/** Parses a file of rules. Throws `InputError` for any other text. */
export function parseRuleFile(
  text: string,
  path: string,
): readonly { field: string; value: string; target: string; targetId: string | null }[] {
  const file = ruleFileSchema.safeParse(parseJson(text)).data;
  if (file === undefined) throw notAFile(path, "catalog-rules");
  return file.rules.map(({ id, ...rule }) => Object.assign(rule, { targetId: id }));
}

/** Parses a profile. Throws `InputError` for any other text. */
export function parseProfileFile(text: string, path: string): ProfileFile {
  const file = profileFileSchema.safeParse(parseJson(text)).data;
  if (file === undefined) throw notAFile(path, "catalog-profile");
  const { columns, headers, constants } = file;
  const known = headers.length === 0 ? Object.keys(columns) : headers;
  return { ...file, version: 1, headers: known, constants: constants ?? {} };
}

/** Reads the text of a file. Throws `InputError` where it cannot be read. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof TypeError) {
      throw new InputError(
        {
          tr: `"${path}" UTF-8 değil. Dosyayı UTF-8 olarak yeniden kaydedin.`,
          en: `"${path}" is not UTF-8. Save the file again as UTF-8.`,
        },
        { cause: error },
      );
    }
    throw new InputError(
      {
        tr: `"${path}" okunamadı. Dosyanın yerini ve adını kontrol edin.`,
        en: `"${path}" cannot be read. Check where the file is and what it is called.`,
      },
      { cause: error },
    );
  }
}

/** `undefined` for invalid JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function notAFile(path: string, kind: string): InputError {
  return new InputError({
    tr: `"${path}" bir ${kind} dosyası değil. Örneği dışa aktararak görebilirsiniz.`,
    en: `"${path}" is not a ${kind} file. Export one to see what it looks like.`,
  });
}
