import { deskTexts as desk } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import type { DealerStepName } from '@keyturn/contract/deals/rules.ts'
import { demoCars } from '../../../server/commands/seed/cars.ts'
import { atTheAdministratorsDoor } from '../support/page/watch.ts'
import {
  answersWith,
  dialog,
  heading,
  holds,
  inDialog,
  inOrder,
  presses,
  text,
  type View,
  viewsOf,
} from './view.ts'

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

const asksFor = (step: DealerStepName, ...before: DealerStepName[]) => ({
  before: said(...before),
  act: presses(desk.steps[step].name),
  shows: dialog(desk.steps[step].name),
})

/** The built-in dealer desk. */
export const dealerViews: View[] = [
  {
    name: 'dealer-sign-in',
    as: 'nobody',
    at: '/dealer',
    shows: heading(desk.title),
    expects: [...atTheAdministratorsDoor, /^GET \/desk 401$/],
  },
  ...viewsOf('administrator', '/dealer', [
    { name: 'dealer', shows: text(new RegExp(`${make} ${carModel}`)) },
    {
      name: 'dealer-empty',
      before: holds(/\/desk\/deals\?/, answersWith([])),
      shows: text(desk.lists.waiting.empty),
    },
    {
      name: 'dealer-off',
      before: holds(/\/desk$/, answersWith({ isOn: false, dealer: 'AutoNation' })),
      shows: text(desk.off.title),
    },
  ]),
  {
    name: 'dealer-deal-unknown',
    as: 'administrator',
    at: `/dealer?pkgId=${'e'.repeat(24)}`,
    shows: text(desk.notFound),
    expects: [/^GET \/desk\/deals\/\w+ 404$/],
  },
  ...viewsOf('administrator', opened, [
    { name: 'dealer-deal', shows: heading(desk.next) },
    {
      name: 'dealer-deal-done',
      before: said('accepted', 'needsDocument', 'appointment', 'paidSeller', 'titleReceived', 'complete'),
      shows: text(desk.over),
    },
    { name: 'dealer-take', ...asksFor('accepted') },
    { name: 'dealer-document', ...asksFor('needsDocument', 'accepted') },
    {
      name: 'dealer-appointment-missing',
      before: said('accepted'),
      act: inOrder(presses(desk.steps.appointment.name), inDialog(presses(desk.steps.appointment.name))),
      shows: text(desk.fields.noTime),
    },
    { name: 'dealer-complete', ...asksFor('complete', 'accepted', 'paidSeller', 'titleReceived') },
    { name: 'dealer-call-off', ...asksFor('cancelled', 'accepted') },
  ]),
]
