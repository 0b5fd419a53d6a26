import { deskTexts as desk } from '@keyturn/contract/dealers/dealer-desk-texts.ts'
import type { DealerStepName } from '@keyturn/contract/deals/rules.ts'
import { demoCars } from '../../../server/commands/seed/demo-cars.ts'
import { administratorSignInErrors } from '../support/page/watch-context.ts'
import {
  dialog,
  heading,
  inDialog,
  inSequence,
  interceptPreloaded,
  press,
  respondWith,
  text,
  type View,
  viewsOf,
} from './view.ts'

const { make, carModel } = demoCars.wrangler
const dealPath: View['at'] = async (world) => (await world.packagePath('wrangler')).replace('/pkg', '/dealer')
const stepFields: Partial<Record<DealerStepName, object>> = {
  needsDocument: { document: 'The second key, and the letter from the bank that holds the loan.' },
  appointment: { place: '100 Main Street, Detroit', time: '2026-11-25T15:00:00-05:00' },
}

const withDeal = (more: object) =>
  interceptPreloaded(/\/desk\/deals\/[0-9a-f]{24}$/, async (route) => {
    const response = await route.fetch()
    const found = await response.json()
    return route.fulfill({ response, json: { ...found, deal: { ...found.deal, ...more } } })
  })
const withSteps = (...steps: DealerStepName[]) =>
  withDeal({
    steps: steps.map((step) => ({ step, at: '2026-11-21T15:00:00.000Z', ...stepFields[step] })),
  })

const openStep = (step: DealerStepName, ...before: DealerStepName[]) => ({
  before: withSteps(...before),
  act: press(desk.steps[step].name),
  shows: dialog(desk.steps[step].name),
})

/** The built-in dealer desk. */
export const dealerViews: View[] = [
  {
    name: 'dealer-sign-in',
    as: 'nobody',
    at: '/dealer',
    shows: heading(desk.title),
    allowedErrors: [...administratorSignInErrors, /^GET \/desk 401$/],
  },
  ...viewsOf('administrator', '/dealer', [
    { name: 'dealer', shows: text(new RegExp(`${make} ${carModel}`)) },
    {
      name: 'dealer-empty',
      before: interceptPreloaded(/\/desk\/deals\?/, respondWith([])),
      shows: text(desk.lists.waiting.empty),
    },
    {
      name: 'dealer-off',
      before: interceptPreloaded(/\/desk$/, respondWith({ isOn: false, dealer: 'AutoNation' })),
      shows: text(desk.off.title),
    },
  ]),
  {
    name: 'dealer-deal-unknown',
    as: 'administrator',
    at: `/dealer?pkgId=${'e'.repeat(24)}`,
    shows: text(desk.notFound),
    allowedErrors: [/^GET \/desk\/deals\/\w+ 404$/],
  },
  ...viewsOf('administrator', dealPath, [
    { name: 'dealer-deal', shows: heading(desk.next) },
    {
      name: 'dealer-deal-done',
      before: withSteps(
        'accepted',
        'needsDocument',
        'appointment',
        'paidSeller',
        'titleReceived',
        'complete',
      ),
      shows: text(desk.over),
    },
    {
      name: 'dealer-deal-paused',
      before: withDeal({ isPaused: true }),
      shows: text(desk.paused),
    },
    { name: 'dealer-take', confirms: 'StepDialog', ...openStep('accepted') },
    { name: 'dealer-document', ...openStep('needsDocument', 'accepted') },
    {
      name: 'dealer-appointment-missing',
      before: withSteps('accepted'),
      act: inSequence(press(desk.steps.appointment.name), inDialog(press(desk.steps.appointment.name))),
      shows: text(desk.fields.noTime),
    },
    { name: 'dealer-complete', ...openStep('complete', 'accepted', 'paidSeller', 'titleReceived') },
    { name: 'dealer-call-off', confirms: 'StepDialog', ...openStep('cancelled', 'accepted') },
  ]),
]
