import { z } from 'zod'
import { defineEndpoint } from '../../shared/endpoint.ts'
import { id } from '../../shared/fields.ts'
import { paperKinds } from './rules.ts'

/** Returns a draft to print and check, filled in from the signed agreement (R-deals-65). */
export const readPaperwork = defineEndpoint('GET /progress/paperwork/:pkgId/:kind', {
  callers: ['verified', 'administrator'],
  adminAct: 'viewedPaperwork',
  scope: 'deals:read',
  params: z.object({ pkgId: id, kind: z.enum(paperKinds) }),
  response: z.instanceof(Uint8Array),
  media: 'application/pdf',
  errors: ['NotFound'],
})
