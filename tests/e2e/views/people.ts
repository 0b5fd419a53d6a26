import { suspendedSentence, suspensionTexts } from '@keyturn/contract/accounts/suspension-texts.ts'
import type { PersonState } from '@keyturn/contract/accounts/suspensions.ts'
import type { Page, Route } from '@playwright/test'
import {
  click,
  dialog,
  heading,
  inSequence,
  intercept,
  interceptPreloaded,
  press,
  respondWith,
  tab,
  text,
  type View,
  viewsOf,
} from './view.ts'

// People as an administrator sees them, and their suspensions.

const { people, person, suspend } = suspensionTexts
const at = '2026-11-20T15:00:00.000Z'
const id = (digit: string) => digit.repeat(24)

const active: PersonState = {
  _id: id('a'),
  firstName: 'Grace',
  lastName: 'Kim',
  email: 'grace.kim@example.com',
  userType: 'SELLER',
  verified: true,
  isSuspended: false,
  isDeleted: false,
  createdAt: '2026-10-02T15:00:00.000Z',
  phoneNumber: '313-555-0142',
  sessions: [{ _id: id('1'), device: 'Chrome on Android', signedInAt: at }],
  listings: [{ _id: id('2'), car: '2021 Ford F-150 XLT', vin: '1FTEW1EP5MFA10001', isSold: false }],
  deals: [
    {
      _id: id('3'),
      car: '2021 Ford F-150 XLT',
      isSeller: true,
      other: { _id: id('b'), name: 'Maya Whitfield' },
      isPassed: false,
    },
  ],
  suspensions: [],
}

const suspended: PersonState = {
  ...active,
  isSuspended: true,
  sessions: [],
  suspensions: [
    {
      _id: id('4'),
      reason: 'FRAUD',
      note: 'Two people say that they paid you for the same car.',
      suspendedAt: at,
      suspendedBy: 'operator',
      liftedAt: null,
      liftedBy: null,
    },
  ],
}

const respond = (state: PersonState) => intercept(`**/admin/people/${state._id}`, respondWith(state))
const page = `/dev?person=${active._id}`

/** What the server answers to the page of a person who was suspended. */
async function respondAsSuspended(openPage: Page) {
  const answer = (status: number, errorCode: string, message: string) => (route: Route) =>
    route.fulfill({ status, json: { errorCode, message } })
  await interceptPreloaded('**/user', answer(401, 'InvalidAccessToken', 'Please sign in.'))(openPage)
  const facts = {
    reason: 'FRAUD',
    note: suspended.suspensions[0]?.note ?? null,
    writeTo: 'support@keyturn.example',
  } as const
  await openPage.route('**/auth/refresh', answer(403, 'AccountSuspended', suspendedSentence(facts)))
}

export const peopleViews: View[] = [
  {
    name: 'suspended',
    as: 'nora',
    at: '/home',
    before: respondAsSuspended,
    shows: heading(suspensionTexts.page.title),
    allowedErrors: [/ 40[13]$/],
  },
  ...viewsOf('administrator', '/dev', [
    { name: 'dev-people', act: click(tab(people.tab)), shows: heading(people.title) },
  ]),
  ...viewsOf('administrator', page, [
    { name: 'dev-person', before: respond(active), shows: heading(person.account) },
    { name: 'dev-person-suspended', before: respond(suspended), shows: text(person.isSuspended) },
    {
      name: 'dev-suspend',
      confirms: 'SuspendDialog',
      before: respond(active),
      act: press(person.suspend),
      shows: dialog(suspend.title),
    },
    {
      name: 'dev-suspend-errors',
      before: respond(active),
      act: inSequence(press(person.suspend), press(suspend.submit)),
      shows: text(suspend.reasonMissing),
    },
    {
      name: 'dev-lift',
      confirms: 'LiftDialog',
      before: respond(suspended),
      act: press(person.lift),
      shows: dialog(person.lift),
    },
    {
      name: 'dev-end-sessions',
      confirms: 'EndSessionsDialog',
      before: respond(active),
      act: press(person.endSessions),
      shows: dialog(person.endSessions),
    },
  ]),
]
