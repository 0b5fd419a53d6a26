import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { watchOver } from '../../e2e/house/watch.ts'
import { overflows, paper, settle, showWhole, type View, views } from './look.ts'
import type { Shot } from './shot.ts'
import type { World } from './world.ts'

const actionMs = 8_000

/** Takes all pictures of one shot, and says what was wrong on the way. */
export async function take(shot: Shot, world: World, folder: string): Promise<string[]> {
  const profile = await world.openProfile(shot.as)
  const watch = watchOver(profile)
  watch.expects(...(shot.expects ?? []))
  watch.mayLoseRequests(true)
  profile.setDefaultTimeout(actionMs)
  const page = await profile.newPage()
  const troubles: string[] = []
  const file = (view: string) => join(folder, `${shot.name}--${view}.png`)
  rmSync(file('failed'), { force: true })
  try {
    for (const [index, view] of viewsOf(shot).entries()) {
      await page.setViewportSize({ width: view.width, height: view.height })
      await page.emulateMedia({ colorScheme: view.scheme, media: view.media })
      if (index === 0 || shot.passes) await reach(shot, page, world)
      troubles.push(...(await picture(shot, page, view, file(view.name))))
    }
  } catch (error) {
    await page.screenshot({ path: file('failed'), fullPage: true }).catch(() => {})
    troubles.push(`not reached: ${reasonOf(error)} (at ${page.url()}, see ${file('failed')})`)
  }
  await profile.close()
  return [...new Set([...troubles, ...watch.troubles])].map((trouble) => `${shot.name}: ${trouble}`)
}

const viewsOf = (shot: Shot): readonly View[] => (shot.print ? [paper] : views)

async function reach(shot: Shot, page: Page, world: World): Promise<void> {
  await shot.before?.(page, world)
  await page.goto(typeof shot.at === 'string' ? shot.at : await shot.at(world, page.context()))
  await shot.act?.(page, world)
  await shot.shows(page).waitFor()
}

async function picture(shot: Shot, page: Page, view: View, path: string): Promise<string[]> {
  const waits = shot.waits ?? false
  await settle(page, waits)
  await showWhole(page, view)
  await settle(page, waits)
  const wide = await overflows(page)
  await page.screenshot({ path })
  return wide.map((what) => `${view.name}: ${what}`)
}

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error))
    .split('\n')
    .slice(0, 3)
    .join(' ')
    // Playwright colours its words for a terminal of its own.
    .replace(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '')
