import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** What a screen or a dialog offers as the next act: these filled buttons, and no other. */
export const expectPrimary = (where: Page | Locator, ...names: string[]) =>
  expect(where.locator(filled)).toHaveText(names.map((name) => new RegExp(`^${name}`)))

/** As Mantine marks them: a button without a variant is filled. */
const filled = '.mantine-Button-root:is(:not([data-variant]), [data-variant="filled"]):visible'
