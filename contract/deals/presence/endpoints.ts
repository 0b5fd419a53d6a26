import { z } from 'zod'
import { defineEndpoint } from '../../shared/endpoint.ts'
import { id, looseVin } from '../../shared/fields.ts'

/**
 * Reports repeatedly that a tab shows a deal, and once when it stops. Each response lists the other
 * viewers of the deal (R-deals-82). Presence is never stored.
 */
export const reportViewing = defineEndpoint('POST /progress/looking/:userId/:vin', {
  callers: ['trader'],
  params: z.object({ userId: id, vin: looseVin }),
  body: z.object({ tab: z.string().regex(/^[0-9a-f]{32}$/), isLooking: z.boolean() }),
  response: z.object({ names: z.array(z.string()) }),
  errors: ['NotFound'],
})
