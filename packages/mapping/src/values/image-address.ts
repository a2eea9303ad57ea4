import { accept, type Reading, refuse } from "../issues/issue.ts";

const FILE_NAME = /^[^:]*\.(?:jpe?g|png|webp|gif|bmp|avif|tiff?|heic)$/iu;
const LOCAL_PATH = /^(?:file:|[a-z]:[\\/]|[\\/])/iu;
/**
 * Fast path for the addresses of nearly every cell, which a URL parser cannot refuse: a host of
 * plain letters that is neither encoded nor ends like a number, and a path.
 */
const PLAIN_ADDRESS = /^https:\/\/[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z]{2,}\/[\w./~-]*$/u;
/** An address without its beginning, as browsers show it. */
const WITHOUT_SCHEME = /^www\.(?:[^\s:/.]+\.)+[^\s:/.]+\/\S+$/iu;
/** One address; several of them cannot be corrected in one step. */
const ONE_ADDRESS = /^http(s?):\/\/([^\s/]+\/(?:(?!https?:).)*)$/iu;
const SEPARATORS = /[;|\r\n]+/u;
/** An address may hold commas and a file name blanks, so these divide only before an address. */
const BEFORE_ADDRESS = /(?<![;|,\s])[;|,\s]+(?=https?:\/\/)/iu;
const AT_THE_ENDS = /^[;|,\s]+|(?<![;|,\s])[;|,\s]+$/gu;

/**
 * Reads one address of an image. Only its form is checked, not whether it can be reached; an
 * address inside a private network passes.
 */
export function parseImageAddress(text: string): Reading<string> {
  if (PLAIN_ADDRESS.test(text)) return accept(text);
  if (LOCAL_PATH.test(text)) return refuse("E_PATH");
  const fault = findFault(text);
  if (fault !== undefined) return refuse(fault.text, { address: fault.address });
  if (FILE_NAME.test(text)) return refuse("E_IMAGE_FILE");
  // A URL parser takes a cell with two addresses for one valid URL.
  const isOne = !/\s/u.test(text) && !/[;|,]https?:/iu.test(text);
  const url = isOne && /^https:\/\//iu.test(text) ? URL.parse(text) : null;
  return url === null || url.hostname === "" ? refuse("E_IMAGE_URL") : accept(text);
}

/** What is wrong with an address, and the address without it. */
interface AddressFault {
  readonly text: "E_IMAGE_URL.scheme" | "E_IMAGE_URL.http" | "E_IMAGE_URL.blank";
  readonly address: string;
}

function findFault(text: string): AddressFault | undefined {
  if (WITHOUT_SCHEME.test(text)) return { text: "E_IMAGE_URL.scheme", address: `https://${text}` };
  const [, secure, rest = ""] = ONE_ADDRESS.exec(text) ?? [];
  const address = `https://${rest.replaceAll(/\s/gu, "%20")}`;
  if (rest === "" || URL.parse(address) === null) return undefined;
  if (secure === "") return { text: "E_IMAGE_URL.http", address };
  return /\s/u.test(rest) ? { text: "E_IMAGE_URL.blank", address } : undefined;
}

/**
 * The address without its fault: with the beginning that it lacks, `https` for `http`, `%20` for a
 * blank; `undefined` for a text with another fault or none.
 */
export const completeImageAddress = (text: string): string | undefined => findFault(text)?.address;

/** Whether a text is the name of an image file rather than an address. */
export function isImageFile(text: string): boolean {
  return FILE_NAME.test(text) && !LOCAL_PATH.test(text) && !WITHOUT_SCHEME.test(text);
}

/**
 * Splits a cell of several images at `;`, `|` and line breaks, and at commas and blanks before an
 * address.
 */
export function splitImageAddresses(text: string): readonly string[] {
  return text.split(SEPARATORS).flatMap((part) => splitBeforeAddresses(part));
}

/** Splits a cell of one image where further addresses follow, whatever divides them. */
export function splitBeforeAddresses(text: string): readonly string[] {
  if (PLAIN_ADDRESS.test(text)) return [text];
  return text
    .split(BEFORE_ADDRESS)
    .map((part) => part.replaceAll(AT_THE_ENDS, ""))
    .filter((part) => part !== "");
}
