import { deskTexts as desk } from '@keyturn/contract/deals/dealers/dealer-desk-texts.ts'
import type { DealerStepName } from '@keyturn/contract/deals/rules.ts'
import type { Page } from '@playwright/test'
import { demoCars } from '../../server/seed/cars.ts'
import { atTheAdministratorsDoor } from '../house/watch.ts'
import { dialog, heading, holds, press, presses, text, type View } from './view.ts'

const { make, carModel } = demoCars.wrangler
const opened: View['at'] = async (world) => (await world.packageOf('wrangler')).replace('/pkg', '/dealer')
const words: Partial<Record<DealerStepName, object>> = {
  needsDocument: { document: 'The second key, and the letter from the bank that holds the loan.' },
  appointment: { place: '100 Main Street, Detroit', time: '2026-11-25T15:00:00-05:00' },
}

/** As if this had been said already. */
const said = (...steps: DealerStepName[]) =>
  holds(/\/desk\/deals\/[0-9a-f]{24}$/, async (route) => {
    const response = await route.fetch()
    const found = await response.json()
    const at = '2026-11-21T15:00:00.000Z'
    const deal = { ...found.deal, steps: steps.map((step) => ({ step, at, ...words[step] })) }
    return route.fulfill({ response, json: { ...found, deal } })
  })

const stepView = (name: string, step: DealerStepName, ...before: DealerStepName[]): View => ({
  name,
  as: 'administrator',
  at: opened,
  before: said(...before),
  act: presses(desk.steps[step].name),
  shows: dialog(desk.steps[step].name),
})

/** The dealer desk that is built in. */
export const dealerViews: View[] = [
  {
    name: 'dealer-sign-in',
    as: 'nobody',
    at: '/dealer',
    shows: heading(desk.title),
    expects: [...atTheAdministratorsDoor, /^GET \/desk 401$/],
  },
  { name: 'dealer', as: 'administrator', at: '/dealer', shows: text(new RegExp(`${make} ${carModel}`)) },
  {
    name: 'dealer-empty',
    as: 'administrator',
    at: '/dealer',
    before: holds(/\/desk\/deals\?/, (route) => route.fulfill({ json: [] })),
    shows: text(desk.lists.waiting.empty),
  },
  {
    name: 'dealer-off',
    as: 'administrator',
    at: '/dealer',
    before: holds(/\/desk$/, (route) => route.fulfill({ json: { isOn: false, dealer: 'AutoNation' } })),
    shows: text(desk.off.title),
  },
  { name: 'dealer-deal', as: 'administrator', at: opened, shows: heading(desk.next) },
  {
    name: 'dealer-deal-done',
    as: 'administrator',
    at: opened,
    before: said('accepted', 'needsDocument', 'appointment', 'paidSeller', 'titleReceived', 'complete'),
    shows: text(desk.over),
  },
  {
    name: 'dealer-deal-unknown',
    as: 'administrator',
    at: `/dealer?pkgId=${'e'.repeat(24)}`,
    shows: text(desk.notFound),
    expects: [/^GET \/desk\/deals\/\w+ 404$/],
  },
  stepView('dealer-take', 'accepted'),
  stepView('dealer-document', 'needsDocument', 'accepted'),
  stepView('dealer-appointment', 'appointment', 'accepted'),
  {
    ...stepView('dealer-appointment-missing', 'appointment', 'accepted'),
    act: async (page: Page) => {
      await press(page, desk.steps.appointment.name)
      await press(page.getByRole('dialog'), desk.steps.appointment.name)
    },
    shows: text(desk.fields.noTime),
  },
  stepView('dealer-paid', 'paidSeller', 'accepted', 'appointment'),
  stepView('dealer-title', 'titleReceived', 'accepted', 'appointment'),
  stepView('dealer-complete', 'complete', 'accepted', 'paidSeller', 'titleReceived'),
  stepView('dealer-call-off', 'cancelled', 'accepted'),
]
