/**
 * Migrations of both databases after the tables of PostgreSQL were first made, written once; types as
 * `toPostgres` reads them. A released migration is never changed.
 */

/**
 * Keys of look-alike codes leave out more than before. Those of adds are filled again when codes
 * are first compared; the listing is read again before each plan.
 */
const WIDER_ALIKE_CODES = [`UPDATE op SET suspect_key = NULL`];

export const SHARED_MIGRATIONS: readonly (readonly string[])[] = [WIDER_ALIKE_CODES];
