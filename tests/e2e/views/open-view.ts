import type { Page } from '@playwright/test'
import type { View } from './view.ts'
import type { World } from './world.ts'

export async function openView(
  view: View,
  page: Page,
  world: World,
  open: (at: string) => Promise<unknown> = (at) => page.goto(at),
): Promise<void> {
  await view.before?.(page, world)
  await open(typeof view.at === 'string' ? view.at : await view.at(world, page.context()))
  await view.act?.(page, world)
  await view.shows(page).waitFor()
}
