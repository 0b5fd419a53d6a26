import { followSystemScheme } from './follow-system-scheme.ts'
import { shadowHeaderOnScroll, showProgressOnLeaving } from './page-behavior.ts'
import { prefetchApp } from './prefetch-app.ts'

// The whole script of the form pages (R-everywhere-43): no React, no component library, no router.

shadowHeaderOnScroll()
followSystemScheme()
showProgressOnLeaving()

/** Runs in separate tasks, so that a slow phone can paint and handle taps in between. */
async function driveForms(): Promise<void> {
  await nextTask()
  await import('./load-fields.ts')
  await nextTask()
  await import('./load-endpoints.ts')
  await nextTask()
  const { initPage } = await import('./init-page.ts')
  initPage()
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

void driveForms()
prefetchApp()
