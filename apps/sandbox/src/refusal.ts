/** A request that the marketplace answers with a refusal: thrown anywhere, turned into an answer once. */

import * as z from "zod";

/** What people read, in both languages of the marketplace. */
export interface Message {
  readonly en: string;
  readonly tr: string;
}

export interface RefusalOptions {
  /** HTTP status of the answer. */
  readonly httpStatus: number;
  readonly message: Message;
  /** `data.status` of the answer. @default false */
  readonly status?: false | "error";
  readonly headers?: Readonly<Record<string, string>>;
}

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly httpStatus: number;
  readonly status: false | "error";
  readonly messageTr: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor({ httpStatus, message, status = false, headers = {} }: RefusalOptions) {
    super(message.en);
    this.httpStatus = httpStatus;
    this.status = status;
    this.messageTr = message.tr;
    this.headers = headers;
  }
}

/** One field of the input with the rule that it breaks. */
export interface FieldProblem {
  readonly field: string;
  readonly message: Message;
}

/** A refusal that names every wrong field. */
export function createInputRefusal(problems: readonly FieldProblem[]): Refusal {
  const join = (language: keyof Message): string =>
    problems.map(({ field, message }) => `${field}: ${message[language]}`).join("; ");
  return new Refusal({
    httpStatus: 400,
    message: { en: `Invalid input: ${join("en")}`, tr: `Geçersiz girdi: ${join("tr")}` },
  });
}

/** A refusal for something that the path or the body names and that does not exist. */
export function createMissingRefusal(what: Message): Refusal {
  return new Refusal({
    httpStatus: 404,
    message: { en: `${what.en} not found`, tr: `${what.tr} bulunamadı` },
  });
}

/** Checks input with its schema; throws a refusal that names the fields in both languages. */
export function parseInput<Input>(schema: z.ZodType<Input>, raw: unknown): Input {
  const english = schema.safeParse(raw);
  if (english.success) return english.data;
  const turkish = schema.safeParse(raw, { error: z.locales.tr().localeError });
  throw createInputRefusal(
    english.error.issues.map((issue, index) => ({
      field: issue.path.join(".") || "body",
      message: {
        en: issue.message,
        tr: turkish.error?.issues[index]?.message ?? issue.message,
      },
    })),
  );
}
