/** Rules and profiles as JSON files. What does not fit is refused whole. */

import { readFile } from "node:fs/promises";

import { InputError } from "@catalog/i18n";

/** Rules, as a file carries them. */
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

/** How the columns of a kind of sheet are read, as a file carries it. */
export interface ProfileFile {
  readonly kind: "catalog-profile";
  readonly version: 1;
  readonly name: string;
  /** Header to field key, `property:NAME`, or `-`. */
  readonly columns: Readonly<Record<string, string>>;
  /** Headers of the sheets that it is for, used or not. */
  readonly headers: readonly string[];
  readonly constants: Readonly<Record<string, string>>;
  readonly decimal: "comma" | "point" | null;
}

/** Throws `InputError` where the text is no file of rules. */
export function parseRuleFile(
  text: string,
  path: string,
): readonly { field: string; value: string; target: string; targetId: string | null }[] {
  const file = parseObject(text);
  const rules = file?.["kind"] === "catalog-rules" ? file["rules"] : undefined;
  if (!Array.isArray(rules)) throw notAFile(path, "catalog-rules");
  return rules.map((rule: unknown) => {
    if (!isObject(rule)) throw notAFile(path, "catalog-rules");
    const { field, value, target, id } = rule;
    if (!isText(field) || !isText(value) || !isText(target)) throw notAFile(path, "catalog-rules");
    return { field, value, target, targetId: isText(id) ? id : null };
  });
}

/** Throws `InputError` where the text is no profile. */
export function parseProfileFile(text: string, path: string): ProfileFile {
  const file = parseObject(text) ?? {};
  const { kind, name, headers, decimal } = file;
  const columns = textsOf(file["columns"]);
  const constants = textsOf(file["constants"] ?? {});
  if (columns === undefined || constants === undefined) throw notAFile(path, "catalog-profile");
  if (kind !== "catalog-profile" || !isText(name) || name === "") {
    throw notAFile(path, "catalog-profile");
  }
  const known = textList(headers);
  return {
    kind,
    version: 1,
    name,
    columns,
    headers: known.length === 0 ? Object.keys(columns) : known,
    constants,
    decimal: isDecimal(decimal) ? decimal : null,
  };
}

/** The text of a file. Throws `InputError` where it cannot be read. */
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

const textList = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((each) => isText(each)) : [];

const isDecimal = (value: unknown): value is "comma" | "point" =>
  value === "comma" || value === "point";

const isText = (value: unknown): value is string => typeof value === "string";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function textsOf(value: unknown): Readonly<Record<string, string>> | undefined {
  if (!isObject(value)) return undefined;
  const entries = Object.entries(value).flatMap(([key, each]) =>
    isText(each) ? [[key, each]] : [],
  );
  return entries.length === Object.keys(value).length ? Object.fromEntries(entries) : undefined;
}

function notAFile(path: string, kind: string): InputError {
  return new InputError({
    tr: `"${path}" bir ${kind} dosyası değil. Örneği dışa aktararak görebilirsiniz.`,
    en: `"${path}" is not a ${kind} file. Export one to see what it looks like.`,
  });
}
