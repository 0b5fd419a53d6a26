import { termSheetTexts as termSheet } from '@keyturn/contract/deals/agreement-texts.ts'
import type { Page } from '@playwright/test'
import type { Name } from '../../server/seed/people.ts'
import { fill, press, text, type View } from './view.ts'

/** The Vehicle Sale Agreement as one side signs it; nothing is sent. */
export function agreementViews(name: string, as: Name, at: View['at'], signer: string): View[] {
  const open = async (page: Page) => {
    await press(page, termSheet.signAgreement)
    await page.getByRole('dialog').waitFor()
  }
  const sign = async (page: Page, by: string, signature: string) => {
    await open(page)
    await fill(page.getByRole('dialog'), { [termSheet.name]: by, [termSheet.signature]: signature })
  }
  return [
    { name: `${name}-empty`, as, at, act: open, shows: (page) => page.getByRole('dialog') },
    {
      name: `${name}-filled`,
      as,
      at,
      act: (page) => sign(page, signer, signer),
      shows: (page) => page.getByRole('dialog'),
    },
    {
      name: `${name}-missing`,
      as,
      at,
      act: async (page) => {
        await open(page)
        await press(page, termSheet.agree)
      },
      shows: text(termSheet.missing),
    },
    {
      name: `${name}-other-name`,
      as,
      at,
      act: async (page) => {
        await sign(page, 'Chris Whitfield-Marsh', 'Chris Whitfield-Marsh')
        await press(page, termSheet.agree)
      },
      shows: text(/^Your account is in the name of/),
    },
  ]
}
