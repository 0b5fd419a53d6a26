import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { findOverflow } from '../../tests/e2e/support/page/overflow.ts'
import { openView } from '../../tests/e2e/views/open-view.ts'
import type { View } from '../../tests/e2e/views/view.ts'
import type { World } from '../../tests/e2e/views/world.ts'
import { fitContent, paper, type Size, sizes, waitUntilStable } from './page-sizes.ts'

const actionMs = 8_000

/** Captures a view in all sizes. Returns its problems. */
export async function captureView(view: View, world: World, folder: string): Promise<string[]> {
  const { context: profile, watch } = await world.openProfile(view)
  watch.allowErrors(...(view.allowedErrors ?? []))
  watch.allowFailedRequests(true)
  profile.setDefaultTimeout(actionMs)
  const page = await profile.newPage()
  const problems: string[] = []
  const file = (size: string) => join(folder, `${view.name}--${size}.png`)
  rmSync(file('failed'), { force: true })
  try {
    for (const [index, size] of sizesOf(view).entries()) {
      await page.setViewportSize({ width: size.width, height: size.height })
      await page.emulateMedia({ colorScheme: size.scheme, media: size.media })
      if (index === 0 || view.isTransient) await openView(view, page, world)
      problems.push(...(await takePicture(view, page, size, file(size.name))))
    }
  } catch (error) {
    await page.screenshot({ path: file('failed'), fullPage: true }).catch(() => {})
    problems.push(`not reached: ${reasonOf(error)} (at ${page.url()}, see ${file('failed')})`)
  }
  await profile.close()
  return [...new Set([...problems, ...watch.problems])].map((problem) => `${view.name}: ${problem}`)
}

const sizesOf = (view: View): readonly Size[] => (view.print ? [...sizes, paper] : sizes)

async function takePicture(view: View, page: Page, size: Size, path: string): Promise<string[]> {
  const waits = view.isLoading ?? false
  await waitUntilStable(page, waits)
  await fitContent(page, size)
  await waitUntilStable(page, waits)
  const overflow = await findOverflow(page)
  await page.screenshot({ path })
  return overflow.map((problem) => `${size.name}: ${problem}`)
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .split('\n')
    .slice(0, 3)
    .join(' ')
    // Playwright colors its messages for a terminal.
    .replace(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '')
