import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

/** Expects exactly these primary (filled) buttons on a screen or in a dialog. */
export const expectPrimaryButtons = (container: Page | Locator, ...names: string[]) =>
  expect(container.locator(filled)).toHaveText(names.map((name) => new RegExp(`^${name}`)))

/** Mantine's default button variant is filled. */
const filled = '.mantine-Button-root:is(:not([data-variant]), [data-variant="filled"]):visible'
