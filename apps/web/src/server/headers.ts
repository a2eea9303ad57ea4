/** Headers of every answer. */

import type { FastifyHelmetOptions } from "@fastify/helmet";

/** Hash of the one style that react-aria puts into the page; a test computes it from its source. */
export const PRESSABLE_STYLE_HASH = "sha256-38RhXrc7EdReTKsOm23ZPOCUgniTUUcjky8QOOrQx6o=";

/** Nothing from elsewhere is loaded or shown, and nothing is shown elsewhere. */
export const HEADERS: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'", `'${PRESSABLE_STYLE_HASH}'`],
      imgSrc: ["'self'", "data:"],
      connectSrc: ["'self'"],
      formAction: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  crossOriginResourcePolicy: { policy: "same-origin" },
  crossOriginOpenerPolicy: { policy: "same-origin" },
  referrerPolicy: { policy: "no-referrer" },
  // The server has no certificate, and a rule for 127.0.0.1 would hold for other programs, too.
  strictTransportSecurity: false,
};
