import { z } from 'zod'
import { defineEndpoint } from '../../shared/endpoint.ts'
import { anyVin, id } from '../../shared/fields.ts'

/**
 * A tab that shows a deal says so again and again, and once when it no longer does; each time it hears who else of the deal
 * looks at it now (R-deals-82). Nothing of this is kept.
 */
export const lookAtDeal = defineEndpoint('POST /progress/looking/:userId/:vin', {
  callers: ['trader'],
  params: z.object({ userId: id, vin: anyVin }),
  body: z.object({ tab: z.string().regex(/^[0-9a-f]{32}$/), isLooking: z.boolean() }),
  response: z.object({ names: z.array(z.string()) }),
  errors: ['NotFound'],
  summary:
    'Says that a tab shows this deal, or no longer does, and answers who else of the deal looks at it now',
})
