import { createHeaderTable } from "./header-patterns.ts";
import type { PlatformProfile } from "./platform.ts";
import { NO_PLATFORM, PLATFORMS } from "./platforms.ts";

/** The platform whose profile a file is read with. */
export interface ReadPlatform {
  readonly name: string;
  readonly label: string;
  /** Whether a person named it; otherwise its headers did. */
  readonly isGiven: boolean;
}

/** Fewer marks are a coincidence: single headers of platforms occur in many files. */
const MIN_MARKS = 3;

/**
 * Finds the platform that wrote a file by its headers; `undefined` where no platform has enough
 * marks in it, or two platforms have equally many.
 */
export function recognisePlatform(headers: readonly string[]): PlatformProfile | undefined {
  let best: { readonly profile: PlatformProfile; readonly count: number } | undefined;
  let isTie = false;
  for (const profile of PLATFORMS) {
    const count = countMarks(profile, headers);
    if (count < MIN_MARKS || count < (best?.count ?? 0)) continue;
    isTie = count === best?.count;
    best = { profile, count };
  }
  return isTie ? undefined : best?.profile;
}

/** The platform of that name; throws for a name that is none of `PLATFORM_NAMES`. */
export function findPlatform(name: string): PlatformProfile | undefined {
  if (name === NO_PLATFORM) return undefined;
  const profile = PLATFORMS.find((each) => each.name === name);
  if (profile === undefined) throw new RangeError(`no platform is named "${name}"`);
  return profile;
}

function countMarks({ marks, needs }: PlatformProfile, headers: readonly string[]): number {
  const needed = createHeaderTable((needs ?? []).map((mark) => [mark, mark]));
  const isPossible = needs === undefined || headers.some((header) => needed.find(header));
  if (!isPossible) return 0;
  const table = createHeaderTable(marks.map((mark) => [mark, mark]));
  return new Set(headers.map((header) => table.find(header)).filter((mark) => mark !== undefined))
    .size;
}
