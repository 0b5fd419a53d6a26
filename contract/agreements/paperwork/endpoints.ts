import { z } from 'zod'
import { call } from '../../shared/endpoint.ts'
import { id } from '../../shared/fields.ts'
import { paperKinds } from './rules.ts'

/** A draft to print and check, filled in from what both have signed (R-deals-65). */
export const paperwork = call('GET /progress/paperwork/:pkgId/:kind', {
  who: ['verified', 'administrator'],
  params: z.object({ pkgId: id, kind: z.enum(paperKinds) }),
  answer: z.instanceof(Uint8Array),
  media: 'application/pdf',
  refuses: ['NotFound'],
  summary: 'A draft of one of the papers for the appointment',
})
