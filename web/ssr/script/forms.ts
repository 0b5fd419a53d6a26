import { fetchAhead } from './ahead.ts'
import { chooseScheme, followSystem } from './scheme.ts'
import { announceLeaving, castShadow } from './small.ts'

// All that the pages of forms need of a script (R-everywhere-43): no React, no component library, no router.

castShadow()
followSystem()
chooseScheme()
announceLeaving()

/**
 * The rest of this file is run in tasks of their own, between which a slow phone paints and hears a tap: what checks the
 * fields is larger than all the rest.
 */
async function driveForms(): Promise<void> {
  await nextTask()
  await import('./fields-first.ts')
  await nextTask()
  await import('./calls-first.ts')
  await nextTask()
  const { drivePage } = await import('./drive-page.ts')
  drivePage()
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

void driveForms()
fetchAhead()
