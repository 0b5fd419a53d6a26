import { revokeToken } from '@keyturn/contract/accounts/tokens.ts'
import { allEndpoints } from '@keyturn/contract/endpoints.ts'
import { type Scope, scopes } from '@keyturn/contract/shared/endpoint.ts'
import { describe, expect, test } from 'vitest'
import type { Browser } from './browser.ts'
import { exampleInputs, type Target, targetWithoutRows } from './example-inputs.ts'
import { countReads, outcome } from './http/outcome.ts'
import { aProgram, aToken } from './http/tokens.ts'
import { aSeller } from './people.ts'
import { aSaleAt, readProgressOf } from './sales/deals.ts'
import { digestTables } from './table-digests.ts'
import { startTestServer } from './test-server.ts'

// Calls every endpoint with every kind of token, so that a new endpoint is covered.

const server = await startTestServer()
/** Owns the tokens, and is a stranger to the rows of the targets. */
const owner = await aSeller(server)
const sale = await aSaleAt(server, 'passed')
const deal = await readProgressOf(sale)
const targets: Target[] = [
  {
    ...targetWithoutRows(),
    sellerId: sale.seller.id,
    buyerId: sale.buyer.id,
    carId: sale.car._id,
    vin: sale.car.vin,
    dealId: deal._id,
    pkgId: deal.pkgId ?? '',
  },
  targetWithoutRows(),
]

const revoked = await aToken(owner, scopes)
await owner.ask(revokeToken, { params: { tokenId: revoked.created._id } })
const expired = await aToken(owner, scopes)
await server.query(
  `update personal_tokens set created_at = created_at - interval '91 days', expires_at = keyturn_now() where id = $1`,
  [expired.created._id],
)
const unusable = {
  revoked: aProgram(server, revoked.token),
  expired: aProgram(server, expired.token),
  unknown: aProgram(server, `kt_${'A'.repeat(43)}DCtZhg`),
  misspelled: aProgram(server, `${revoked.token}A`),
}
const complete = aProgram(server, (await aToken(owner, scopes)).token)
const withScope = new Map<Scope, Browser>()
const withoutScope = new Map<Scope, Browser>()
for (const scope of scopes) {
  withScope.set(scope, aProgram(server, (await aToken(owner, [scope])).token))
  const others = scopes.filter((one) => one !== scope)
  withoutScope.set(scope, aProgram(server, (await aToken(owner, others)).token))
}

const scoped = allEndpoints.flatMap((call) => (call.scope ? [{ ...call, scope: call.scope }] : []))
const closed = allEndpoints.filter((call) => !call.scope)

// R-accounts-70
describe('rejects every token on an endpoint without a scope, without a query', () => {
  test.each(closed)('$name', async (call) => {
    const before = await digest()
    for (const program of [complete, unusable.revoked])
      for (const target of targets) {
        const { sent, reads } = await countReads(server, () =>
          program.send(call, exampleInputs(call, target)[0]),
        )
        expect([outcome(sent), reads]).toEqual(['403 TokenNotAllowed', 0])
        expect(sent.headers['www-authenticate']).toBe('Bearer realm="Keyturn", error="insufficient_scope"')
      }
    expect(await digest()).toEqual(before)
  })
})

// R-accounts-69, R-accounts-70
describe('rejects unusable tokens and tokens without the scope with one read, and changes nothing', () => {
  test.each(scoped)('$name', async (call) => {
    const before = await digest()
    for (const target of targets) {
      const input = exampleInputs(call, target)[0]
      for (const [name, program] of Object.entries(unusable)) {
        const { sent, reads } = await countReads(server, () => program.send(call, input))
        expect(`${name} ${outcome(sent)}`).toBe(`${name} 401 InvalidToken`)
        expect(sent.headers['www-authenticate']).toBe('Bearer realm="Keyturn", error="invalid_token"')
        expect(reads).toBe(name === 'misspelled' ? 0 : 1)
      }
      const { sent, reads } = await countReads(server, () =>
        programOf(withoutScope, call.scope).send(call, input),
      )
      expect([outcome(sent), reads]).toEqual(['403 InsufficientScope', 1])
      expect(sent.error.message).toContain(call.scope)
      expect(sent.headers['www-authenticate']).toBe(
        `Bearer realm="Keyturn", error="insufficient_scope", scope="${call.scope}"`,
      )
    }
    expect(await digest()).toEqual(before)
  })
})

/** Responses to a stranger that are not a 404: endpoints about the caller, or open to everybody. */
const open: Record<string, readonly string[]> = {
  'GET /user': ['200', '200'],
  'GET /agreements': ['200', '200'],
  'GET /vin/:vin': ['200', '200'],
  'GET /cars/public/:userId/:vin': ['200', '404 NotFound'],
  'GET /cars/user/:userId/:vin': ['200', '404 NotFound'],
}

// R-safe-11, R-accounts-69
describe('gives a token with the scope what its owner gets, and nothing of other people', () => {
  test.each(scoped.filter(({ name }) => name !== 'POST /cars/input'))('$name', async (call) => {
    for (const [index, target] of targets.entries()) {
      const input = exampleInputs(call, target)[0]
      const sent = await programOf(withScope, call.scope).send(call, input)
      expect(outcome(sent)).toBe(open[call.name]?.[index] ?? '404 NotFound')
      expect(outcome(await owner.send(call, input))).toBe(outcome(sent))
    }
  })
})

const programOf = (programs: Map<Scope, Browser>, scope: Scope): Browser => {
  const program = programs.get(scope)
  if (!program) throw new Error(`no program for ${scope}`)
  return program
}

const digest = () => digestTables(server, '^(throttles|personal_tokens)$')
