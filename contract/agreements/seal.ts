import { z } from 'zod'
import { defineEndpoint } from '../shared/endpoint.ts'
import { isoTime } from '../shared/fields.ts'

/** What signed PDFs were ever sealed with, so that whoever has one can check it when its key is long out of use (R-deals-70). */
export const sealCertificates = defineEndpoint('GET /.well-known/keyturn-seal', {
  callers: ['anyone'],
  response: z.object({
    /** The newest first. `certificate`: X.509 in PEM; `fingerprint`: its SHA-256 in hexadecimal. */
    certificates: z.array(
      z.object({ fingerprint: z.string(), certificate: z.string(), firstUsedAt: isoTime }),
    ),
  }),
  summary: 'The certificates that signed agreements are sealed with',
})
