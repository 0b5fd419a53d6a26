import type { CallerRole } from '@keyturn/contract/shared/endpoint.ts'
import { expect, test } from 'vitest'
import { type Administrator, authorizationError, type Caller, type UserActor } from './authorization.ts'

const aUser = (userType: UserActor['userType'], more: Partial<UserActor> = {}): Caller => ({
  user: { id: 'a', sessionId: 'b', userType, verified: true, wholesaler: false, ...more },
  administrator: null,
})
const administrator: Administrator = {
  id: null,
  username: 'root',
  role: 'OPERATOR',
  sessionId: 'c',
  ip: '',
  isConfirmed: true,
  mustEnroll: false,
}
const seller = aUser('SELLER')
const newcomer = aUser('SELLER', { verified: false })
const wholesaler = aUser('WHOLESALER', { wholesaler: true })

const support: Administrator = { ...administrator, role: 'SUPPORT' }

const askers: Record<string, Caller> = {
  nobody: { user: null, administrator: null },
  newcomer,
  seller,
  buyer: aUser('BUYER'),
  wholesaler,
  'wholesaler to be': aUser('WHOLESALER'),
  'unverified wholesaler': aUser('WHOLESALER', { verified: false, wholesaler: true }),
  administrator: { user: null, administrator },
  'administrator who sells': { ...seller, administrator },
  support: { user: null, administrator: support },
}

const yes = null
const [nobody, unverified, forbidden, onlyAdmin, onlyOperator] = [
  'InvalidAccessToken',
  'EmailNotVerified',
  'Forbidden',
  'InvalidAdminAccessToken',
  'OperatorRequired',
]

// R-everywhere-9
test.each<[who: CallerRole[], answers: (string | null)[]]>([
  [['anyone'], [yes, yes, yes, yes, yes, yes, yes, yes, yes, yes]],
  [['signedIn'], [nobody, yes, yes, yes, yes, yes, yes, nobody, yes, nobody]],
  [['verified'], [nobody, unverified, yes, yes, yes, yes, unverified, nobody, yes, nobody]],
  [['trader'], [nobody, unverified, yes, yes, forbidden, forbidden, unverified, nobody, yes, nobody]],
  [
    ['wholesaler'],
    [nobody, unverified, forbidden, forbidden, yes, forbidden, unverified, nobody, forbidden, nobody],
  ],
  [
    ['administrator'],
    [onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, yes, yes, yes],
  ],
  [
    ['wholesaler', 'administrator'],
    [nobody, unverified, forbidden, forbidden, yes, forbidden, unverified, yes, yes, yes],
  ],
  [
    ['operator'],
    [onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, onlyAdmin, yes, yes, onlyOperator],
  ],
  [
    ['trader', 'operator'],
    [nobody, unverified, yes, yes, forbidden, forbidden, unverified, yes, yes, onlyOperator],
  ],
  [
    ['trader', 'wholesaler'],
    [nobody, unverified, yes, yes, yes, forbidden, unverified, nobody, yes, nobody],
  ],
])('authorizes the callers of an endpoint for %s', (who, answers) => {
  const answered = Object.entries(askers).map(([name, caller]) => [
    name,
    authorizationError(who, caller)?.code ?? yes,
  ])
  expect(answered).toEqual(Object.keys(askers).map((name, index) => [name, answers[index]]))
})
