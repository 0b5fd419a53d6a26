import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { isoTime } from '../shared/fields.ts'

/**
 * Returns every certificate that ever sealed a PDF, so that old files can be checked after a key is
 * retired (R-deals-70).
 */
export const sealCertificates = defineEndpoint('GET /.well-known/keyturn-seal', {
  callers: ['anyone'],
  response: z.object({
    /** Newest first. `certificate`: X.509 in PEM; `fingerprint`: its SHA-256 in hexadecimal. */
    certificates: z.array(
      z.object({ fingerprint: z.string(), certificate: z.string(), firstUsedAt: isoTime }),
    ),
  }),
  summary: 'The certificates that signed agreements are sealed with',
})
